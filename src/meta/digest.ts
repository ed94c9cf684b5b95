/** The SHA-256 of some bytes. */
export async function sha256(bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)); // never shared memory here
}

/** The SHA-512 of some bytes, in upper-case hexadecimal: tags and hashes of documents. */
export async function sha512(bytes: Uint8Array): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-512', bytes as Uint8Array<ArrayBuffer>)); // never shared memory here
  let hex = '';
  for (const byte of digest) hex += (byte + 256).toString(16).slice(1);
  return hex.toUpperCase();
}
