import { SCHEMA_EXTENSION_PREFIXES } from '../../schema/extensions.js';
import { isRecord } from '../../schema/json-objects.js';

/** Members whose values are plain JSON instead of schemas. */
const RAW: readonly string[] = ['default', 'enum', 'example'];

/** Returns a schema with all extensions under one prefix. A schema that has them already is returned unchanged. */
export function renameExtensions<T>(schema: T, prefix: string): T {
  return hasForeignNames(schema, prefix) ? (renamed(schema, prefix) as T) : schema; // the same members under other names
}

/** Checks for foreign prefixes first, because most definitions have none and need not be copied. */
function hasForeignNames(value: unknown, prefix: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some((item) => hasForeignNames(item, prefix));
  for (const name in value) {
    if (name.startsWith('x-') && !name.startsWith(prefix)) return true;
    if (hasForeignNames((value as Readonly<Record<string, unknown>>)[name], prefix)) return true;
  }
  return false;
}

function renamed(schema: unknown, prefix: string): unknown {
  if (Array.isArray(schema)) {
    const items = schema.map((item) => renamed(item, prefix));
    return items.some((item, i) => item !== schema[i]) ? items : schema;
  }
  if (!isRecord(schema)) return schema;
  const own = (name: string) => {
    if (!name.startsWith('x-')) return name;
    const other = SCHEMA_EXTENSION_PREFIXES.find((each) => each !== prefix && name.startsWith(each));
    return other === undefined ? name : prefix + name.slice(other.length);
  };
  const inner = (name: string, member: unknown) => {
    if (typeof member !== 'object' || RAW.includes(name)) return member;
    if (!MAPS.includes(name) || !isRecord(member)) return renamed(member, prefix);
    // The names in a map of schemas are field names, not keywords.
    return withMembers(member, same, (_, each) => renamed(each, prefix));
  };
  return withMembers(schema, own, inner);
}

const MAPS: readonly string[] = ['properties', 'patternProperties', 'definitions', 'dependencies'];
const same = (name: string) => name;

/** Returns a record with other names and members, or the record itself when nothing changes. */
function withMembers(
  record: Readonly<Record<string, unknown>>,
  nameOf: (name: string) => string,
  memberOf: (name: string, member: unknown) => unknown,
): Readonly<Record<string, unknown>> {
  const entries: [string, unknown][] = [];
  let changed = false;
  for (const name of Object.keys(record)) {
    const member = memberOf(name, record[name]);
    const own = nameOf(name);
    if (own !== name || member !== record[name]) changed = true;
    entries.push([own, member]);
  }
  return changed ? Object.fromEntries(entries) : record;
}
