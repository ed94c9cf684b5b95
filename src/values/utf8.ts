const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns the length of a string in UTF-8 bytes, because limits of the API count bytes, not characters. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    else if (unit >= 0xd800 && unit < 0xdc00 && isLowSurrogate(text.charCodeAt(i + 1))) {
      // A surrogate pair takes four bytes. Its two units are already counted, so two bytes are added.
      bytes += 2;
      i++;
    } else bytes += 2;
  }
  return bytes;
}

/** Returns whether a string takes more than `limit` bytes. Bytes are counted only if the number of UTF-16 units does not decide. */
export function isLongerThan(text: string, limit: number): boolean {
  if (text.length > limit) return true;
  return text.length * 3 > limit && utf8Length(text) > limit;
}

/** Returns whether strings together take more than `limit` bytes. */
export function areLongerThan(texts: readonly string[], limit: number): boolean {
  let units = 0;
  for (const { length } of texts) units += length;
  if (units > limit) return true;
  return units * 3 > limit && texts.reduce((bytes, text) => bytes + utf8Length(text), 0) > limit;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}

/**
 * Decodes bytes as UTF-8. Every invalid byte becomes its own U+FFFD, as in Go, whereas TextDecoder would merge some of them. A byte order
 * mark is kept.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return decodeLossy(bytes);
  }
}

export function isUtf8(bytes: Uint8Array): boolean {
  try {
    strictDecoder.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function decodeLossy(bytes: Uint8Array): string {
  const parts: string[] = [];
  let valid = 0;
  let i = 0;
  while (i < bytes.length) {
    const width = sequenceLength(bytes, i);
    if (width === 0) {
      if (i > valid) parts.push(strictDecoder.decode(bytes.subarray(valid, i)));
      parts.push('\ufffd');
      i++;
      valid = i;
    } else i += width;
  }
  if (i > valid) parts.push(strictDecoder.decode(bytes.subarray(valid)));
  return parts.join('');
}

/** Returns the length of the valid UTF-8 sequence that begins at `i`; 0 when the bytes there are invalid. */
function sequenceLength(bytes: Uint8Array, i: number): number {
  const first = bytes[i] ?? 0;
  if (first < 0x80) return 1;
  const second = bytes[i + 1] ?? 0;
  if (first >= 0xc2 && first <= 0xdf) return isContinuation(second) ? 2 : 0;
  const third = bytes[i + 2] ?? 0;
  if (first >= 0xe0 && first <= 0xef) {
    const low = first === 0xe0 ? 0xa0 : 0x80;
    const high = first === 0xed ? 0x9f : 0xbf;
    return second >= low && second <= high && isContinuation(third) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const low = first === 0xf0 ? 0x90 : 0x80;
    const high = first === 0xf4 ? 0x8f : 0xbf;
    return second >= low && second <= high && isContinuation(third) && isContinuation(bytes[i + 3] ?? 0) ? 4 : 0;
  }
  return 0;
}

const isContinuation = (byte: number) => (byte & 0xc0) === 0x80;
