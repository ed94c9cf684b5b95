import { isJson } from '../../json/value.js';
import { childPath } from '../../meta/field-error.js';
import { schemaOf } from '../zod-to-schema.js';
import { defOf, type ZodCheckDef, type ZodDef, type ZodLike } from './def.js';

/** The zod types that JSON cannot represent or that change values, with advice on what to write instead. */
const REFUSED: Readonly<Record<string, string>> = {
  transform: 'objects are kept as they were sent: change them in strategy.prepareForCreate and prepareForUpdate',
  catch: 'a bad value is refused, not replaced: leave out .catch()',
  date: 'JSON has no dates: write z.iso.datetime()',
  bigint: 'JSON has no big integers: write z.int(), or z.string() for more than 53 bits',
  map: 'JSON has no maps: write z.record()',
  set: "JSON has no sets: write z.array(), with .meta({ 'x-orch-list-type': 'set' }) for items that are there once",
  undefined: 'JSON has no such value: write .optional()',
  void: 'JSON has no such value: write .optional()',
  nan: 'JSON has no such value',
  symbol: 'JSON has no symbols',
  function: 'JSON has no functions',
  promise: 'JSON has no promises',
  file: 'JSON has no files: write z.base64()',
  success: 'objects are kept as they were sent: leave out z.success()',
};

/** The checks that become part of the `Schema`, by the zod type to which they apply. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  string: ['min_length', 'max_length', 'length_equals', 'string_format'],
  number: ['greater_than', 'less_than', 'multiple_of', 'number_format'],
  array: ['min_length', 'max_length', 'length_equals'],
  record: ['min_size', 'max_size'],
};
/** Formats that the `Schema` checks only partly, because zod checks more than their pattern. */
const RICH_FORMATS = ['datetime', 'date', 'url', 'uri', 'ipv6', 'cidrv6', 'base64', 'base64url', 'jwt'];
/** Zod types that accept any value. */
const OPEN = ['any', 'unknown'];
/** Common fields that a zod object schema may declare although all objects have them. Only zod checks these declarations. */
const COMMON_FIELDS = ['apiVersion', 'kind', 'metadata'];

/**
 * Returns whether a zod schema has rules that its `Schema` does not keep (refinements, unions, tuples, checks of keys), so that zod must
 * check every object, too.
 * @throws TypeError, with the path, for types that a server cannot use: types that change values, types that JSON cannot represent, and
 * schemas that are not of zod 4.
 */
export function hasRemainder(zod: ZodLike): boolean {
  const remainder = new Remainder();
  remainder.visit(zod, '', false);
  const shape = defOf(zod).shape ?? {};
  return remainder.found || COMMON_FIELDS.some((name) => Object.hasOwn(shape, name));
}

class Remainder {
  found = false;
  readonly #visited = [new Set<ZodLike>(), new Set<ZodLike>()];

  /**
   * Sets `found` if a zod schema has rules that the `Schema` converted from it does not keep.
   * @param loose whether the zod schema is inside a part for which the converted `Schema` accepts any JSON. In such a part, defaults are
   * not filled in and unknown fields are not dropped.
   */
  visit(zod: ZodLike, path: string, loose: boolean): void {
    const seen = this.#visited[loose ? 1 : 0];
    if (seen?.has(zod)) return;
    seen?.add(zod);
    const def = definitionAt(zod, path);
    refuseChanges(def, path, loose);
    if (hasLostChecks(def)) this.found = true;
    const open = loose || this.#acceptsAnyValue(zod, def);
    this.#visitParts(def, path, open);
  }

