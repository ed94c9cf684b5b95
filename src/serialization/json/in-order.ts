import { hasIndexNames } from '../../json/members.js';
import { membersOf } from '../../json/order.js';
import { isJsonObject, type JsonObject } from '../../json/value.js';

/** Parts that still have to be written: texts, and values with their level. */
type Waiting = string | { readonly value: unknown; readonly level: number };

/**
 * Returns a value as JSON, without recursion. It differs from `JSON.stringify` for objects with names that are array indexes, such as `10`
 * and `9`: JavaScript enumerates those first and in numeric order, but Go sorts all members of such objects by name.
 * @param indent blanks for each level; 0 writes compact JSON
 */
export function stringifyInOrder(root: unknown, indent: number): string {
  const parts: string[] = [];
  const waiting: Waiting[] = [{ value: root, level: 0 }];
  const newLine = (level: number) => (indent === 0 ? '' : `\n${' '.repeat(indent * level)}`);
  const colon = indent === 0 ? ':' : ': ';
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === 'string') {
      parts.push(next);
      continue;
    }
    const { value, level } = next;
    if (Array.isArray(value)) {
      parts.push('[');
      waiting.push(value.length === 0 ? ']' : `${newLine(level)}]`);
      for (let i = value.length - 1; i >= 0; i--)
        waiting.push({ value: value[i], level: level + 1 }, `${i === 0 ? '' : ','}${newLine(level + 1)}`);
    } else if (isJsonObject(value)) {
      const members = membersInOrder(value);
      parts.push('{');
      waiting.push(members.length === 0 ? '}' : `${newLine(level)}}`);
      for (const [i, [name, member]] of [...members.entries()].reverse())
        waiting.push(
          { value: member, level: level + 1 },
          `${i === 0 ? '' : ','}${newLine(level + 1)}${JSON.stringify(name)}${colon}`,
        );
    } else parts.push(JSON.stringify(value) ?? 'null');
  }
  return parts.join('');
}

const membersInOrder = (object: JsonObject) =>
  hasIndexNames(object) ? membersOf(object) : Object.entries(object).filter(([, member]) => member !== undefined);
