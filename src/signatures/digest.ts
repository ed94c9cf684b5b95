import { systemSignatures } from './system-signatures.js';

/** The SHA-256 of some bytes. */
export async function sha256(bytes: Uint8Array): Promise<Uint8Array> {
  return await systemSignatures.digest('SHA-256', bytes);
}

/** The SHA-512 of some bytes, in upper-case hexadecimal: tags and hashes of documents. */
export async function sha512(bytes: Uint8Array): Promise<string> {
  let hex = '';
  for (const byte of await systemSignatures.digest('SHA-512', bytes)) hex += (byte + 256).toString(16).slice(1);
  return hex.toUpperCase();
}
