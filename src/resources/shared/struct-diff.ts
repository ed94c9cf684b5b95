import { equalJson } from '../../json/equal.js';

const MAX_LINES = 40;

/**
 * Returns the differing members of two structs as the last lines of an error message: the type, then one line for each old and new value.
 * @param type upstream's name of the type, e.g. `core.PersistentVolumeClaimSpec`
 */
export function structDiff(type: string, old: object, next: object): string {
  const [before, after] = [old, next] as Readonly<Record<string, unknown>>[];
  const names = [...new Set([...Object.keys(old), ...Object.keys(next)])];
  const lines = names
    .filter((name) => !equalJson(before?.[name], after?.[name]))
    .flatMap((name) => [line('-', name, before?.[name]), line('+', name, after?.[name])]);
  return `  ${type}{\n${lines.slice(0, MAX_LINES).join('')}  }\n`;
}

const line = (sign: string, name: string, value: unknown): string =>
  value === undefined ? '' : `${sign} \t${name}: ${JSON.stringify(value)},\n`;
