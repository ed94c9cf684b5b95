import { equalJson } from '../../json/equal.js';

const MAX_LINES = 40;

/**
 * The members in which two structs differ, as texts of refusals end: the type, a line for what was and one for what is.
 * @param type as the reference names it, e.g. `core.PersistentVolumeClaimSpec`
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