  #acceptsAnyValue(zod: ZodLike, def: ZodDef): boolean {
    const { type } = def;
    if (type === 'object' || type === 'record' || type === 'array' || type === 'lazy' || isWrapper(type)) return false;
    const kept = schemaOf(zod).type;
    if (kept === 'boolean' && type === 'literal') this.found = true;
    // A union of integer and string becomes an int-or-string, which has no checks, so the checks of both options are lost.
    if (kept === 'intOrString' && (def.options ?? []).some((option) => checksOf(defOf(option)).length > 0))
      this.found = true;
    if (kept !== 'any' || OPEN.includes(type)) return false;
    this.found = true;
    return true;
  }

  #visitParts(def: ZodDef, path: string, loose: boolean): void {
    const all = (parts: readonly (ZodLike | null | undefined)[], at: (i: number) => string, inLoose: boolean) =>
      parts.forEach((part, i) => {
        if (part) this.visit(part, at(i), inLoose);
      });
    for (const [name, field] of Object.entries(def.shape ?? {})) this.visit(field, childPath(path, name), loose);
    all([def.innerType, def.getter?.()], () => path, loose);
    all([def.in], () => path, loose);
    all([def.out], () => path, true);
    all([def.element], () => `${path}[]`, loose);
    all([def.valueType], () => `${path}.*`, loose);
    // Only zod checks the keys of a record: a record with an enum of keys requires all of them. Keys of type string without checks need no
    // validation.
    if (def.keyType && (definitionAt(def.keyType, path).type !== 'string' || hasLostChecks(defOf(def.keyType), []))) {
      this.found = true;
      all([def.keyType], () => `${path} (key)`, true);
    }
    all(def.options ?? [], () => path, loose);
    all(def.items ?? [], (i) => `${path}[${i}]`, true);
    all([def.rest], () => `${path}[]`, true);
    all([def.left, def.right], () => path, true);
    if (def.catchall && !['never', ...OPEN].includes(definitionAt(def.catchall, path).type)) {
      this.found = true;
      all([def.catchall], () => `${path}.*`, true);
    }
    if (def.type === 'pipe') this.found = true;
  }
}

const isWrapper = (type: string) =>
  ['optional', 'nullable', 'nonoptional', 'readonly', 'default', 'prefault', 'pipe'].includes(type);

/** Returns whether a definition has checks that its `Schema` does not keep. @param kept the names of the checks that it keeps */
function hasLostChecks(def: ZodDef, kept: readonly string[] = KEPT[def.type] ?? []): boolean {
  const all: readonly ZodCheckDef[] = [...(def.check === undefined ? [] : [def as ZodCheckDef]), ...checksOf(def)];
  return all.some(
    ({ check, format = '', pattern }) =>
      !kept.includes(check) ||
      (check === 'string_format' && (RICH_FORMATS.includes(format) || !(pattern instanceof RegExp))) ||
      (check === 'number_format' && format === 'float32'),
  );
}

const checksOf = (def: ZodDef) => (def.checks ?? []).map((check) => check._zod.def);

function definitionAt(zod: ZodLike, path: string): ZodDef {
  try {
    return defOf(zod);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw refusal(path, error.message);
  }
}

function refuseChanges(def: ZodDef, path: string, loose: boolean): void {
  const why = REFUSED[def.type];
  if (why !== undefined) throw refusal(path, `z.${def.type}: ${why}`);
  if (def.transform !== undefined) throw refusal(path, `a codec: ${REFUSED['transform']}`);
  if (def.coerce === true)
    throw refusal(path, `z.coerce.${def.type}: a value is kept as it was sent: write z.${def.type}()`);
  if (checksOf(def).some(({ check }) => check === 'overwrite'))
    throw refusal(
      path,
      '.trim(), .toLowerCase() and the like: a value is kept as it was sent; ask for its form by .regex(), or change it in strategy.prepareForCreate and prepareForUpdate',
    );
  if (def.type === 'object' && def.catchall && defOf(def.catchall).type === 'never' && !loose)
    throw refusal(
      path,
      'z.strictObject: unknown fields are dropped, with a warning or, where the client asks for it, an error: write z.object()',
    );
  if (def.type !== 'default' && def.type !== 'prefault') return;
  if (loose) throw refusal(path, 'a default within a union, tuple or intersection is not filled in: write .optional()');
  if (!isJson(def.defaultValue)) throw refusal(path, 'the default is not JSON');
}

const refusal = (path: string, why: string) => new TypeError(`schema${path === '' ? '' : ` at ${path}`}: ${why}`);
