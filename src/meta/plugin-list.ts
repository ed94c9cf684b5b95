/** A list of plug-ins, or a function that receives the default list and returns the list to use. */
export type PluginList<T> = readonly T[] | ((defaults: readonly T[]) => readonly T[]);

/**
 * Returns the plug-ins that a list selects, or the defaults if no list is given.
 * @throws TypeError for a function that returns no list
 */
export function pluginsOf<T>(list: PluginList<T> | undefined, defaults: readonly T[]): readonly T[] {
  if (list === undefined) return defaults;
  const plugins = typeof list === 'function' ? list(defaults) : list;
  if (Array.isArray(plugins)) return plugins;
  throw new TypeError('a function of the default plug-ins must return a list, as in (defaults) => [...defaults, mine]');
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
