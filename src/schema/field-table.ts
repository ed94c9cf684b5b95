import type { JsonValue } from '../json/value.js';
import {
  any,
  boolean,
  bytes,
  double,
  int32,
  int64,
  intOrString,
  microTime,
  omitEmpty,
  quantity,
  string,
  type Typed,
  time,
} from './authoring.js';
import {
  type FieldLine,
  isNamedType,
  readLine,
  readNamedType,
  readParagraph,
  readStruct,
  splitParagraphs,
  splitType,
} from './field-table-text.js';
import { LazyProperties } from './properties.js';
import type { ObjectSchema, Property, ProtobufNumber, Schema } from './schema.js';

/**
 * The structs of one group and version of the API, read from a table: a paragraph for each struct, a line for each field. Two or more
 * spaces separate the columns.
 *
 * ```text
 * Protocol = string {SCTP, TCP, UDP}
 *
 * ContainerPort                                       A port that a container listens on.
 *   name           1  string?                         Name of the port; unique in the pod.
 *   containerPort  3  int32!                          Port of the container.
 *   protocol       4  Protocol? =TCP                  TCP, UDP or SCTP.
 * ```
 *
 * A field has a name, a number in protobuf, a type, and a description.
 *
 * - Types: `string`, `int32`, `int64`, `double`, `bool`, `Time`, `MicroTime`, `bytes`, `Quantity`, `IntOrString`, a struct or named type of
 *   this table, one of an imported table (`meta.LabelSelector`), `[]T`, and `map(T)`.
 * - A mark after the type defines how an absent value is serialized: `?` leaves out empty values, `*` leaves out null (a pointer), `~`
 *   writes null, no mark writes the zero value. `!` also writes the zero value, and declares the field as required.
 * - Words between type and mark: `atomic`, `granular`, `set`, `by(key,key)` for a list of list type map, `message` for a list that is a
 *   message of its own in protobuf.
 * - Words after the mark: `=value` for a default that OpenAPI publishes, `required` for a pointer that OpenAPI declares as required,
 *   `listed` for a struct that has `x-kubernetes-list-type: atomic` in upstream's OpenAPI although it is not a list; for strategic merge
 *   `merge`, `replace`, `retainKeys` and `key(name)`.
 * - A field without a number has `-`. The number `2.1` means field 1 of the message in field 2. In JSON the fields of this message are
 *   members of the parent.
 * - `embed 2 Struct` adds all fields of a struct. In protobuf the struct is a message in field 2.
 *
 * Words after the name of a struct: `atomic` and `granular`; `kind` adds the fields of every kind (`kind`, `apiVersion`, and `metadata` of
 * the imported `meta`); `options` adds only `kind` and `apiVersion`; `union(type: a,b)` declares `type` as the discriminator of the fields
 * a and b.
 *
 * A line `Name = type` names a type. Decoding errors print this name, or the other name in `Name = type as name`. `Name = any definition`
 * is arbitrary JSON with an OpenAPI definition of its own; `Name = object definition` is the same for arbitrary JSON objects. The values of
 * an enumeration are in braces: `{A, B}`. Bars instead of commas also make the TypeScript type a union of the values: `{A | B}`.
 * Parentheses, `(A | B)`, affect only the TypeScript type.
 *
 * A struct is created when it is first requested, and its fields when the first field is read.
 */
export interface FieldTable<Structs> {
  /** Returns the schema of a struct. @throws TypeError when the table does not have the struct */
  struct<Name extends keyof Structs & string>(name: Name): Typed<Structs[Name]>;
  /**
   * Returns the schema of a type in the words of the table, e.g. `PolicyType` or `[]IngressRule atomic`.
   * @throws TypeError when the type is neither in the table nor in its imports
   */
  type(words: string): Schema;
  /** The names of all structs, in the order of the table. */
  readonly structs: readonly string[];
}

/** Other tables whose types a table uses, and single schemas that cannot be written in a table. */
export type Imports = Readonly<Record<string, Pick<FieldTable<unknown>, 'type'> | Typed<unknown>>>;

