/**
 * Refuses unknown members of an options bag, because a misspelled option would silently have no effect.
 * @param what the name of the class or function that the options belong to, for messages: `ApiServer`, `memory()`
 * @throws TypeError for an unknown member (the message names a similar known one if there is any), and for a value that is not an object.
 */
export function refuseUnknownMembers(what: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new TypeError(`${what}: the options must be an object`);
  for (const name of Object.keys(options))
    if (!known.includes(name)) throw new TypeError(`${what}: there is no option ${name}${didYouMean(name, known)}`);
}

/** Longer words are not compared, because all known words are short. */
const LONGEST = 64;

/** Returns the most similar word; undefined when no word is similar. */
function nearestWord(word: string, words: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.max(1, Math.floor(word.length / 3)) + 1;
  if (word.length > LONGEST) return undefined;
  for (const candidate of words) {
    if (Math.abs(candidate.length - word.length) >= least) continue;
    const away = distance(word.toLowerCase(), candidate.toLowerCase());
    if (away < least) [best, least] = [candidate, away];
  }
  return best;
}

/** Returns `; did you mean "x"?` for the end of a message about a misspelled word; '' when no word is similar. */
export function didYouMean(word: string, words: Iterable<string>): string {
  const nearest = nearestWord(word, words);
  return nearest === undefined ? '' : `; did you mean "${nearest}"?`;
}

/** Returns the edit distance of two words: insertions, deletions, replacements, and swaps of adjacent letters. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        (above[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (above[j - 1] ?? 0) + same,
        swapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, above] = [above, row];
  }
  return above[b.length] ?? 0;
}
