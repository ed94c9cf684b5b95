/** Returns the code point of a character in the notation of Unicode, such as `U+001B`. Default for an empty string: `U+0000`. */
export function formatCodePoint(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
