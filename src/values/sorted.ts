/** Up to so many, the engine's own sorting costs more than it saves. */
const FEW = 16;

/** Puts texts in order of their code units, in place. */
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
