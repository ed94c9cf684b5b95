import { nativeCrypto } from '../signatures/system-signatures.js';

/**
 * The injected source of randomness for uids, name suffixes and jitter. Cryptographic keys do not come from it: the runtime generates them,
 * unless the embedder provides them.
 */
export interface Random {
  /** Fills and returns the array with random bytes. */
  fill(bytes: Uint8Array): Uint8Array;
  /**
   * Returns an independent source that continues the same sequence of bytes. A fork of a server (`ApiServer.fork`) uses it. If the method
   * is absent, the fork shares the source with the server.
   */
  fork?(): Random;
}

// Every call of the system's source costs microseconds, whatever the size, so small requests are served from a buffer of random bytes.
const STOCK_BYTES = 4096;
const LARGEST_FROM_STOCK = 64;
const stock = new Uint8Array(STOCK_BYTES);
let used = STOCK_BYTES;

/** Fills an array by the runtime. Node loads its WebCrypto on first use, which takes a millisecond more than its own function. */
function fillBySystem(bytes: Uint8Array): Uint8Array {
  return nativeCrypto()?.randomFillSync(bytes) ?? crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>);
}

/** The runtime's cryptographic source. No byte is returned twice. */
export const systemRandom: Random = {
  fill(bytes) {
    if (bytes.length > LARGEST_FROM_STOCK) return fillBySystem(bytes);
    if (used + bytes.length > STOCK_BYTES) {
      fillBySystem(stock);
      used = 0;
    }
    // The bytes are copied in a loop, because for so few bytes creating views of the buffer would cost more than copying.
    for (let i = 0; i < bytes.length; i++) {
      bytes[i] = stock[used] ?? 0;
      stock[used++] = 0;
    }
    return bytes;
  },
};

/** The character codes of the first and the second hex digit of each byte. */
const FIRST = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0').charCodeAt(0));
const SECOND = Uint8Array.from({ length: 256 }, (_, byte) => (byte % 16).toString(16).charCodeAt(0));
/** The position of each byte's digits in a UUID. */
const PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
/** The character codes of a UUID with its dashes, reused for each UUID. */
const codes: number[] = Array.from('00000000-0000-0000-0000-000000000000', (digit) => digit.charCodeAt(0));

/** UUIDs of the system's source that are not used yet. */
const uuids: string[] = [];
const UUIDS = 16;

/** Returns a random (version 4) UUID. */
export function randomUuid(random: Random): string {
  if (random !== systemRandom) return createUuid(random);
  // Every request needs a UUID. Creating several in a row takes a third of the time, because the code and its tables are then in the
  // processor's caches.
  if (uuids.length === 0) for (let i = 0; i < UUIDS; i++) uuids.push(createUuid(random));
  return uuids.pop() ?? createUuid(random);
}

function createUuid(random: Random): string {
  const b = random.fill(new Uint8Array(16));
  b[6] = ((b[6] ?? 0) & 0x0f) | 0x40;
  b[8] = ((b[8] ?? 0) & 0x3f) | 0x80;
  for (let i = 0; i < 16; i++) {
    const byte = b[i] ?? 0;
    const at = PLACES[i] ?? 0;
    codes[at] = FIRST[byte] ?? 0;
    codes[at + 1] = SECOND[byte] ?? 0;
  }
  // One call creates the string in a third of the time of a concatenation.
  return String.fromCharCode.apply(null, codes);
}

const WORD = 0x1_0000_0000;

/** Returns a whole number that is at least 0 and less than `bound`. All numbers are equally likely. `bound` is at most 2^32. */
export function randomBelow(random: Random, bound: number): number {
  // Random 32-bit numbers from the last multiple of `bound` on are skipped, because they would make the first numbers more likely.
  const end = WORD - (WORD % bound);
  for (;;) {
    const [a = 0, b = 0, c = 0, d = 0] = random.fill(new Uint8Array(4));
    const word = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
    if (word < end) return word % bound;
  }
}

// The alphabet has 27 characters, without vowels and without characters that look alike, so that suffixes form no words (spec 3.5).
const SUFFIX_ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

const SUFFIX_LENGTH = 5;

/** Returns the random suffix of a generated name. */
export function randomSuffix(random: Random): string {
  let out = '';
  while (out.length < SUFFIX_LENGTH) {
    for (const byte of random.fill(new Uint8Array(SUFFIX_LENGTH * 2))) {
      // Bytes from 243 (9 * 27) on are skipped, because they would make the first characters of the alphabet more likely.
      if (byte < 243 && out.length < SUFFIX_LENGTH) out += SUFFIX_ALPHABET[byte % 27];
    }
  }
  return out;
}
