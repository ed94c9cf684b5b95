import { DecodeError } from '../json/decode-error.js';
import { MANY, namesOf, noteNames } from '../json/members.js';
import { NumberText } from '../json/number-text.js';
import { noteLeftOut, noteOriginal } from '../json/original-members.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.js';
import { Decoding, type NumberTexts } from './decoding.js';
import { setMember } from './json-objects.js';
import { type Decode, scalarDecoder } from './scalar-decoders.js';
import type { ListSchema, MapSchema, ObjectSchema, Schema, Variants } from './schema.js';
import { isAmount, zeroValue } from './zero-value.js';

export type { NumberTexts } from './decoding.js';

export interface DecodeOptions {
  /**
   * The literals of numbers that JavaScript would print differently (`1e2`, `600.0`, more than 15 digits). They are in nested maps keyed by
   * the steps of the path: names of members and indexes. Default: none.
   */
  readonly numberTexts?: NumberTexts;
  /** Whether numbers that JavaScript would print differently are `NumberText` values, as in patched documents. Default: false. */
  readonly marksNumbers?: boolean;
  /** Whether parts of arbitrary JSON are copied, because the value belongs to a caller in the same process. Default: false. */
  readonly copyRaw?: boolean;
  /**
   * Whether unknown fields and nulls of a custom resource are dropped. 'unknown' keeps the nulls, so that validation can see them in the
   * result of an apply. False keeps both, so that an object in another version is pruned only after its conversion. Default: true.
   */
  readonly prunes?: boolean | 'unknown';
}

export interface Decoded<T = JsonObject> {
  /**
   * The object with its fields in serialization order and values in canonical form. Empty values are present or left out as the schema
   * defines. The object itself is new and may be changed. Frozen parts that decoding does not change are shared with the input and keep
   * their order.
   */
  readonly value: T;
  /** Paths of fields that are not in the schema, such as `spec.items[0].x`, in the order of the body; at most 100, each once. */
  readonly unknownFields: readonly string[];
}

/**
 * Decodes the body of a built-in kind by its schema, in one pass (spec 2.2, 3.10). null decodes as the zero object. Names of fields are
 * case-sensitive. A field that is null counts as absent; in lists and maps, null becomes the zero value. Frozen parts that decoding does
 * not change are reused, so decoding a patched object costs only as much as the patch changed.
 * @throws DecodeError with upstream's message for wrong types, numbers out of range, invalid base64, times and quantities.
 */
export function decodeTyped(schema: ObjectSchema, value: unknown, options: DecodeOptions = {}): Decoded {
  const at = new Decoding(schema, options);
  const decoded = decoderOf(schema)(value ?? {}, at);
  at.finish();
  const object = decoded as JsonObject; // `finish` has thrown if the root is not an object, so the cast is safe.
  return {
    value: Object.isFrozen(object) ? { ...object } : object,
    unknownFields: [...new Set(at.unknownFields)],
  };
}

const decoders = new WeakMap<Schema, Decode>();

/**
 * Returns the decoder of a schema, which is created once. Decoders of structs, lists and maps build new values, but return a frozen value
 * itself if decoding changes nothing in it. So the parts of an object that a patch does not change stay the same objects.
 */
export function decoderOf(schema: Schema): Decode {
  const known = decoders.get(schema);
  if (known !== undefined) return known;
  const decoder =
    schema.type === 'object'
      ? structDecoder(schema)
      : schema.type === 'list'
        ? listDecoder(schema)
        : schema.type === 'map'
          ? mapDecoder(schema)
          : schema.type === 'any' && schema.variants !== undefined
            ? variantDecoder(schema.variants)
            : scalarDecoder(schema);
  decoders.set(schema, decoder);
  return decoder;
}

/**
 * Returns the decoder of a value that may have one of several types. Upstream decodes such a value separately, so its unknown fields are
 * not reported.
 */
function variantDecoder({ object, list, boolean, otherwise }: Variants): Decode {
  return (value, at) => {
    const variant =
      Array.isArray(value) && !(value instanceof NumberText) ? list : isJsonObject(value) ? object : undefined;
    if (variant === undefined) {
      if (typeof value === 'boolean' && boolean !== undefined) return value;
      if (otherwise !== undefined) throw new DecodeError(otherwise);
      return undefined;
    }
    return at.withoutRecording(() =>
      Array.isArray(value)
        ? listOf(value, (item) => decoderOf(variant.schema())(item, at) ?? null, at)
        : decoderOf(variant.schema())(value, at),
    );
  };
}

function listOf(items: readonly unknown[], decode: (item: unknown) => JsonValue, at: Decoding): JsonValue {
  const out = items.map((item, i) => {
    at.enter(i);
    const decoded = decode(item);
    at.leave();
    return decoded;
  });
  return out;
}

