/**
 * Returns a string without the white space at both ends that upstream's `strings.TrimSpace` removes. Unlike `String.prototype.trim`, it
 * removes U+0085 (next line) and keeps U+FEFF (byte order mark).
 */
export function trimSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (start < end && isSpace(text.charCodeAt(end - 1))) end--;
  return start === 0 && end === text.length ? text : text.slice(start, end);
}

/** Returns whether a UTF-16 code unit has the Unicode property White_Space. All such characters are in the basic plane. */
function isSpace(unit: number): boolean {
  if (unit <= 0x20) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);
  if (unit < 0x2000) return unit === 0x85 || unit === 0xa0 || unit === 0x1680;
  return unit <= 0x200a || unit === 0x2028 || unit === 0x2029 || unit === 0x202f || unit === 0x205f || unit === 0x3000;
}
