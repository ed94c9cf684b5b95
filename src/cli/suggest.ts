/**
 * Returns the name that was probably meant: the nearest one that differs in at most a third of its letters, or else the only one that
 * begins with the given text or contains it.
 */
export function suggest(word: string, names: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Math.max(1, Math.floor(Math.min(word.length, 64) / 3)) + 1;
  for (const name of names) {
    // The difference in length is a lower bound of the distance.
    if (Math.abs(name.length - word.length) >= least || name.length < 2) continue;
    const steps = distance(word, name);
    if (steps < least) [best, least] = [name, steps];
  }
  if (best !== undefined || word.length < 4) return best;
  for (const has of [(name: string) => name.startsWith(word), (name: string) => name.includes(word)]) {
    const [first, ...others] = names.filter(has);
    if (first !== undefined && others.length === 0) return first;
  }
  return undefined;
}

/** The edit distance: how many letters must be inserted, deleted or replaced to turn one word into the other. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, j) => j);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
