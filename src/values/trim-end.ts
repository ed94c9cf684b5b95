/**
 * Returns a string without trailing repetitions of a character. A regular expression would rescan every run of the character, so a loop is
 * used.
 */
export function trimEnd(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}
