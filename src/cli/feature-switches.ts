import { noBooleanText, readBooleanText } from '../values/boolean-text.js';

/**
 * Parses feature gates. The name of a gate may have a component as a prefix, which can only be `kube`, as in `kube:WatchList`.
 * @throws Error for a value that is neither true nor false, or the name of another component.
 */
export function featureSwitches(flagValue: ReadonlyMap<string, string> | undefined): Record<string, boolean> {
  const switches = new Map<string, boolean>();
  for (const [key, value] of flagValue ?? []) {
    const [, component = 'kube', name = key] = /^([^:]*):(.*)$/.exec(key) ?? [];
    if (component !== 'kube') throw new Error(`component not registered: ${component}`);
    const on = readBooleanText(value);
    if (on === undefined) throw new Error(`invalid value of ${name}: ${value}, err: ${noBooleanText(value)}`);
    switches.set(name, on);
  }
  return Object.fromEntries(switches);
}
