/** The items by what names them; of those with one name the first. */
export function firstBy<T>(items: readonly T[], nameOf: (item: T) => string): ReadonlyMap<string, T> {
  const found = new Map<string, T>();
  for (const item of items) {
    const name = nameOf(item);
    if (!found.has(name)) found.set(name, item);
  }
  return found;
}
