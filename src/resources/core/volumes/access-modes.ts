const SHORT: ReadonlyMap<string, string> = new Map([
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
]);

/** Returns access modes as a cell: the abbreviations of the known modes in a fixed order, without duplicates. */
export function printAccessModes(modes: readonly string[] = []): string {
  return [...SHORT].flatMap(([mode, letters]) => (modes.includes(mode) ? [letters] : [])).join(',');
}