/**
 * Returns the schemas of the structs in a table ({@link FieldTable}). A struct is parsed only when it is first used.
 * @param definitions the prefix of the structs' names in OpenAPI, e.g. `io.k8s.api.core.v1`
 * @param imports other tables and single schemas, by the names under which the table refers to them
 * @param texts the parts of the table, which are joined
 * @throws TypeError on the first use of a struct whose paragraph cannot be parsed
 */
/* @__NO_SIDE_EFFECTS__ */
export function fieldTable<Structs>(definitions: string, imports: Imports, ...texts: string[]): FieldTable<Structs> {
  return new Table<Structs>(definitions, imports, texts.join('\n'));
}

const SCALARS: Readonly<Record<string, () => Typed<unknown>>> = {
  string,
  int32,
  int64,
  double,
  bool: boolean,
  Time: time,
  MicroTime: microTime,
  bytes,
  Quantity: quantity,
  IntOrString: intOrString,
};
const PRESENCE = { '?': 'omitEmpty', '*': 'omitNull', '~': 'orNull', '!': 'always', '': 'always' } as const;
const STRATEGIES: ReadonlySet<string> = new Set(['merge', 'replace', 'retainKeys']);

// At run time, a Typed schema is a Schema, so the cast is safe.
const schemaOf = (typed: Typed<unknown>): Schema => typed as unknown as Schema;

/** The description of a kind's `metadata` field in OpenAPI. */
export const METADATA = "Standard object's metadata: the name, labels and values that the server sets.";
const METADATA_LINE = { number: '1', type: 'meta.ObjectMeta', mark: '', words: [], description: METADATA } as const;
// At run time, `omitEmpty` returns a Property, so the cast is safe.
const typeMeta = (description: string) => omitEmpty(string(), undefined, description) as unknown as Property;
/** The fields `kind` and `apiVersion`, with which every kind and the options of every request begin. */
export const TYPE_META: [string, Property][] = [
  ['kind', typeMeta('Name of the kind.')],
  ['apiVersion', typeMeta('APIVersion defines the group and the version of the kind.')],
];

class Table<Structs> implements FieldTable<Structs> {
  readonly #definitions: string;
  readonly #imports: Imports;
  #text: string;
  #paragraphs: ReadonlyMap<string, string> | undefined;
  readonly #made = new Map<string, Schema>();

  constructor(definitions: string, imports: Imports, text: string) {
    this.#definitions = definitions;
    this.#imports = imports;
    this.#text = text;
  }

  get structs(): readonly string[] {
    return [...this.#all()].flatMap(([name, text]) => (isNamedType(readParagraph(text)) ? [] : [name]));
  }

  struct<Name extends keyof Structs & string>(name: Name): Typed<Structs[Name]> {
    const schema = this.type(name);
    if (schema.type !== 'object') throw new TypeError(`${this.#definitions}.${name} is not a struct`);
    // The static types are generated from the table, so the cast is safe.
    return schema as unknown as Typed<Structs[Name]>;
  }

  #all(): ReadonlyMap<string, string> {
    this.#paragraphs ??= splitParagraphs(this.#text);
    this.#text = '';
    return this.#paragraphs;
  }

