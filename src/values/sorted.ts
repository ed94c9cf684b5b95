/** Up to this number of strings, insertion sort is faster than the engine's own sorting. */
const FEW = 16;

/** Sorts strings by their UTF-16 code units, in place. */
export function sortTexts(texts: string[]): string[] {
  if (texts.length > FEW) return texts.sort();
  for (let end = 1; end < texts.length; end++) {
    const text = texts[end] ?? '';
    let at = end;
    for (; at > 0 && (texts[at - 1] ?? '') > text; at--) texts[at] = texts[at - 1] ?? '';
    texts[at] = text;
  }
  return texts;
}
