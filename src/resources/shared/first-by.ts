/** Returns the items as a map by name. If several items have the same name, the map contains the first one. */
export function firstBy<T>(items: readonly T[], nameOf: (item: T) => string): ReadonlyMap<string, T> {
  const byName = new Map<string, T>();
  for (const item of items) {
    const name = nameOf(item);
    if (!byName.has(name)) byName.set(name, item);
  }
  return byName;
}
