import { nativeCrypto } from '../signatures/system-signatures.js';
import { joinBytes } from '../values/join-bytes.js';
import type { Algorithms, SecretboxAlgorithm } from './ciphers.js';

/**
 * The functions of `node:crypto` that are used here. Their types are declared here, because only the layers for Node may import the module.
 */
interface NativeAes {
  createCipheriv(
    name: string,
    key: Uint8Array,
    iv: Uint8Array,
    options?: { readonly authTagLength: number },
  ): NativeCipher;
  createDecipheriv(
    name: string,
    key: Uint8Array,
    iv: Uint8Array,
    options?: { readonly authTagLength: number },
  ): NativeCipher & { setAuthTag(tag: Uint8Array): unknown };
}
interface NativeCipher {
  setAAD(data: Uint8Array): unknown;
  setAutoPadding(isOn: boolean): unknown;
  update(data: Uint8Array): Uint8Array;
  final(): Uint8Array;
  getAuthTag(): Uint8Array;
}

/** The functions of `@noble/ciphers` that are used here. The package is optional, so its types may be absent. */
interface NobleCipher {
  encrypt(value: Uint8Array): Uint8Array;
  decrypt(sealed: Uint8Array): Uint8Array;
}
interface NobleAes {
  gcm(key: Uint8Array, nonce: Uint8Array, authenticated: Uint8Array): NobleCipher;
  cbc(key: Uint8Array, iv: Uint8Array, options: { readonly disablePadding: boolean }): NobleCipher;
}
interface NobleSalsa {
  xsalsa20poly1305(key: Uint8Array, nonce: Uint8Array): NobleCipher;
}

const TAG = 16;

/**
 * Returns the AES functions of Node, which are synchronous, or in other runtimes those of `@noble/ciphers`. @throws Error when the package
 * is needed and not installed
 */
export async function loadAes(): Promise<Algorithms> {
  // The declared type of `nativeCrypto` lacks the cipher functions that are used here. Node has them, so the cast is safe.
  const native = nativeCrypto() as unknown as NativeAes | undefined;
  return native ? nativeAes(native) : nobleAes(await loadNoble<NobleAes>('aes.js'));
}

/** Returns XSalsa20-Poly1305, which Node does not have. @throws Error when the package `@noble/ciphers` is not installed */
export async function loadSecretbox(): Promise<SecretboxAlgorithm> {
  const { xsalsa20poly1305 } = await loadNoble<NobleSalsa>('salsa.js');
  return {
    seal: (key, nonce, value) => xsalsa20poly1305(key, nonce).encrypt(value),
    open: (key, nonce, sealed) => undefinedOnThrow(() => xsalsa20poly1305(key, nonce).decrypt(sealed)),
  };
}

function nativeAes(native: NativeAes): Algorithms {
  const cipherName = (key: Uint8Array, mode: string) => `aes-${8 * key.length}-${mode}`;
  const gcmOptions = { authTagLength: TAG };
  return {
    sealGcm(key, nonce, value, authenticated) {
      const cipher = native.createCipheriv(cipherName(key, 'gcm'), key, nonce, gcmOptions);
      cipher.setAAD(authenticated);
      return joinBytes([cipher.update(value), cipher.final(), cipher.getAuthTag()]);
    },
    openGcm(key, nonce, sealed, authenticated) {
      const cipher = native.createDecipheriv(cipherName(key, 'gcm'), key, nonce, gcmOptions);
      cipher.setAAD(authenticated);
      cipher.setAuthTag(sealed.subarray(sealed.length - TAG));
      const value = cipher.update(sealed.subarray(0, sealed.length - TAG));
      return undefinedOnThrow(() => joinBytes([value, cipher.final()]));
    },
    encryptCbc(key, iv, blocks) {
      const cipher = native.createCipheriv(cipherName(key, 'cbc'), key, iv);
      cipher.setAutoPadding(false);
      return joinBytes([cipher.update(blocks), cipher.final()]);
    },
    decryptCbc(key, iv, blocks) {
      const cipher = native.createDecipheriv(cipherName(key, 'cbc'), key, iv);
      cipher.setAutoPadding(false);
      return joinBytes([cipher.update(blocks), cipher.final()]);
    },
  };
}

export function nobleAes({ gcm, cbc }: NobleAes): Algorithms {
  const unpadded = { disablePadding: true };
  return {
    sealGcm: (key, nonce, value, authenticated) => gcm(key, nonce, authenticated).encrypt(value),
    openGcm: (key, nonce, sealed, authenticated) =>
      undefinedOnThrow(() => gcm(key, nonce, authenticated).decrypt(sealed)),
    encryptCbc: (key, iv, blocks) => cbc(key, iv, unpadded).encrypt(blocks),
    decryptCbc: (key, iv, blocks) => (blocks.length === 0 ? blocks : cbc(key, iv, unpadded).decrypt(blocks)),
  };
}

/** Returns the result of `open`, or undefined if it throws. Node and `@noble/ciphers` throw when the authentication tag is wrong. */
function undefinedOnThrow(open: () => Uint8Array): Uint8Array | undefined {
  try {
    return open();
  } catch {
    return undefined;
  }
}

/** The name of the optional package. It is joined at run time, so that bundlers do not look for the package. */
const PACKAGE = ['@noble', 'ciphers'].join('/');

async function loadNoble<M>(file: string): Promise<M> {
  try {
    return (await import(/* @vite-ignore */ `${PACKAGE}/${file}`)) as M;
  } catch (error) {
    throw new Error('this encryption requires the package @noble/ciphers: npm install @noble/ciphers', {
      cause: error,
    });
  }
}
