const MULTIPLIER = 0x01000193;
const SEED = 0x811c9dc5;

/**
 * Returns a checksum of 32 bits of a text and bytes. It detects damage, not malice. LevelDB has checksums of its own, but compares them only
 * when it recovers its log, not when it reads; and reading a large store at the start must not wait for a slower checksum.
 */
export function checksum(text: string, bytes: Uint8Array): number {
  let sum = SEED;
  for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), MULTIPLIER);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const words = bytes.length & ~3;
  let at = 0;
  for (; at < words; at += 4) {
    sum = Math.imul(sum ^ view.getUint32(at, true), MULTIPLIER);
    // Multiplication carries upwards only, so high bits would never reach the low ones.
    sum ^= sum >>> 15;
  }
  for (; at < bytes.length; at++) sum = Math.imul(sum ^ view.getUint8(at), MULTIPLIER);
  sum ^= bytes.length;
  sum = Math.imul(sum ^ (sum >>> 16), 0x85ebca6b);
  return (sum ^ (sum >>> 13)) >>> 0;
}
