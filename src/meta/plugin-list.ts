/** A list of plug-ins, or a function that receives the default list and returns the list to use. */
export type PluginList<T> = readonly T[] | ((defaults: readonly T[]) => readonly T[]);

/** Returns the plug-ins that a list selects, or the defaults if no list is given. */
export function pluginsOf<T>(list: PluginList<T> | undefined, defaults: readonly T[]): readonly T[] {
  if (list === undefined) return defaults;
  return typeof list === 'function' ? list(defaults) : list;
}
