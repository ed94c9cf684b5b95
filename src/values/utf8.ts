/** How many bytes a text takes in UTF-8: limits of the API count bytes, not characters. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    else if (unit >= 0xd800 && unit < 0xdc00 && isLowSurrogate(text.charCodeAt(i + 1))) {
      // A pair is four bytes: two units, two more.
      bytes += 2;
      i++;
    } else bytes += 2;
  }
  return bytes;
}

/** Whether a text takes more than `limit` bytes; cheap where its length alone decides. */
export function isLongerThan(text: string, limit: number): boolean {
  if (text.length > limit) return true;
  return text.length * 3 > limit && utf8Length(text) > limit;
}

/** The same for texts together. */
export function areLongerThan(texts: readonly string[], limit: number): boolean {
  let units = 0;
  for (const { length } of texts) units += length;
  if (units > limit) return true;
  return units * 3 > limit && texts.reduce((bytes, text) => bytes + utf8Length(text), 0) > limit;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
