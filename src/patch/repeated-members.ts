import { getOwn } from '../json/members.js';
import { isJsonObject, type JsonValue } from '../json/value.js';
import type { JsonPatch } from './json-patch.js';

/**
 * Returns the duplicate members of a patched document. Values of a JSON patch become part of the document with their duplicate members,
 * unless a later operation changes them (spec 3.9).
 * @param repeated paths of duplicate members in the patch, `[0].value.labels.a`
 * @returns paths in the document, `metadata.labels.a`, in the order of the document
 */
export function repeatedMembers(
  next: JsonValue,
  { operations }: JsonPatch,
  repeated: readonly string[],
): readonly string[] {
  const inside = new Map<JsonValue, string[]>();
  for (const path of repeated) {
    const [, index, rest] = /^\[(\d+)\]\.value([.[].*)$/s.exec(path) ?? [];
    const operation = operations[Number(index)];
    const value = isJsonObject(operation) ? getOwn(operation, 'value') : undefined;
    if (rest === undefined || value === undefined) continue;
    const others = inside.get(value);
    if (others === undefined) inside.set(value, [rest]);
    else others.push(rest);
  }
  if (inside.size === 0) return [];
  const paths: string[] = [];
  const open: { readonly value: JsonValue; readonly path: string }[] = [{ value: next, path: '' }];
  for (let here = open.pop(); here !== undefined; here = open.pop()) {
    const { value, path } = here;
    for (const rest of inside.get(value) ?? []) paths.push(path === '' ? rest.replace(/^\./, '') : `${path}${rest}`);
    if (typeof value !== 'object' || value === null) continue;
    const isList = Array.isArray(value);
    for (const [name, child] of Object.entries(value).reverse()) {
      if (typeof child !== 'object' || child === null) continue;
      open.push({ value: child, path: isList ? `${path}[${name}]` : path === '' ? name : `${path}.${name}` });
    }
  }
  return paths;
}
