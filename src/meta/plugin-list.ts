/** A list of plug-ins, or a function that receives the default list and returns the list to use. */
export type PluginList<T> = readonly T[] | ((defaults: readonly T[]) => readonly T[]);

/** Returns the plug-ins that a list selects, or the defaults if no list is given. */
export function pluginsOf<T>(list: PluginList<T> | undefined, defaults: readonly T[]): readonly T[] {
  if (list === undefined) return defaults;
  return typeof list === 'function' ? list(defaults) : list;
}

/**
 * Checks that no two plug-ins have the same name.
 * @param sort what the plug-ins are, for the message: `authorizers`
 * @throws TypeError when a name is used twice.
 */
export function requireUniqueNames(sort: string, plugins: readonly { readonly name: string }[]): void {
  const names = new Set<string>();
  for (const { name } of plugins) {
    if (names.has(name)) throw new TypeError(`two ${sort} have the name "${name}"`);
    names.add(name);
  }
}
