import { describe, expect, it } from 'vitest';
import { loadAes, loadSecretbox, nobleAes } from '../../src/encryption/algorithms.js';
import { type Cipher, cbcCipher, gcmCipher, secretboxCipher } from '../../src/encryption/ciphers.js';

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const utf8 = (value: string) => new TextEncoder().encode(value);
const hex = (digits: string) => new Uint8Array(Buffer.from(digits.replace(/\s/g, ''), 'hex'));
const base64 = (digits: string) => new Uint8Array(Buffer.from(digits, 'base64'));
/** Returns the key 00 01 02 … of a size. */
const keyOf = (size: number) => Uint8Array.from({ length: size }, (_, i) => i);

const PLAIN = '{"kind":"Secret","data":{"a":"MQ=="}}';
const PLACE = utf8('/registry/secrets/default/one');
/** Output of Python's `cryptography` for that text and, with GCM, that authenticated data. */
const KNOWN = {
  cbc: {
    16: 'ZGVmZ2hpamtsbW5vcHFyc4Ta5k9vNkIdCCjIo9IMTyeuCPCnP6GtJaybvuGQGBCn1jTf4X6jOSYWk73dHC8c8Q==',
    24: 'ZGVmZ2hpamtsbW5vcHFyc1Lvwm52f02IUjafZeutxoylDG9GDptR/yaK2hJjkzvCHfD8JwJpUNHBWuSwJyxT0w==',
    32: 'ZGVmZ2hpamtsbW5vcHFyc0QoOoqApFy6KZZrYKXFvavysHIsJVRE94eoFAhHPwUsRJHBNcq1dzICJ2eBVUCuRA==',
  },
  gcm: {
    16: 'yMnKy8zNzs/Q0dLTTQr/12BXCRP8xM0hswQXhFwymWilTj8pr5Um6izdvJTDB7Rg6fQSs+8NoqpqC1oAuazu40g=',
    24: 'yMnKy8zNzs/Q0dLTwqR3Qfhyco4+f3OUN7b2lBvaBpk3IDWD6A1KNPx4GLcDoIWiOcF1GN6ScdG5rbEbufkgTxI=',
    32: 'yMnKy8zNzs/Q0dLTaloKsuio2RpWb3rdbGOfNsyliMlwCooelotaw+Cz5rjxsQjb7+dlkd/d4UIcG9F6mzHOdoY=',
  },
} as const;

const aes = await loadAes();
const noble = await import('@noble/ciphers/aes.js' as string).then(nobleAes, () => undefined);
const secretbox = await loadSecretbox().catch(() => undefined);
const reason = ' (skipped: @noble/ciphers is not installed)';

describe.each([
  ['Node', aes],
  ['@noble/ciphers', noble],
])('AES of %s', (_, found) => {
  const algorithms = found ?? aes;
  describe.skipIf(found === undefined)(`known answers${found ? '' : reason}`, () => {
    it.each([16, 24, 32] as const)('decrypts the output of another implementation, with a key of %d bytes', (size) => {
      const { cbc, gcm } = KNOWN;
      expect(text(cbcCipher(algorithms, keyOf(size)).decrypt(base64(cbc[size]), PLACE))).toBe(PLAIN);
      expect(text(gcmCipher(algorithms, keyOf(size)).decrypt(base64(gcm[size]), PLACE))).toBe(PLAIN);
    });

    it('encrypts to the same output as another implementation with the same nonce', () => {
      for (const size of [16, 24, 32] as const) {
        const known = base64(KNOWN.gcm[size]);
        const sealed = algorithms.sealGcm(keyOf(size), known.subarray(0, 12), utf8(PLAIN), PLACE);
        expect(Buffer.from(sealed)).toEqual(Buffer.from(known.subarray(12)));
      }
    });

    it('agrees with the specifications of the algorithms', () => {
      // The GCM specification of McGrew and Viega, test case 16.
      const sealed = algorithms.sealGcm(
        hex('feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308'),
        hex('cafebabefacedbaddecaf888'),
        hex(
          'd9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39',
        ),
        hex('feedfacedeadbeeffeedfacedeadbeefabaddad2'),
      );
      expect(Buffer.from(sealed).toString('hex')).toBe(
        '522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f66276fc6ece0f4e1768cddf8853bb2d551b',
      );
      // NIST SP 800-38A, F.2.1.
      const block = algorithms.encryptCbc(
        hex('2b7e151628aed2a6abf7158809cf4f3c'),
        hex('000102030405060708090a0b0c0d0e0f'),
        hex('6bc1bee22e409f96e93d7e117393172a'),
      );
      expect(Buffer.from(block).toString('hex')).toBe('7649abac8119b246cee98e9b12e9197d');
    });
  });
});

