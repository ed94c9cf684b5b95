/*
 * The grammar of the tables of structs that field-table.ts documents. The functions split lines into words. Both the schemas and the static
 * types are created from these words.
 */

/** A paragraph of a table. It defines a struct, or a named type if its words begin with `=`. */
export interface Paragraph {
  /** The words after the name of the struct or type. */
  readonly words: string;
  readonly description: string;
  /** The lines that define the fields, without indentation. */
  readonly lines: readonly string[];
}

const COLUMNS = / {2,}/;

/** Splits a table into its paragraphs, by name. The lines of a paragraph are split when it is used, because most paragraphs never are. */
export function splitParagraphs(text: string): ReadonlyMap<string, string> {
  const paragraphs = new Map<string, string>();
  for (const paragraph of text.split(/\n(?! )/))
    if (paragraph !== '') paragraphs.set(/^\S+/.exec(paragraph)?.[0] ?? '', paragraph);
  return paragraphs;
}

export function readParagraph(text: string): Paragraph {
  const [first = '', ...lines] = text.split('\n');
  const [head = '', description = ''] = first.split(COLUMNS);
  const space = head.indexOf(' ');
  const words = space < 0 ? '' : head.slice(space + 1);
  return { words, description, lines: lines.map((line) => line.slice(2)) };
}

export const isNamedType = ({ words }: Paragraph): boolean => words.startsWith('= ');

/** The properties of a struct that follow its name in a table. */
export interface StructWords {
  /** A subset of the words `atomic`, `granular`, `kind` and `options`. */
  readonly words: ReadonlySet<string>;
  readonly union?: { readonly discriminator: string; readonly fields: readonly string[] };
}

/** Reads the words after the name of a struct. */
export function readStruct(words: string): StructWords {
  const [, plain = '', discriminator, fields = ''] = /^(.*?) ?(?:union\((\w+): ([\w,]+)\))?$/.exec(words) ?? [];
  return {
    words: new Set(plain.split(' ')),
    ...(discriminator === undefined ? {} : { union: { discriminator, fields: fields.split(',') } }),
  };
}

/**
 * A type to which the table gives a name: either arbitrary JSON (`raw`) with an OpenAPI definition of its own, or an alias of `type`, such
 * as a string enum.
 */
export type NamedType =
  | { readonly definition: string; readonly raw: 'any' | 'object' }
  | {
      readonly type: string;
      /** The name that decoding errors print, if it differs from the name in the table. */
      readonly typeName: string | undefined;
      /** The values that OpenAPI lists as `enum`. */
      readonly values: readonly string[] | undefined;
      /** The string literals to which the static type is restricted; undefined if it allows all values. */
      readonly literals: readonly string[] | undefined;
    };

/** Reads the words of a named type. */
export function readNamedType(words: string): NamedType {
  const [expression = '', typeName] = words.slice('= '.length).split(' as ');
  const [, raw, definition] = /^(any|object) (.+)$/.exec(expression) ?? [];
  if (definition !== undefined) return { definition, raw: raw as 'any' | 'object' };
  const [, type = expression, bracket, list = ''] = /^([^{(]*) ([{(])(.*)[)}]$/.exec(expression) ?? [];
  const values = bracket === undefined ? undefined : list.split(/, | \| /);
  return {
    type,
    typeName,
    values: bracket === '{' ? values : undefined,
    literals: list.includes(' | ') ? values : undefined,
  };
}

export interface FieldLine {
  readonly name: string;
  /** The protobuf number: `3`, `2.1` for field 1 of the message in field 2, or `-` for a field without a number. */
  readonly number: string;
  readonly type: string;
  readonly mark: '?' | '*' | '~' | '!' | '';
  /** The words after the mark, e.g. `=value` or `required`. */
  readonly words: readonly string[];
  readonly description: string;
}

/** A line that embeds all fields of a struct. In protobuf the struct is a message in the field `number`. */
export interface EmbedLine {
  readonly embedded: string;
  readonly number: string;
}

/** Reads a line in the paragraph of a struct. */
export function readLine(line: string): FieldLine | EmbedLine {
  const [, at, embedded] = /^embed ([\d.]+) (.+)$/.exec(line) ?? [];
  if (at !== undefined && embedded !== undefined) return { embedded, number: at };
  const [name = '', number = '', words = '', description = ''] = line.split(COLUMNS);
  const [, marked = '', after = ''] =
    /^(.*?)((?: (?:=|required|merge|replace|retainKeys|key|listed).*)?)$/.exec(words) ?? [];
  const [, type = '', mark = ''] = /^(.*?)([?*~!]?)$/.exec(marked) ?? [];
  return {
    name,
    number,
    type,
    // The regular expression matches only the marks of a FieldLine, so the cast is safe.
    mark: mark as FieldLine['mark'],
    words: after.split(' ').filter((word) => word !== ''),
    description,
  };
}

/** Splits the words of a type into the type itself and an optional last word: `atomic`, `granular`, `set`, `message` or `by(key,key)`. */
export function splitType(words: string): { readonly type: string; readonly word: string | undefined } {
  const [, type = '', word] = /^(.*?)(?: (atomic|granular|set|message|by\([\w,]+\)))?$/.exec(words) ?? [];
  return { type, word };
}
