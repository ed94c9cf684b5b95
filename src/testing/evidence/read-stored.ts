/** Returns the object of a stored entry; undefined if it cannot be read. */
export function readStored<T extends object>(entry: { readonly value: T } | undefined): T | undefined {
  try {
    return entry?.value;
  } catch {
    return undefined;
  }
}