it.skipIf(secretbox === undefined)(`secretbox agrees with NaCl's own test${secretbox ? '' : reason}`, () => {
  const key = hex('1b27556473e985d462cd51197a9a46c76009549eac6474f206c4ee0844f68389');
  const nonce = hex('69696ee955b62b73cd62bda875fc73d68219e0036b7a0b37');
  const message = `be075fc53c81f2d5cf141316ebeb0c7b5228c52a4c62cbd44b66849b64244ffce5ecbaaf33bd751a1ac728d45e6c61296cdc3c0123
    3561f41db66cce314adb310e3be8250c46f06dceea3a7fa1348057e2f6556ad6b1318a024a838f21af1fde048977eb48f59ffd4924ca1c60902e52f0a0
    89bc76897040e082f937763848645e0705`;
  const sealed = `f3ffc7703f9400e52a7dfb4b3d3305d98e993b9f48681273c29650ba32fc76ce48332ea7164d96a4476fb8c531a1186ac0dfc17c98d
    ce87b4da7f011ec48c97271d2c20f9b928fe2270d6fb863d51738b48eeee314a7cc8ab932164548e526ae90224368517acfeabd6bb3732bc0e9da99832
    b61ca01b6de56244a9e88d5f9b37973f622a43d14a6599b1f654cb45a74e355a5`;
  if (secretbox === undefined) return;
  expect(Buffer.from(secretbox.seal(key, nonce, hex(message)))).toEqual(Buffer.from(hex(sealed)));
  const stored = new Uint8Array([...nonce, ...hex(sealed)]);
  expect(Buffer.from(secretboxCipher(secretbox, key).decrypt(stored, PLACE))).toEqual(Buffer.from(hex(message)));
});

/** Every cipher of this runtime, with the minimum number of bytes of a value, and whether it detects changed bytes. */
const CIPHERS: readonly (readonly [name: string, cipher: Cipher, least: number, detects: boolean])[] = [
  ['aesgcm', gcmCipher(aes, keyOf(32)), 12, true],
  ['aescbc', cbcCipher(aes, keyOf(32)), 16, false],
  ...(secretbox ? [['secretbox', secretboxCipher(secretbox, keyOf(32)), 40, true] as const] : []),
];

describe.each(CIPHERS)('%s', (_, cipher, least, detects) => {
  it('decrypts what it encrypted, of any length, and never encrypts to the same output twice', () => {
    for (const length of [0, 1, 15, 16, 17, 31, 32, 33, 1000, 70_000]) {
      const value = Uint8Array.from({ length }, (_each, i) => i % 251);
      const [one, other] = [cipher.encrypt(value, PLACE), cipher.encrypt(value, PLACE)];
      expect(Buffer.from(one).equals(Buffer.from(other))).toBe(false);
      expect(Buffer.from(cipher.decrypt(one, PLACE)).equals(Buffer.from(value))).toBe(true);
    }
  });

  it('refuses a value that was truncated, at any length', () => {
    const stored = cipher.encrypt(utf8(PLAIN), PLACE);
    for (let length = 0; length < stored.length; length++) {
      const cut = () => cipher.decrypt(stored.subarray(0, length), PLACE);
      // Whole blocks of CBC may end with bytes that look like padding.
      if (!detects && length > least && length % 16 === 0) continue;
      expect(cut, `${length} bytes`).toThrow(
        length < least ? 'the stored data was shorter than the required size' : /block size|PKCS7|authentication|large/,
      );
    }
  });

  it.skipIf(!detects)('refuses a value with any changed byte', () => {
    const stored = cipher.encrypt(utf8(PLAIN), PLACE);
    for (let i = 0; i < stored.length; i++) {
      const changed = Uint8Array.from(stored, (byte, j) => (i === j ? byte ^ 1 : byte));
      expect(() => cipher.decrypt(changed, PLACE), `byte ${i}`).toThrow(
        /cipher: message authentication failed|output array was not large enough for encryption/,
      );
    }
  });
});

describe('aescbc', () => {
  const cipher = cbcCipher(aes, keyOf(32));
  it('reports invalid padding with the message of upstream', () => {
    const iv = new Uint8Array(16);
    const withEnd = (...end: readonly number[]) => {
      const blocks = new Uint8Array(32).fill(7);
      blocks.set(end, 32 - end.length);
      return new Uint8Array([...iv, ...aes.encryptCbc(keyOf(32), iv, blocks)]);
    };
    expect(() => cipher.decrypt(withEnd(0), PLACE)).toThrow('invalid PKCS7 data (empty or not padded)');
    expect(() => cipher.decrypt(withEnd(33), PLACE)).toThrow('invalid PKCS7 data (empty or not padded)');
    expect(() => cipher.decrypt(withEnd(1, 2), PLACE)).toThrow('invalid padding on input');
    expect(() => cipher.decrypt(iv, PLACE)).toThrow('invalid PKCS7 data (empty or not padded)');
    expect(cipher.decrypt(withEnd(2, 2), PLACE)).toHaveLength(30);
  });
});

it('only aesgcm authenticates the key under which a value is stored', () => {
  const elsewhere = utf8('/registry/secrets/default/other');
  for (const [name, cipher] of CIPHERS) {
    const stored = cipher.encrypt(utf8(PLAIN), PLACE);
    const moved = () => text(cipher.decrypt(stored, elsewhere));
    if (name === 'aesgcm') expect(moved).toThrow('cipher: message authentication failed');
    else expect(moved()).toBe(PLAIN);
  }
});
