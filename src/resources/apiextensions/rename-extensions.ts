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
  let changed = false;
  const entries = Object.entries(schema).map(([name, member]): [string, unknown] => {
    const other = SCHEMA_EXTENSION_PREFIXES.find((each) => each !== prefix && name.startsWith(each));
    const own = other === undefined ? name : prefix + name.slice(other.length);
    const value = RAW.includes(name) ? member : membersRenamed(name, member, prefix);
    if (own !== name || value !== member) changed = true;
    return [own, value];
  });
  return changed ? Object.fromEntries(entries) : schema;
}

const MAPS: readonly string[] = ['properties', 'patternProperties', 'definitions', 'dependencies'];

/** In a map of schemas the names are those of fields. */
function membersRenamed(name: string, member: unknown, prefix: string): unknown {
  if (!MAPS.includes(name) || !isRecord(member)) return renameExtensions(member, prefix);
  const entries = Object.entries(member).map(([key, inner]): [string, unknown] => [
    key,
    renameExtensions(inner, prefix),
  ]);
  return entries.some(([key, inner]) => inner !== member[key]) ? Object.fromEntries(entries) : member;
}
