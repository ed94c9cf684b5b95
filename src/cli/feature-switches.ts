import { noBooleanText, readBooleanText } from '../values/boolean-text.js';

/**
 * Names may be those of a component, of which there is one: `kube:WatchList`.
 * @throws Error for a switch that is neither true nor false, or another component's.
 */
export function featureSwitches(given: ReadonlyMap<string, string> | undefined): Record<string, boolean> {
  const out: Record<string, boolean> = {};
  for (const [key, value] of given ?? []) {
    const [, component = 'kube', name = key] = /^([^:]*):(.*)$/.exec(key) ?? [];
    if (component !== 'kube') throw new Error(`component not registered: ${component}`);
    const on = readBooleanText(value);
    if (on === undefined) throw new Error(`invalid value of ${name}: ${value}, err: ${noBooleanText(value)}`);
    out[name] = on;
  }
  return out;
}
