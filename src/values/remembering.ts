/** Longer texts are hardly ever met again. */
const MAX_LENGTH = 128;
const MAX_KNOWN = 4096;

/**
 * A function of texts that keeps its answers, as far as they are few and short: the same few names and numbers come with
 * every object. Answers are shared and must not be changed.
 */
export function remembering<T>(make: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const made = make(text);
    if (text.length > MAX_LENGTH) return made;
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(text, made);
    return made;
  };
}
