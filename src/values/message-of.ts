/** What was thrown as text: an error's message, and anything else as it prints. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
