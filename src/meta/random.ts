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
    // By hand: for so few bytes, views of the stock would cost more than all else.
    for (let i = 0; i < bytes.length; i++) {
      bytes[i] = stock[used] ?? 0;
      stock[used++] = 0;
    }
    return bytes;
  },
};

/** The codes of the hex digits of all bytes: the first of each, and the second. */
const FIRST = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0').charCodeAt(0));
const SECOND = Uint8Array.from({ length: 256 }, (_, byte) => (byte % 16).toString(16).charCodeAt(0));
/** Where the digits of each byte are in a UUID. */
const PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
/** In reuse, with the dashes in place. */
const codes: number[] = Array.from('00000000-0000-0000-0000-000000000000', (digit) => digit.charCodeAt(0));

/** A random (version 4) UUID. Every request has one: its text is made in one piece, which costs a third of putting it together. */
export function randomUuid(random: Random): string {
  const b = random.fill(new Uint8Array(16));
  b[6] = ((b[6] ?? 0) & 0x0f) | 0x40;
  b[8] = ((b[8] ?? 0) & 0x3f) | 0x80;
  for (let i = 0; i < 16; i++) {
    const byte = b[i] ?? 0;
    const at = PLACES[i] ?? 0;
    codes[at] = FIRST[byte] ?? 0;
    codes[at + 1] = SECOND[byte] ?? 0;
  }
  return String.fromCharCode.apply(null, codes);
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
