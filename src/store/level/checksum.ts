const MULTIPLIER = 0x01000193;
const SEED = 0x811c9dc5;
/** The characters of the texts that are summed by their bytes. */
const MAX_BYTES = 16 * 1024;

const utf8 = new TextEncoder();
let bytes: Uint8Array | undefined;

/**
 * Returns a checksum of 32 bits of a database key and the text of its record. The text may be given in two parts, because joining them
 * would copy the second one. The checksum detects damage, not malice. LevelDB has checksums of its own, but compares them only when it
 * recovers its log, not when it reads. A slower checksum would delay the start of a large store.
 */
export function checksum(key: string, text: string, start: number, rest = ''): number {
  let sum = add(add(add(SEED, key, 0), text, start), rest, 0);
  sum ^= text.length - start + rest.length;
  sum = Math.imul(sum ^ (sum >>> 16), 0x85ebca6b);
  return (sum ^ (sum >>> 13)) >>> 0;
}

function add(before: number, text: string, start: number): number {
  const ascii = asciiOf(text);
  let sum = before;
  if (ascii !== undefined)
    for (let i = start; i < text.length; i++) sum = Math.imul(sum ^ (ascii[i] as number), MULTIPLIER); // each character is a byte
  else for (let i = start; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), MULTIPLIER);
  return sum;
}

/** Returns the bytes of a text that are its characters, too, which engines read twice as fast. The next call overwrites them. */
function asciiOf(text: string): Uint8Array | undefined {
  if (text.length > MAX_BYTES) return undefined;
  bytes ??= new Uint8Array(MAX_BYTES);
  const { read, written } = utf8.encodeInto(text, bytes);
  return read === text.length && written === text.length ? bytes : undefined;
}
