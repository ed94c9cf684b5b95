import { canonicalJson, compareText, compareValues, membersOf } from '../../json/order.js';
import { printGoNumber } from '../../json/print-go.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.js';
import { cachedByText } from '../../values/memoize.js';
import { quote } from '../../values/quote.js';

/**
 * One element of a path, written as in FieldsV1 (spec 6.3):
 *
 *   f:name                 the field `name` of an object
 *   k:{"name":"x"}         the item of a map list with these keys
 *   v:"x"                  the item of a set
 *   i:0                    the item at an index (no current schema uses these)
 *
 * Each element has exactly one string form, so elements are equal when their strings are equal.
 */
export type PathElement = string;

/** The elements of a path from the root down. */
export type Path = readonly PathElement[];

// The strings are cached, because engines access a member much faster by a string they have seen before.
export const fieldElement = cachedByText((name): PathElement => `f:${name}`);

/** Returns the element of an item with these keys, which may be in any order. */
export function keyElement(keys: JsonObject): PathElement {
  return `k:{${membersOf(keys)
    .map(([name, value]) => `${elementName(name)}:${elementValue(value)}`)
    .join(',')}}`;
}
export function valueElement(value: JsonValue): PathElement {
  return `v:${elementValue(value)}`;
}

/** Returns the text that represents a value in a path element. */
export function elementValue(value: JsonValue): string {
  return withLongEscapes(canonicalJson(value));
}
/** Returns the text that represents the name of a key in a path element. Unlike in values, `<`, `>` and `&` are not escaped. */
export function elementName(name: string): string {
  return withLongEscapes(JSON.stringify(name));
}
/** Upstream's writer of path elements has no short escapes for backspace and form feed. */
function withLongEscapes(json: string): string {
  return json.includes('\\') ? json.replace(/\\(.)/g, (pair, char: string) => LONG_ESCAPES[char] ?? pair) : json;
}
const LONG_ESCAPES: Readonly<Record<string, string>> = { b: '\\u0008', f: '\\u000c' };

export function indexElement(index: number): PathElement {
  return `i:${index}`;
}

/**
 * Parses an element that a client sent; undefined when its kind is unknown.
 * @throws SyntaxError for an element that is not valid.
 */
export function parsePathElement(text: string): PathElement | undefined {
  if (text.length < 2) throw new SyntaxError('key must be 2 characters long:');
  if (text[1] !== ':') throw new SyntaxError(`missing colon: ${text}`);
  const content = text.slice(2);
  switch (text[0]) {
    case 'f':
      return text;
    case 'v':
      return valueElement(JSON.parse(content));
    case 'k': {
      const keys: JsonValue = JSON.parse(content);
      if (!isJsonObject(keys)) throw new SyntaxError(`not an object of keys: ${text}`);
      return keyElement(keys);
    }
    case 'i':
      if (!/^[+-]?\d+$/.test(content)) throw new SyntaxError(`not an index: ${text}`);
      return indexElement(Number(content));
    default:
      return undefined;
  }
}

/** Compares elements in the order of FieldsV1 and of messages: fields by name, then keys, values and indices by value. */
export function comparePathElements(a: PathElement, b: PathElement): number {
  if (a === b) return 0;
  if (a[0] === 'f' && b[0] === 'f') return compareText(a, b); // Most elements are fields, which need no parsing.
  const kind = KINDS.indexOf(a[0] ?? '') - KINDS.indexOf(b[0] ?? '');
  return kind !== 0 ? kind : compareValues(contentOf(a), contentOf(b));
}
// `.` is the item itself and comes before everything below it.
const KINDS = '.fkvi';

/**
 * Returns the indexes of very many elements in sorted order; equal elements keep their order. The result is undefined when the elements are
 * in order already. Each element is parsed once, not at each comparison.
 */
export function elementOrder(elements: readonly PathElement[]): readonly number[] | undefined {
  const readable = elements.every(isField)
    ? elements.map((element, place): Readable => ({ place, kind: 1, content: element }))
    : elements.map(readElement);
  if (areInOrder(readable)) return undefined;
  return readable.sort(compareReadable).map(({ place }) => place);
}
// 0x66 is the character code of `f`.
const isField = (element: PathElement) => element.charCodeAt(0) === 0x66 || element === '.';

interface Readable {
  readonly place: number;
  readonly kind: number;
  readonly content: JsonValue;
}
function compareReadable(a: Readable, b: Readable): number {
  return a.kind === b.kind ? compareValues(a.content, b.content) : a.kind - b.kind;
}

/** Parses an element for a comparison. The result is not cached, because very many would be evicted before their next use. */
function readElement(element: PathElement, place: number): Readable {
  const kind = KINDS.indexOf(element[0] ?? '');
  return { place, kind, content: kind < 2 ? element : readContent(element) };
}

function areInOrder(items: readonly Readable[]): boolean {
  for (let i = 1; i < items.length; i++)
    // Both indexes are in bounds, so the casts are safe.
    if (compareReadable(items[i - 1] as Readable, items[i] as Readable) > 0) return false;
  return true;
}

/** Parses the JSON of an element. Most elements contain a plain string, which is sliced out without parsing. */
function readContent(element: PathElement): JsonValue {
  const isPlainText = element[2] === '"' && !element.includes('\\');
  return isPlainText ? element.slice(3, -1) : (JSON.parse(element.slice(2)) as JsonValue);
}
const contentOf = cachedByText(readContent);

/** Formats an element as messages show it: `.name`, `[name="x"]`, `[="x"]`, `[0]`. */
export function formatPathElement(element: PathElement): string {
  if (element[0] === 'f') return `.${element.slice(2)}`;
  const content = contentOf(element);
  if (element[0] === 'i') return `[${content}]`;
  if (element[0] === 'v' || !isJsonObject(content)) return `[=${formatValue(content)}]`;
  return `[${membersOf(content)
    .map(([name, value]) => `${name}=${formatValue(value)}`)
    .join(',')}]`;
}

/** Formats a whole path as messages show it: `.spec.containers[name="a"].image`. */
export function formatPath(path: Path): string {
  return path.map(formatPathElement).join('');
}

/** Formats a value as paths in messages show it: strings in quotes, `[a,b]`, objects as `name=value`. */
function formatValue(value: JsonValue): string {
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `[${value.map(formatValue).join(',')}]`;
  if (typeof value === 'number') return printGoNumber(value);
  if (!isJsonObject(value)) return String(value);
  return membersOf(value)
    .map(([name, member]) => `${name}=${formatValue(member)}`)
    .join('');
}