interface Field {
  readonly name: string;
  /** The name of the decoded member, which differs from `name` for an alias. */
  readonly target: string;
  readonly decode: Decode;
  /** The value that the decoder fills in when the field is absent. */
  readonly zero: JsonValue | undefined;
  readonly omitEmpty: boolean;
  /** Whether the field is a map of quantities. The original literals of its values are recorded, because validation messages print them. */
  readonly showsAmounts: boolean;
}

function fieldsOf({ properties }: ObjectSchema): readonly Field[] {
  return [...properties].map(([name, { schema: inner, presence, aliasOf: target = name }]) => ({
    name,
    target,
    decode: decoderOf(inner),
    zero: presence === 'always' ? zeroValue(inner) : presence === 'orNull' ? null : undefined,
    omitEmpty: presence === 'omitEmpty',
    showsAmounts: presence === 'omitNull' && inner.type === 'map' && isAmount(inner.values),
  }));
}

function structDecoder(schema: ObjectSchema): Decode {
  const final = new WeakSet<object>();
  // The fields are created at first use, because a struct that contains itself is not complete before.
  let fields: readonly Field[] | undefined;
  let indexes: ReadonlyMap<string, number> = new Map();
  /** Whether the decoder fills in absent members of this struct. */
  let fills = false;
  const prepare = (): readonly Field[] => {
    const fieldList = fieldsOf(schema);
    indexes = new Map(fieldList.map(({ name }, index) => [name, index]));
    fills = fieldList.some(({ zero }) => zero !== undefined);
    fields = fieldList;
    return fieldList;
  };
  return (value, at) => {
    if (!isJsonObject(value)) return at.wrongType(value, schema) ?? undefined;
    // This decoder has returned this object before, so decoding would not change it.
    if (final.has(value)) return value as JsonValue;
    const all = fields ?? prepare();
    let same = Object.isFrozen(value);
    const names = namesOf(value);
    const preservedNames: string[] = [];
    // If the struct has many fields, the value has few members, and absent members are not filled in, only the members that the value has
    // are visited.
    const places: number[] | undefined = fills || names.length * 2 > all.length ? undefined : [];
    // The decoded members by the position of their field, or, if only the members that the value has are visited, in the order of the
    // value.
    const decodedMembers = places ? [] : new Array<JsonValue | undefined>(all.length);
    let inOrder = true;
    for (const name of names) {
      const member = value[name];
      const index = indexes.get(name);
      const field = index === undefined ? undefined : all[index];
      if (field === undefined || index === undefined) {
        if (schema.preserveUnknown === true) preservedNames.push(name);
        else if (member !== undefined) at.unknown(name);
        same = false;
      } else if (member !== null && member !== undefined) {
        at.enter(name);
        const decoded = field.decode(member, at);
        at.leave();
        if (places) {
          if (index < (places.at(-1) ?? 0)) inOrder = false;
          places.push(index);
          decodedMembers.push(decoded);
        } else decodedMembers[index] = decoded;
      }
    }
    const order = inOrder ? undefined : places && inAscendingOrder(places);
    const out: Record<string, JsonValue> = {};
    let count = 0;
    const length = places?.length ?? all.length;
    for (let n = 0; n < length; n++) {
      const i = order?.[n] ?? n;
      const field = all[places?.[i] ?? i];
      if (field === undefined) continue;
      const member = decodedMembers[i] ?? field.zero;
      if (member === undefined) continue;
      if (field.omitEmpty && isEmpty(member)) {
        if (typeof member === 'object' && member !== null) noteLeftOut(out, field.target, member);
        continue;
      }
      if (field.showsAmounts && member !== value[field.name])
        noteOriginal(member as object, value[field.name] as object);
      out[field.target] = member;
      count++;
      if (same && (member !== value[field.name] || field.target !== field.name)) same = false;
    }
    if (same && count === names.length) {
      final.add(value);
      // Decoding has changed no member, so the value itself is returned.
      return value as JsonValue;
    }
    for (const name of preservedNames) setMember(out, name, value[name]);
    return out;
  };
}

/** Returns the indexes of the numbers, sorted by the numbers in ascending order. */
const inAscendingOrder = (numbers: readonly number[]): readonly number[] =>
  numbers.map((_, i) => i).sort((a, b) => (numbers[a] ?? 0) - (numbers[b] ?? 0));

