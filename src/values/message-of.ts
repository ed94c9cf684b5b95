/** Returns a thrown value as a string: an error's message, or the string form of any other value. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
