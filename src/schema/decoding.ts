import { DecodeError } from '../json/decode-error.js';
import { jsonTypeName } from '../json/number-text.js';
import { childPath } from '../meta/field-error.js';
import { typeNameOf } from './go-type-name.js';
import type { Schema } from './schema.js';

/** The maximum number of unknown fields that are reported (spec 3.10), and the maximum number of characters of their paths in total. */
const MAX_UNKNOWN = 100;
const MAX_UNKNOWN_LENGTH = 256 * 1024;
/** The maximum nesting depth of a value. Only kinds that contain themselves can exceed it. */
const MAX_DEPTH = 1000;

/** The literals of numbers, in nested maps whose keys are names of members and indexes: see `numberTexts` of {@link DecodeOptions}. */
export type NumberTexts = ReadonlyMap<string | number, NumberTexts | string>;

/** The path from the root to a value: names of fields and of map entries, indexes. */
export type Path = readonly (string | number)[];

/** Formats a path as `spec.items[0].x`. */
export function formatPath(path: Path): string {
  let out = '';
  for (const step of path) out = typeof step === 'number' ? `${out}[${step}]` : childPath(out, step);
  return out;
}

/** The state of one decoding: the current path, the first failure and the unknown fields. */
export class Decoding {
  readonly unknownFields: string[] = [];
  readonly copyRaw: boolean;
  readonly marksNumbers: boolean;
  readonly #root: Schema;
  readonly #numberTexts: NumberTexts | undefined;
  readonly #path: (string | number)[] = [];
  #depth = 0;
  #unknownLength = 0;
  #quiet = 0;
  #failure: string | undefined;

  constructor(
    root: Schema,
    options: {
      readonly copyRaw?: boolean;
      readonly numberTexts?: NumberTexts;
      readonly marksNumbers?: boolean;
    },
  ) {
    this.#root = root;
    this.copyRaw = options.copyRaw ?? false;
    this.marksNumbers = options.marksNumbers ?? false;
    this.#numberTexts = options.numberTexts?.size ? options.numberTexts : undefined;
  }

  enter(step: string | number): void {
    this.#path[this.#depth++] = step;
    if (this.#depth > MAX_DEPTH) throw new DecodeError('json: exceeded max depth');
  }
  leave(): void {
    this.#depth--;
  }

  /**
   * Records a failure; only the first one is kept. Decoding continues, because a type with its own `UnmarshalJSON` upstream throws its
   * error at once, and that error takes precedence even if it occurs later in the body.
   */
  fail(message: string): void {
    this.#failure ??= message;
  }
  /** Throws the recorded failure. @throws DecodeError when a failure was recorded */
  finish(): void {
    if (this.#failure !== undefined) throw new DecodeError(this.#failure);
  }

  /** Calls `read` without recording unknown fields. */
  withoutRecording<T>(read: () => T): T {
    this.#quiet++;
    const value = read();
    this.#quiet--; // This needs no `finally`, because an error ends the whole decoding.
    return value;
  }

  unknown(name: string): void {
    if (this.#quiet > 0) return;
    if (this.unknownFields.length >= MAX_UNKNOWN || this.#unknownLength > MAX_UNKNOWN_LENGTH) return;
    this.enter(name);
    const path = formatPath(this.#here());
    this.leave();
    this.#unknownLength += path.length;
    this.unknownFields.push(path);
  }

  /**
   * Records the failure that a value has the wrong JSON type. `detail` is the literal of a number that does not fit the type; the message
   * prints it.
   */
  wrongType(value: unknown, schema: Schema, detail?: string): void {
    if (this.#failure !== undefined) return;
    const what = detail === undefined ? jsonTypeName(value) : `number ${detail}`;
    this.fail(this.cannotUnmarshal(what, typeNameOf(schema)));
  }

  /** Returns the message for a value that cannot be decoded into the Go type `type` at the current path. `what` describes the value. */
  cannotUnmarshal(what: string, type: string): string {
    const { struct, fields } = this.#fieldPath();
    const into = fields.length === 0 ? 'value' : `struct field ${struct}.${fields.join('.')}`;
    return `json: cannot unmarshal ${what} into Go ${into} of type ${type}`;
  }

  /** Returns the literal of the current number if JavaScript would print it differently. */
  numberText(): string | undefined {
    let at: NumberTexts | string | undefined = this.#numberTexts;
    for (let i = 0; i < this.#depth && typeof at === 'object'; i++) at = at.get(this.#path[i] ?? '');
    return typeof at === 'string' ? at : undefined;
  }

  #here(): Path {
    return this.#path.slice(0, this.#depth);
  }

  // Returns the field names of the current path and the struct that has the last of these fields, as error messages print them.
  #fieldPath(): { struct: string; fields: string[] } {
    let schema: Schema | undefined = this.#root;
    let struct = '';
    const fields: string[] = [];
    for (const step of this.#here()) {
      if (schema?.type === 'object') {
        struct = typeNameOf(schema).split('.').at(-1) ?? '';
        fields.push(String(step));
        schema = schema.properties.get(String(step))?.schema;
      } else if (schema?.type === 'list') schema = schema.items;
      else if (schema?.type === 'map') schema = schema.values;
    }
    return { struct, fields };
  }
}

/** Returns the message for a string that is not base64. @param at the index of the first invalid byte */
export const badBase64 = (at: number) => `illegal base64 data at input byte ${at}`;
