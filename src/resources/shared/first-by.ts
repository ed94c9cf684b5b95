/** Returns the items by name; the first item of a name is used. */
export function firstBy<T>(items: readonly T[], nameOf: (item: T) => string): ReadonlyMap<string, T> {
  const found = new Map<string, T>();
  for (const item of items) {
    const name = nameOf(item);
    if (!found.has(name)) found.set(name, item);
  }
  return found;
}
