import { constants, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { generateSystemKey, systemSignatures } from '../../src/signatures/system-signatures.js';
import { implementations } from '../meta/implementations.js';
import { propertyRuns } from '../support/property-runs.js';
import { data, ecdsa, pairs, pkcs8, schemes, spki, verdicts } from './schemes.js';

it('signs synchronously in Node', () => {
  const signature = sign('sha256', data, { key: pairs['P-256'].privateKey, dsaEncoding: 'ieee-p1363' });
  expect(systemSignatures.verify(ecdsa('P-256', 'SHA-256'), spki(pairs['P-256']), signature, data)).toBe(true);
});

it('writes a new key as OpenSSL does, with a signer of that key', async () => {
  // Leading zeros of a number are the case to get wrong; one key in 85 has one.
  for (let i = 0; i < propertyRuns(200); i++) {
    const key = await generateSystemKey();
    const read = createPrivateKey({ key: Buffer.from(key.pkcs8), format: 'der', type: 'pkcs8' });
    const pair = { privateKey: read, publicKey: createPublicKey(read) };
    expect(key.pkcs8).toEqual(pkcs8(pair));
    expect(key.spki).toEqual(spki(pair));
    const signature = (await key.signer?.sign(data)) ?? new Uint8Array();
    expect(systemSignatures.verify(ecdsa('P-256', 'SHA-256'), key.spki, signature, data)).toBe(true);
  }
});

it.each(implementations)('$name digests', async ({ signatures }) => {
  const hex = Buffer.from(await signatures.digest('SHA-256', new Uint8Array())).toString('hex');
  expect(hex).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
});

describe.each(schemes)('%s', (_, pair, scheme) => {
  it('is signed and verified by each implementation for the other', async () => {
    for (const { signatures } of implementations) {
      const signature = await (await signatures.signer(scheme, pkcs8(pair))).sign(data);
      expect(await verdicts(scheme, spki(pair), signature, data)).toBe(true);
      expect(await verdicts(scheme, spki(pair), signature, data.subarray(1))).toBe(false);
    }
  });
  it('is not possible with other types of keys', async () => {
    for (const other of Object.values(pairs)) {
      const mayBe = scheme.name.startsWith('RSA') ? 'rsa' : scheme.name === 'Ed25519' ? 'ed25519' : 'none';
      if (other === pair || other.publicKey.asymmetricKeyType === mayBe) continue;
      expect(await verdicts(scheme, spki(other), new Uint8Array(64), data)).toBe(`not a key for ${scheme.name}`);
      for (const { signatures } of implementations)
        await expect((async () => signatures.signer(scheme, pkcs8(other)))()).rejects.toThrow(TypeError);
    }
  });
});

describe('differences between implementations', () => {
  const P256 = ecdsa('P-256', 'SHA-256');
  const good = spki(pairs['P-256']);
  const signature = sign('sha256', data, { key: pairs['P-256'].privateKey, dsaEncoding: 'ieee-p1363' });
  it('ECDSA signatures have a fixed length, never DER', async () => {
    const der = sign('sha256', data, pairs['P-256'].privateKey);
    expect(await verdicts(P256, good, der, data)).toBe(false);
    expect(await verdicts(P256, good, signature, data)).toBe(true);
  });
  it('a key that was read for one scheme is checked again for another', async () => {
    expect(await verdicts(P256, good, signature, data)).toBe(true);
    for (const other of [ecdsa('P-384', 'SHA-384'), { name: 'RSA', hash: 'SHA-256' }, { name: 'Ed25519' }] as const)
      expect(await verdicts(other, good, signature, data)).toBe(`not a key for ${other.name}`);
    expect(await verdicts(P256, good, signature, data)).toBe(true);
    const rsa = spki(pairs.rsa2048);
    expect(await verdicts({ name: 'RSA', hash: 'SHA-256' }, rsa, signature, data)).toBe(false);
    expect(await verdicts(P256, rsa, signature, data)).toBe('not a key for ECDSA');
  });
  it.each([0, 20, 31, 33, 222])('a PSS salt of %i bytes is not one as long as the hash', async (saltLength) => {
    const padding = constants.RSA_PKCS1_PSS_PADDING;
    const made = sign('sha256', data, { key: pairs.rsa2048.privateKey, padding, saltLength });
    expect(await verdicts({ name: 'RSA-PSS', hash: 'SHA-256' }, spki(pairs.rsa2048), made, data)).toBe(false);
  });
  it('an RSA key too short for the salt verifies nothing', async () => {
    const scheme = { name: 'RSA-PSS', hash: 'SHA-512' } as const;
    expect(await verdicts(scheme, spki(pairs.rsa1024), new Uint8Array(128), data)).toBe(false);
  });
  it('a key made for PSS only is not an RSA key', async () => {
    const pss = generateKeyPairSync('rsa-pss', { modulusLength: 2048 });
    for (const name of ['RSA', 'RSA-PSS'] as const)
      expect(await verdicts({ name, hash: 'SHA-256' }, spki(pss), new Uint8Array(256), data)).toBe(
        `not a key for ${name}`,
      );
  });
  it.each<[string, (head: Uint8Array, point: Uint8Array) => Uint8Array]>([
    ['compressed', (head, point) => pointOf(head, [2 + ((point[64] ?? 0) & 1), ...point.subarray(1, 33)])],
    ['hybrid', (head, point) => pointOf(head, [6 + ((point[64] ?? 0) & 1), ...point.subarray(1)])],
    ['at infinity', (head) => pointOf(head, [0])],
    ['not on the curve', (head) => pointOf(head, [4, ...new Uint8Array(64).fill(1)])],
    ['zero', (head) => pointOf(head, [4, ...new Uint8Array(64)])],
    ['empty', (head) => pointOf(head, [])],
    ['followed by another byte', () => new Uint8Array([...good, 0])],
    ['cut off', () => good.subarray(0, -1)],
  ])('a point that is %s is not a key', async (_, change) => {
    const [head, point] = [good.subarray(2, 23), good.subarray(26)];
    expect(await verdicts(P256, change(head, point), signature, data)).toBe('not a key for ECDSA');
  });
  it('a private key with the public key of another is refused', async () => {
    const mixed = pkcs8(pairs['P-256']);
    const other = spki({ ...pairs['P-256'], publicKey: generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey });
    mixed.set(other.subarray(-65), mixed.length - 65);
    for (const { signatures } of implementations)
      await expect((async () => signatures.signer(P256, mixed))()).rejects.toThrow(TypeError);
  });
  it.each([[[]], [[0x30, 0]], [[0x30, 0x80, 0, 0]]])('bytes that are not a key are refused: %j', async (bytes) => {
    for (const [, , scheme] of schemes)
      expect(await verdicts(scheme, new Uint8Array(bytes), signature, data)).toBe(`not a key for ${scheme.name}`);
  });
});

/** A SubjectPublicKeyInfo of an algorithm with other bytes for its point. */
function pointOf(algorithm: Uint8Array, point: readonly number[]): Uint8Array {
  const bits = [3, point.length + 1, 0, ...point];
  return new Uint8Array([0x30, algorithm.length + bits.length, ...algorithm, ...bits]);
}
