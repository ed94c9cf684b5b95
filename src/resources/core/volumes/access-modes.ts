const SHORT: ReadonlyMap<string, string> = new Map([
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
]);

/** Access modes as a cell: known ones by their letters, each once, in a fixed order. */
export function shownAccessModes(modes: readonly string[] = []): string {
  return [...SHORT].flatMap(([mode, letters]) => (modes.includes(mode) ? [letters] : [])).join(',');
}