  #make(name: string): Schema {
    const text = this.#all().get(name);
    if (text === undefined) throw new TypeError(`${this.#definitions} has no ${name}`);
    const paragraph = readParagraph(text);
    if (isNamedType(paragraph)) return this.#namedSchema(name, paragraph.words);
    const { description, lines } = paragraph;
    const { words, union } = readStruct(paragraph.words);
    const schema: ObjectSchema = {
      type: 'object',
      definition: `${this.#definitions}.${name}`,
      ...(description === '' ? {} : { description }),
      properties: new LazyProperties(() => new Map([...this.#commonFields(words), ...this.#fields(lines)])),
      ...(words.has('atomic') ? { mapType: 'atomic' as const } : {}),
      ...(union ? { union } : {}),
    };
    return Object.freeze(schema);
  }

  #namedSchema(name: string, words: string): Schema {
    const named = readNamedType(words);
    if ('definition' in named) return schemaOf(any({ definition: named.definition }));
    const { type, typeName, values } = named;
    const version = this.#definitions.slice(this.#definitions.lastIndexOf('.') + 1);
    return Object.freeze({
      ...this.type(type),
      typeName: typeName ?? `${version}.${name}`,
      ...(values === undefined ? {} : { enum: values }),
    } as Schema);
  }

  /** Returns the fields that the words of a struct add: those of every kind for `kind`, those of request options for `options`. */
  #commonFields(words: ReadonlySet<string>): [string, Property][] {
    if (words.has('kind')) return [...TYPE_META, ['metadata', this.#property(METADATA_LINE)]];
    return words.has('options') ? TYPE_META : [];
  }

  #fields(lines: readonly string[]): [string, Property][] {
    return lines.flatMap((text): [string, Property][] => {
      const line = readLine(text);
      if ('name' in line) return [[line.name, this.#property(line)]];
      // Tables embed only structs, so the cast is safe.
      const { properties } = this.type(line.embedded) as ObjectSchema;
      return [...properties].map(([own, field]) => [
        own,
        Object.freeze({ ...field, number: within(line.number, field.number) }),
      ]);
    });
  }

  #property({ number, type, mark, words, description }: Omit<FieldLine, 'name'>): Property {
    const { facts, value } = factsOf(words);
    const schema = this.type(type);
    return Object.freeze({
      schema: value === undefined ? schema : Object.freeze({ ...schema, default: defaultOf(schema, value) }),
      presence: PRESENCE[mark],
      ...(mark === '!' ? { required: true } : {}),
      ...(number === '-' ? {} : { number: numberOf(number) }),
      description,
      ...facts,
    });
  }

  type(words: string): Schema {
    let schema = this.#made.get(words);
    if (!schema) this.#made.set(words, (schema = this.#read(words)));
    return schema;
  }

  /** Reads a type with the optional word after it. */
  #read(words: string): Schema {
    const { type, word } = splitType(words);
    if (word !== undefined) return Object.freeze({ ...this.type(type), ...kindOf(this.type(type), word) } as Schema);
    if (type.startsWith('[]')) return Object.freeze({ type: 'list', items: this.type(type.slice(2)) });
    if (type.startsWith('map(')) return Object.freeze({ type: 'map', values: this.type(type.slice(4, -1)) });
    const scalar = SCALARS[type];
    if (scalar) return schemaOf(scalar());
    const dot = type.indexOf('.');
    const imported = this.#imports[dot < 0 ? type : type.slice(0, dot)];
    if (imported === undefined) return this.#make(type);
    return 'type' in imported && typeof imported.type === 'function'
      ? imported.type(type.slice(dot + 1))
      : schemaOf(imported as Typed<unknown>);
  }
}

/** Returns the schema members that a word after a list, a map, a struct or bytes defines. */
function kindOf({ type }: Schema, word: string): object {
  if (word === 'message') return { ownMessage: true };
  if (word.startsWith('by(')) return { listType: 'map', mapKeys: word.slice(3, -1).split(',') };
  return type === 'list' || type === 'string' ? { listType: word } : { mapType: word };
}

/** Returns the members of a property that the words after its mark define. */
function factsOf(words: readonly string[]) {
  const facts: {
    patchStrategy?: ('merge' | 'replace' | 'retainKeys')[];
    patchMergeKey?: string;
    required?: true;
    listType?: 'atomic';
  } = {};
  let value: string | undefined;
  for (const word of words) {
    if (word.startsWith('=')) value = word.slice(1);
    else if (word === 'required') facts.required = true;
    else if (word === 'listed') facts.listType = 'atomic';
    else if (word.startsWith('key(')) facts.patchMergeKey = word.slice(4, -1);
    else if (STRATEGIES.has(word)) (facts.patchStrategy ??= []).push(word as 'merge');
    else throw new TypeError(`unknown word ${word}`);
  }
  return { facts, value };
}

const defaultOf = ({ type }: Schema, text: string): JsonValue =>
  type === 'string' ? (text === '""' ? '' : text) : (JSON.parse(text) as JsonValue);

function numberOf(text: string): ProtobufNumber {
  const [first = 0, second, ...more] = text.split('.').map(Number);
  return second === undefined ? first : [first, second, ...more];
}

function within(at: string, number: ProtobufNumber | undefined): ProtobufNumber {
  if (number === undefined) throw new TypeError('an embedded field needs a number');
  return numberOf([at, number].flat().join('.'));
}
