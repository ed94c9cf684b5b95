/** A list of plug-ins, or a function that returns a changed list from the default list. */
export type PluginList<T> = readonly T[] | ((defaults: readonly T[]) => readonly T[]);

/** Returns the plug-ins that a list selects, or the defaults if no list is given. */
export function pluginsOf<T>(list: PluginList<T> | undefined, defaults: readonly T[]): readonly T[] {
  if (list === undefined) return defaults;
  return typeof list === 'function' ? list(defaults) : list;
}
