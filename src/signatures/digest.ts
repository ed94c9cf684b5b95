import { systemSignatures } from './system-signatures.js';

export async function sha256(bytes: Uint8Array): Promise<Uint8Array> {
  return await systemSignatures.digest('SHA-256', bytes);
}

/** Returns the SHA-512 of the bytes in upper-case hexadecimal. ETags and the hashes of documents have this form. */
export async function sha512(bytes: Uint8Array): Promise<string> {
  let hex = '';
  for (const byte of await systemSignatures.digest('SHA-512', bytes)) hex += (byte + 256).toString(16).slice(1);
  return hex.toUpperCase();
}
