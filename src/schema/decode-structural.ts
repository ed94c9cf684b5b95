import { DecodeError } from '../json/decode-error.js';
import { equalJson } from '../json/equal.js';
import { jsonTypeName } from '../json/number-text.js';
import { printGoValue } from '../json/print-go.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.js';
import { type FieldError, fieldError, formatFieldError, printed } from '../meta/field-error.js';
import { structSchema } from './authoring.js';
import { type Decoded, type DecodeOptions, decodeTyped } from './decode.js';
import { applyDefaults } from './defaults.js';
import { copyJson, setMember } from './json-objects.js';
import { objectMeta } from './object-meta-schema.js';
import { IMPLICIT_FIELDS, prune } from './prune.js';
import type { ObjectSchema, Schema } from './schema.js';

/** The maximum number of unknown fields that are collected. The first ones in sorted order are reported. */
const MAX_FOUND = 10_000;

/**
 * Decodes the body of a custom resource (spec 21.3). Its metadata is decoded like that of built-in kinds; all other fields are pruned and
 * filled with defaults. Values of a wrong type outside metadata are kept; {@link validateStructural} reports them. Parts that need no
 * change stay the same objects.
 * @returns the object and its unknown fields: first those of metadata, then those outside metadata in sorted order, then those in the
 * metadata of embedded objects
 * @throws DecodeError when metadata, or the metadata of an embedded object, cannot be decoded, and when values are nested too deep.
 */
export function decodeStructural(schema: ObjectSchema, value: unknown, options: DecodeOptions = {}): Decoded {
  if (value !== null && value !== undefined && !isJsonObject(value))
    throw new DecodeError(
      `json: cannot unmarshal ${jsonTypeName(value)} into Go value of type map[string]interface {}`,
    );
  const { apiVersion, kind, metadata, ...own } = value ?? {};
  for (const [name, text] of [
    ['apiVersion', apiVersion],
    ['kind', kind],
  ] as const)
    if (text !== undefined && text !== null && typeof text !== 'string')
      throw new DecodeError(
        `json: cannot unmarshal ${jsonTypeName(text)} into Go struct field .${name} of type string`,
      );
  const meta = decodeMetadata(metadata ?? {}, options);
  const unknownRest: string[] = [];
  const unknownEmbedded: string[] = [];
  const known = ownPart(schema);
  // A request body is JSON, and so is the copy of an in-process value, so the cast is safe.
  const input = (options.copyRaw === true ? copyJson(own) : own) as JsonValue;
  const { prunes = true } = options;
  const rest =
    prunes === false
      ? input
      : prune(known, input, {
          onUnknown: (path) => {
            if (unknownRest.length < MAX_FOUND) unknownRest.push(path);
          },
          ...(prunes === true
            ? { embeddedField: (name, member, ...paths) => decodeEmbedded(name, member, paths, unknownEmbedded) }
            : { keepsNull: true }),
        });
  // Pruning and defaults never change the type of the root, so the cast is safe.
  const filled = applyDefaults(known, rest) as JsonObject;
  return {
    value: {
      ...(typeof apiVersion === 'string' ? { apiVersion } : {}),
      ...(typeof kind === 'string' ? { kind } : {}),
      metadata: meta.value,
      ...filled,
    },
    unknownFields: [
      ...meta.unknownFields.map((path) => `metadata.${path}`),
      ...unknownRest.sort(),
      ...unknownEmbedded,
    ].slice(0, 100),
  };
}

const ownParts = new WeakMap<ObjectSchema, ObjectSchema>();
/**
 * Returns a kind's schema without `apiVersion`, `kind` and `metadata`. For one schema it always returns the same object, because caches use
 * that object as their key.
 */
function ownPart(schema: ObjectSchema): ObjectSchema {
  const known = ownParts.get(schema);
  if (known !== undefined) return known;
  const properties = new Map([...schema.properties].filter(([name]) => !IMPLICIT_FIELDS.includes(name)));
  const own = Object.freeze({ ...schema, properties });
  ownParts.set(schema, own);
  return own;
}

/** Decodes metadata by its own schema. Custom resources leave out an absent creation timestamp. */
function decodeMetadata(metadata: unknown, options: DecodeOptions): Decoded {
  const schema = structSchema(objectMeta);
  const { value, unknownFields } = decodeTyped(schema, metadata, options);
  const { creationTimestamp, ...others } = value;
  return { value: creationTimestamp === null ? others : value, unknownFields };
}

/** The error of an embedded object whose common fields (`apiVersion`, `kind`, `metadata`) cannot be decoded. */
class EmbeddedError extends DecodeError {
  readonly problem: FieldError;

  constructor(problem: FieldError, cause?: unknown) {
    super(formatFieldError(problem), { cause });
    this.problem = problem;
  }
}

/**
 * Returns the error of the first of an embedded object's common fields (`apiVersion`, `kind`, `metadata`) that has a wrong type; undefined
 * when all have the right type.
 */
export function embeddedTypeProblem(schema: Schema, value: JsonValue, path: string): FieldError | undefined {
  try {
    prune(schema, value, { embeddedField: (name, member, ...paths) => decodeEmbedded(name, member, paths, []) }, path);
    return undefined;
  } catch (error) {
    if (error instanceof EmbeddedError) return error.problem;
    throw error;
  }
}

function decodeEmbedded(
  name: string,
  member: unknown,
  [path, errorPath]: readonly [path: string, errorPath: string],
  unknown: string[],
): JsonValue {
  if (name !== 'metadata') {
    if (typeof member === 'string') return member;
    const shown = member === null ? member : printed(printGoValue(member));
    throw new EmbeddedError(fieldError.invalid(errorPath, shown, 'must be a string'));
  }
  try {
    const { value, unknownFields } = decodeMetadata(member ?? {}, {});
    for (const field of unknownFields) {
      if (unknown.length >= MAX_FOUND) break;
      unknown.push(`${path}.${field}`);
    }
    return value;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new EmbeddedError(fieldError.invalid(errorPath, printed(printGoValue(member)), error.message), error);
  }
}

/**
 * Returns a common field of an embedded object of a default or a stored object, which are not refused: fields that ObjectMeta does not
 * declare are dropped, and so are values of a wrong type. Stored objects contain them if the schema did not declare the embedded object
 * before. Returns the same value when nothing was dropped.
 */
export function readEmbedded(name: string, member: unknown): JsonValue | undefined {
  if (name !== 'metadata') return typeof member === 'string' ? member : undefined;
  if (member === null) return {};
  if (!isJsonObject(member)) return undefined;
  const value = readMetadata(member);
  // Members of a JSON object are JSON, so the cast is safe.
  return equalJson(value, member) ? (member as JsonObject) : value;
}

function readMetadata(metadata: Readonly<Record<string, unknown>>): JsonObject {
  try {
    return decodeMetadata(metadata, {}).value;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const known = {};
    for (const name of Object.keys(metadata))
      if (isDecodable(name, metadata[name])) setMember(known, name, metadata[name]);
    return decodeMetadata(known, {}).value;
  }
}

function isDecodable(name: string, value: unknown): boolean {
  const alone = {};
  setMember(alone, name, value);
  try {
    decodeMetadata(alone, {});
    return true;
  } catch (error) {
    if (error instanceof DecodeError) return false;
    throw error;
  }
}
