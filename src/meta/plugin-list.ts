/** Plug-ins of one sort: the whole list, or what becomes of the default one. */
export type PluginList<T> = readonly T[] | ((defaults: readonly T[]) => readonly T[]);

/** The plug-ins that are meant; without a list the defaults. */
export function pluginsOf<T>(list: PluginList<T> | undefined, defaults: readonly T[]): readonly T[] {
  if (list === undefined) return defaults;
  return typeof list === 'function' ? list(defaults) : list;
}
