/**
 * The key of an extra fact, as the end of a header's name says it: lower case, then percent-decoded; what cannot be decoded
 * stays as it is (spec 11.12, 11.21).
 */
export function extraKey(text: string): string {
  const lower = text.toLowerCase();
  try {
    return decodeURIComponent(lower);
  } catch {
    return lower;
  }
}
