/**
 * Returns the key of an extra field from the end of a header name: lower-cased, then percent-decoded. A key that cannot be decoded is
 * returned in lower case (spec 11.12, 11.21).
 */
export function extraKey(text: string): string {
  const lower = text.toLowerCase();
  try {
    return decodeURIComponent(lower);
  } catch {
    return lower;
  }
}
