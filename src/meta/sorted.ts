/** Puts texts in order of their code units, in place; those in order already, as most are, cost only a look. */
export function sortTexts(texts: string[]): string[] {
  for (let i = 1; i < texts.length; i++) if ((texts[i] ?? '') < (texts[i - 1] ?? '')) return texts.sort();
  return texts;
}
