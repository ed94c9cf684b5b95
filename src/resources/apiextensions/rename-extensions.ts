import { SCHEMA_EXTENSION_PREFIXES } from '../../schema/extensions.js';
import { isRecord } from '../../schema/json-objects.js';

/** Members whose values are raw JSON, not schemas. */
const RAW: readonly string[] = ['default', 'enum', 'example'];

/** A schema with its extensions under one prefix; itself where they are. */
export function renameExtensions<T>(schema: T, prefix: string): T;
export function renameExtensions(schema: unknown, prefix: string): unknown {
  if (Array.isArray(schema)) {
    const items = schema.map((item) => renameExtensions(item, prefix));
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
    if (!MAPS.includes(name) || !isRecord(member)) return renameExtensions(member, prefix);
    // In a map of schemas the names are those of fields.
    return withMembers(member, same, (_, each) => renameExtensions(each, prefix));
  };
  return withMembers(schema, own, inner);
}

const MAPS: readonly string[] = ['properties', 'patternProperties', 'definitions', 'dependencies'];
const same = (name: string) => name;

/** A record with other names and members; itself where nothing is other. */
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