function isEmpty(value: JsonValue): boolean {
  if (typeof value !== 'object') return value === '' || value === 0 || value === false;
  if (value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  for (const _ in value) return false;
  return true;
}

function listDecoder(schema: ListSchema): Decode {
  const final = new WeakSet<object>();
  let itemDecoder: Decode | undefined;
  return (value, at) => {
    if (!Array.isArray(value) || value instanceof NumberText) return at.wrongType(value, schema) ?? undefined;
    if (final.has(value)) return value;
    // The decoder is created at its first use, because a schema may contain itself.
    const decode = (itemDecoder ??= decoderOf(schema.items));
    let same = Object.isFrozen(value);
    const out = new Array<JsonValue>(value.length);
    for (let i = 0; i < value.length; i++) {
      const item: unknown = value[i];
      let decoded: JsonValue | undefined;
      if (item !== null && item !== undefined) {
        at.enter(i);
        decoded = decode(item, at);
        at.leave();
      }
      out[i] = decoded ?? zeroValue(schema.items);
      if (same && out[i] !== item) same = false;
    }
    if (!same) return out;
    final.add(value);
    return value;
  };
}

function mapDecoder(schema: MapSchema): Decode {
  const final = new WeakSet<object>();
  let valueDecoder: Decode | undefined;
  return (value, at) => {
    if (!isJsonObject(value)) return at.wrongType(value, schema) ?? undefined;
    // This decoder has returned this object before, so decoding would not change it.
    if (final.has(value)) return value as JsonValue;
    const names = namesOf(value);
    // The decoder is created at its first use, because a schema may contain itself.
    const decode = (valueDecoder ??= decoderOf(schema.values));
    if (names.length > MANY) return decodeLargeMap({ schema, decode, final }, value, names, at);
    let same = Object.isFrozen(value);
    const out: Record<string, JsonValue> = {};
    let last = '';
    let inOrder = true;
    for (const name of names) {
      const member = value[name];
      if (member === undefined) {
        same = false; // An undefined member counts as absent, so the result differs from the value.
        continue;
      }
      const entry = decodeEntry(schema, decode, name, member, at);
      setMember(out, name, entry);
      if (name < last) inOrder = false;
      last = name;
      if (same && entry !== member) same = false;
    }
    if (same) {
      final.add(value);
      // Decoding has changed no entry, so the value itself is returned.
      return value as JsonValue;
    }
    return inOrder ? out : sortedMembers(out);
  };
}

function decodeEntry({ values }: MapSchema, decode: Decode, name: string, member: unknown, at: Decoding): JsonValue {
  let decoded: JsonValue | undefined;
  if (member !== null) {
    at.enter(name);
    decoded = decode(member, at);
    at.leave();
  }
  // Entries of a map of bytes are never null in storage, so null becomes the empty string.
  return decoded ?? (isBytes(values) ? '' : zeroValue(values));
}
const isBytes = (schema: Schema) => schema.type === 'string' && schema.format === 'byte';

/**
 * Decodes a map with very many entries. It builds the result once, in sorted order. A map of scalars is frozen at once, and the list of its
 * names is cached, because listing many names is slow.
 */
function decodeLargeMap(
  { schema, decode, final }: { readonly schema: MapSchema; readonly decode: Decode; readonly final: WeakSet<object> },
  value: Readonly<Record<string, unknown>>,
  allNames: readonly string[],
  at: Decoding,
): JsonValue {
  const names = allNames.filter((name) => value[name] !== undefined);
  const entries = names.map((name) => decodeEntry(schema, decode, name, value[name], at));
  if (
    names.length === allNames.length &&
    Object.isFrozen(value) &&
    names.every((name, i) => value[name] === entries[i])
  ) {
    final.add(value);
    // Decoding has changed no entry, so the value itself is returned.
    return noteNames(value, names) as JsonValue;
  }
  const places = placesInOrder(names);
  const inOrder = places.map((place) => names[place] ?? '');
  const out = {};
  for (const [i, name] of inOrder.entries()) setMember(out, name, entries[places[i] ?? 0]);
  if (entries.some((entry) => typeof entry === 'object')) return out;
  final.add(out);
  return noteNames(Object.freeze(out), inOrder);
}

function placesInOrder(names: readonly string[]): readonly number[] {
  const places = names.map((_, place) => place);
  const nameAt = (place: number) => names[place] ?? '';
  const inOrder = places.every((place) => place === 0 || nameAt(place - 1) < nameAt(place));
  return inOrder ? places : places.sort((a, b) => (nameAt(a) < nameAt(b) ? -1 : 1));
}

/** Returns the object with its members sorted by name, because the entries of a map are sorted on the wire. */
function sortedMembers(object: Readonly<Record<string, JsonValue>>): JsonValue {
  const out: Record<string, JsonValue> = {};
  for (const name of Object.keys(object).sort()) setMember(out, name, object[name]);
  return out;
}
