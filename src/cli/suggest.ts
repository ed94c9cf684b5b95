/**
 * The name that was probably meant: the nearest one, at most a third of its letters away, or the only one that begins with the
 * given one or has it in it.
 */
export function suggest(given: string, names: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Math.max(1, Math.floor(Math.min(given.length, 64) / 3)) + 1;
  for (const name of names) {
    // A difference in length is a distance already.
    if (Math.abs(name.length - given.length) >= least || name.length < 2) continue;
    const steps = distance(given, name);
    if (steps < least) [best, least] = [name, steps];
  }
  if (best !== undefined || given.length < 4) return best;
  for (const has of [(name: string) => name.startsWith(given), (name: string) => name.includes(given)]) {
    const [first, ...others] = names.filter(has);
    if (first !== undefined && others.length === 0) return first;
  }
  return undefined;
}

/** How many letters must be put in, left out or replaced to make one word of the other. */
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
