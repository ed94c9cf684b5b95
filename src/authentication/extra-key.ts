/**
 * The key of an extra fact, as the end of a header's name says it: lower case, then percent-decoded; what cannot be decoded
 * stays as it is (gap file auth, 5.5.1 and 5.7).
 */
export function extraKey(text: string): string {
  const lower = text.toLowerCase();
  try {
    return decodeURIComponent(lower);
  } catch {
    return lower;
  }
}
