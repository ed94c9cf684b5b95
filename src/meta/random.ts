/** Chance, injected: uids, name suffixes, jitter. Keys come from WebCrypto unless given. */
export interface Random {
  /** Fills and returns the array with random bytes. */
  fill(bytes: Uint8Array): Uint8Array;
}

/** The runtime's cryptographic source. */
export const systemRandom: Random = {
  fill: (bytes) => crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>),
};

/** A random (version 4) UUID. */
export function randomUuid(random: Random): string {
  const b = random.fill(new Uint8Array(16));
  b[6] = ((b[6] ?? 0) & 0x0f) | 0x40;
  b[8] = ((b[8] ?? 0) & 0x3f) | 0x80;
  let hex = '';
  for (const byte of b) hex += (byte + 256).toString(16).slice(1);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

// 27 characters without vowels and look-alikes, so that no word appears (gap file 2.2.5).
const SUFFIX_ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/** The random end of a generated name; `length` characters. */
export function randomSuffix(random: Random, length = 5): string {
  let out = '';
  while (out.length < length) {
    for (const byte of random.fill(new Uint8Array(length * 2))) {
      // 243 = 9 * 27: larger bytes would favour the first letters.
      if (byte < 243 && out.length < length) out += SUFFIX_ALPHABET[byte % 27];
    }
  }
  return out;
}
