const MULTIPLIER = 0x01000193;
const SEED = 0x811c9dc5;

/**
 * Returns a checksum of 32 bits of a database key and the text of its record. The text may be given in two parts, because joining them
 * would copy the second one. The checksum detects damage, not malice. LevelDB has checksums of its own, but compares them only when it
 * recovers its log, not when it reads. A slower checksum would delay the start of a large store.
 */
export function checksum(key: string, text: string, start: number, rest = ''): number {
  let sum = SEED;
  for (let i = 0; i < key.length; i++) sum = Math.imul(sum ^ key.charCodeAt(i), MULTIPLIER);
  for (let i = start; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), MULTIPLIER);
  for (let i = 0; i < rest.length; i++) sum = Math.imul(sum ^ rest.charCodeAt(i), MULTIPLIER);
  sum ^= text.length - start + rest.length;
  sum = Math.imul(sum ^ (sum >>> 16), 0x85ebca6b);
  return (sum ^ (sum >>> 13)) >>> 0;
}
