/** Chance, injected: uids, name suffixes, jitter. Keys come from WebCrypto unless given. */
export interface Random {
  /** Fills and returns the array with random bytes. */
  fill(bytes: Uint8Array): Uint8Array;
}

// Every question to the source costs microseconds, however little is asked for: small needs are served from a stock.
const STOCK_BYTES = 4096;
const LARGEST_FROM_STOCK = 64;
const stock = new Uint8Array(STOCK_BYTES);
let used = STOCK_BYTES;

/** The runtime's cryptographic source. No byte is given out twice. */
export const systemRandom: Random = {
  fill(bytes) {
    if (bytes.length > LARGEST_FROM_STOCK) return crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>);
    if (used + bytes.length > STOCK_BYTES) {
      crypto.getRandomValues(stock);
      used = 0;
    }
    const end = used + bytes.length;
    bytes.set(stock.subarray(used, end));
    stock.fill(0, used, end);
    used = end;
    return bytes;
  },
};

/** All bytes as two hex digits. */
const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** A random (version 4) UUID. */
export function randomUuid(random: Random): string {
  const b = random.fill(new Uint8Array(16));
  b[6] = ((b[6] ?? 0) & 0x0f) | 0x40;
  b[8] = ((b[8] ?? 0) & 0x3f) | 0x80;
  return `${hexOf(b, 0, 4)}-${hexOf(b, 4, 6)}-${hexOf(b, 6, 8)}-${hexOf(b, 8, 10)}-${hexOf(b, 10, 16)}`;
}

function hexOf(bytes: Uint8Array, from: number, to: number): string {
  let hex = '';
  for (let i = from; i < to; i++) hex += HEX[bytes[i] ?? 0];
  return hex;
}

const WORD = 0x1_0000_0000;

/** A whole number from 0 to below `bound`, which is at most 2^32; each as likely as the others. */
export function randomBelow(random: Random, bound: number): number {
  // What is left above a multiple would favour the first numbers.
  const end = WORD - (WORD % bound);
  for (;;) {
    const [a = 0, b = 0, c = 0, d = 0] = random.fill(new Uint8Array(4));
    const word = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
    if (word < end) return word % bound;
  }
}

// 27 characters without vowels and look-alikes, so that no word appears (spec 3.5).
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
