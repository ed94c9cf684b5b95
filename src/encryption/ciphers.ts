import { systemRandom } from '../meta/random.js';
import { joinBytes } from '../values/join-bytes.js';

/** Encrypts values with one key. */
export interface Cipher {
  /** @param place the storage key of the value; AES-GCM authenticates it with the value */
  encrypt(value: Uint8Array, place: Uint8Array): Uint8Array;
  /** @throws Error with upstream's message if the value was encrypted with another key, or by AES-GCM for another storage key */
  decrypt(stored: Uint8Array, place: Uint8Array): Uint8Array;
}

/** The AES functions that a runtime offers. `openGcm` returns undefined for bytes that fail authentication. */
export interface Algorithms {
  sealGcm(key: Uint8Array, nonce: Uint8Array, value: Uint8Array, authenticated: Uint8Array): Uint8Array;
  openGcm(key: Uint8Array, nonce: Uint8Array, sealed: Uint8Array, authenticated: Uint8Array): Uint8Array | undefined;
  /** Encrypts whole blocks without padding; `decryptCbc` does the reverse. */
  encryptCbc(key: Uint8Array, iv: Uint8Array, blocks: Uint8Array): Uint8Array;
  decryptCbc(key: Uint8Array, iv: Uint8Array, blocks: Uint8Array): Uint8Array;
}

/** XSalsa20-Poly1305 of NaCl. */
export interface SecretboxAlgorithm {
  seal(key: Uint8Array, nonce: Uint8Array, value: Uint8Array): Uint8Array;
  open(key: Uint8Array, nonce: Uint8Array, sealed: Uint8Array): Uint8Array | undefined;
}

const GCM_NONCE = 12;
const SECRETBOX_NONCE = 24;
const TAG = 16;
const BLOCK = 16;
const TOO_SHORT = 'the stored data was shorter than the required size';

/**
 * Returns a cipher with AES-GCM. A stored value is a random nonce, the encrypted bytes, and a tag. The tag also authenticates the storage
 * key.
 */
export function gcmCipher({ sealGcm, openGcm }: Algorithms, key: Uint8Array): Cipher {
  return {
    encrypt(value, place) {
      const nonce = randomBytes(GCM_NONCE);
      return joinBytes([nonce, sealGcm(key, nonce, value, place)]);
    },
    decrypt(stored, place) {
      if (stored.length < GCM_NONCE) throw new Error(TOO_SHORT);
      const sealed = stored.subarray(GCM_NONCE);
      const value = sealed.length < TAG ? undefined : openGcm(key, stored.subarray(0, GCM_NONCE), sealed, place);
      if (value === undefined) throw new Error('cipher: message authentication failed');
      return value;
    },
  };
}

/**
 * Returns a cipher with AES-CBC and PKCS 7 padding. A stored value is a random initialization vector and the encrypted blocks; changed
 * bytes are not detected.
 */
export function cbcCipher({ encryptCbc, decryptCbc }: Algorithms, key: Uint8Array): Cipher {
  return {
    encrypt(value) {
      const iv = randomBytes(BLOCK);
      const padding = BLOCK - (value.length % BLOCK);
      const padded = joinBytes([value, new Uint8Array(padding).fill(padding)]);
      return joinBytes([iv, encryptCbc(key, iv, padded)]);
    },
    decrypt(stored) {
      if (stored.length < BLOCK) throw new Error(TOO_SHORT);
      const blocks = stored.subarray(BLOCK);
      if (blocks.length % BLOCK !== 0) throw new Error('the stored data is not a multiple of the block size');
      const padded = decryptCbc(key, stored.subarray(0, BLOCK), blocks);
      const padding = padded.at(-1) ?? 0;
      // As in upstream, the padding may be longer than one block, so only the length of the data limits it.
      if (padding === 0 || padding > padded.length) throw new Error('invalid PKCS7 data (empty or not padded)');
      const end = padded.length - padding;
      if (padded.subarray(end).some((byte) => byte !== padding)) throw new Error('invalid padding on input');
      return padded.subarray(0, end);
    },
  };
}

/**
 * Returns a cipher with NaCl's secretbox. A stored value is a random nonce, a tag, and the encrypted bytes; the storage key is not
 * authenticated.
 */
export function secretboxCipher({ seal, open }: SecretboxAlgorithm, key: Uint8Array): Cipher {
  return {
    encrypt(value) {
      const nonce = randomBytes(SECRETBOX_NONCE);
      return joinBytes([nonce, seal(key, nonce, value)]);
    },
    decrypt(stored) {
      if (stored.length < SECRETBOX_NONCE + TAG) throw new Error(TOO_SHORT);
      const value = open(key, stored.subarray(0, SECRETBOX_NONCE), stored.subarray(SECRETBOX_NONCE));
      // This is upstream's message for a wrong tag.
      if (value === undefined) throw new Error('output array was not large enough for encryption');
      return value;
    },
  };
}

/**
 * Returns random bytes from the runtime's cryptographic source, even if the server has another source of random values, because a repeated
 * nonce would break the encryption.
 */
function randomBytes(length: number): Uint8Array {
  return systemRandom.fill(new Uint8Array(length));
}
