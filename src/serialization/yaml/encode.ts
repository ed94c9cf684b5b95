import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.js';
import { encodeText } from '../json/encode.js';
import { formatNumber, resolvePlain } from './scalar.js';

/** Keys longer than this number of bytes are written in the explicit form `? key`. */
const LONGEST_SIMPLE_KEY = 128;
const utf8 = new TextEncoder();

/**
 * Encodes a value as a whole YAML response body in upstream's style: keys sorted, two spaces per level, lists not indented under their key,
 * long lines folded (spec 9.7).
 */
export function encodeYaml(value: unknown): Uint8Array {
  return encodeText(stringifyYaml(value));
}

/** Returns the output of {@link encodeYaml} as a string. */
export function stringifyYaml(value: unknown): string {
  const writer = new YamlWriter();
  // API objects are JSON values, although their interfaces do not declare it, so the cast is safe.
  writer.node(value as JsonValue, -2, 'root');
  return `${writer.text}\n`;
}

/** The place of a value: the root of the document, after `-` or the `:` of an explicit key, or after `key:`. */
type Context = 'root' | 'item' | 'member';

class YamlWriter {
  text = '';
  /** The column of the next character. */
  #column = 0;

  /**
   * Writes a value.
   * @param indent the indentation of the enclosing block; -2 at the root
   */
  node(value: JsonValue, indent: number, context: Context): void {
    if (Array.isArray(value)) this.#list(value, indent, context);
    else if (isJsonObject(value)) this.#object(value, indent, context);
    else this.#scalar(value, indent, context);
  }

  #list(list: readonly JsonValue[], indent: number, context: Context): void {
    if (list.length === 0) this.#inline('[]', context);
    // A list under a key begins at the column of the key.
    const own = context === 'member' ? indent : indent + 2;
    let sameLine = context === 'item' || context === 'root';
    for (const item of list) {
      this.#startLine(own, sameLine, context);
      this.#put('-');
      this.node(item, own, 'item');
      sameLine = false;
    }
  }

  #object(object: JsonObject, indent: number, context: Context): void {
    const keys = Object.keys(object)
      .filter((key) => object[key] !== undefined)
      .sort(compareKeys);
    if (keys.length === 0) this.#inline('{}', context);
    const own = indent + 2;
    let sameLine = context === 'item' || context === 'root';
    for (const key of keys) {
      this.#startLine(own, sameLine, context);
      sameLine = false;
      this.#member(key, object[key] ?? null, own);
    }
  }

  #member(key: string, value: JsonValue, indent: number): void {
    if (!/[\n\r\u0085\u2028\u2029]/.test(key) && utf8.encode(key).length <= LONGEST_SIMPLE_KEY) {
      this.#put(`${writeString(key, { column: this.#column, indent: indent + 2, key: true })}:`);
      this.node(value, indent, 'member');
      return;
    }
    this.#put('?');
    this.node(key, indent, 'member');
    this.#startLine(indent, false, 'member');
    this.#put(':');
    this.node(value, indent, 'item');
  }

  #scalar(value: JsonValue, indent: number, context: Context): void {
    if (typeof value !== 'string') {
      this.#inline(typeof value === 'number' ? formatNumber(value) : String(value), context);
      return;
    }
    if (context !== 'root') this.#put(' ');
    const own = context === 'root' ? 2 : indent + 2;
    this.#put(literalBlock(value, own) ?? writeString(value, { column: this.#column, indent: own, key: false }));
  }

  #inline(text: string, context: Context): void {
    this.#put(context === 'root' ? text : ` ${text}`);
  }

  #startLine(indent: number, sameLine: boolean, context: Context): void {
    if (sameLine) {
      if (context === 'item') this.#put(' ');
    } else this.#put(`\n${' '.repeat(indent)}`);
  }

  #put(text: string): void {
    this.text += text;
    const newline = text.lastIndexOf('\n');
    this.#column = newline < 0 ? this.#column + text.length : text.length - newline - 1;
  }
}

const LETTER = /^\p{L}$/u;
const isDigit = (char: string | undefined) => char !== undefined && char >= '0' && char <= '9';

/**
 * Compares keys in the order of YAML output: digits inside keys compare by their numeric value, and other characters sort before letters.
 */
export function compareKeys(a: string, b: string): number {
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  const x = a.charCodeAt(same);
  const y = b.charCodeAt(same);
  return isAsciiLetter(x) && isAsciiLetter(y) ? x - y : compareOddKeys(a, b);
}

const isAsciiLetter = (c: number) => (c | 0x20) >= 0x61 && (c | 0x20) <= 0x7a;

function compareOddKeys(a: string, b: string): number {
  const left = [...a];
  const right = [...b];
  for (let i = 0; i < left.length && i < right.length; i++) {
    const l = left[i] ?? '';
    const r = right[i] ?? '';
    if (l === r) continue;
    const leftLetter = LETTER.test(l);
    const rightLetter = LETTER.test(r);
    if (leftLetter !== rightLetter) return rightLetter ? -1 : 1;
    if (!leftLetter) {
      const byNumber = compareNumbersAt(left, right, i);
      if (byNumber !== 0) return byNumber;
    }
    return (l.codePointAt(0) ?? 0) - (r.codePointAt(0) ?? 0);
  }
  return left.length - right.length;
}

function compareNumbersAt(left: readonly string[], right: readonly string[], from: number): number {
  // If nonzero digits precede the difference, a leading zero is significant.
  let seed = '';
  if (left[from] === '0' || right[from] === '0') {
    for (let j = from - 1; j >= 0 && isDigit(left[j]); j--) {
      if (left[j] !== '0') {
        seed = '1';
        break;
      }
    }
  }
  const run = (chars: readonly string[]) => {
    let to = from;
    while (isDigit(chars[to])) to++;
    return chars.slice(from, to).join('');
  };
  const l = run(left);
  const r = run(right);
  // As in upstream, numbers overflow 64 bits.
  const value = (digits: string) => BigInt.asIntN(64, BigInt(`0${seed}${digits.slice(0, 400)}`));
  const difference = value(l) - value(r);
  return difference === 0n ? l.length - r.length : difference < 0n ? -1 : 1;
}

/** The column beyond which a line is folded at the next space. */
const WIDTH = 80;

interface Place {
  /** The column of the first character. */
  readonly column: number;
  /** The indentation of continuation lines. */
  readonly indent: number;
  /** Whether the string is a key, which is never folded. */
  readonly key: boolean;
}

const BREAK = /[\n\u2028\u2029]/;
const SPACE_BEFORE_BREAK = / \n/;
/** Matches characters that are always escaped: control characters, the byte order mark, and everything beyond 16 bits. */
const SPECIAL = /[^\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/u;
/** Matches strings such as 1:30, which YAML 1.1 parsers read as numbers in base 60. */
const BASE_60 = /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/;

/** Returns a string as a literal block (`|`), or undefined if it has no line feed or cannot be a literal block. */
function literalBlock(text: string, indent: number): string | undefined {
  if (!text.includes('\n')) return undefined;
  // Upstream quotes strings with tabs. Parsers of YAML 1.1 and 1.2 disagree on whether U+2028 and U+2029 end a line, so strings with these
  // characters are quoted, too.
  if (text.endsWith(' ') || SPACE_BEFORE_BREAK.test(text) || /[\t\u2028\u2029]/.test(text) || SPECIAL.test(text))
    return undefined;
  const hint = /^[ \n]/.test(text) ? '2' : '';
  const chomp = !text.endsWith('\n') ? '-' : text === '\n' || text.endsWith('\n\n') ? '+' : '';
  const body = text.endsWith('\n') ? text.slice(0, -1) : text;
  const prefix = ' '.repeat(indent);
  const lines = body.split('\n').map((line) => (line === '' ? '' : prefix + line));
  return `|${hint}${chomp}\n${lines.join('\n')}`;
}

/** Writes a string on one line or folded: plain if a parser would read the same string, else quoted. */
function writeString(text: string, place: Place): string {
  const readsAsOtherType = resolvePlain(text).type !== 'string' || BASE_60.test(text);
  if (readsAsOtherType || BREAK.test(text) || SPECIAL.test(text)) return doubleQuoted(text, place);
  return isPlain(text)
    ? fold(text, place, 'plain')
    : `'${fold(text.replaceAll("'", "''"), nextColumn(place), 'single')}'`;
}

const nextColumn = (place: Place): Place => ({ ...place, column: place.column + 1 });

function isPlain(text: string): boolean {
  if (/^[#,[\]{}&*!|>'"%@`]|^(?:---|\.\.\.)|^[?:-](?: |$)/.test(text)) return false;
  if (text.startsWith(' ') || text.endsWith(' ')) return false;
  return !/:(?: |$)| #/.test(text);
}

/** Breaks lines at single spaces beyond {@link WIDTH}. */
function fold(text: string, place: Place, style: 'plain' | 'single'): string {
  if (place.key || place.column + text.length <= WIDTH) return text;
  const chars = [...text];
  let out = '';
  let column = place.column;
  let spaces = false;
  for (let i = 0; i < chars.length; i++) {
    const char = chars[i] ?? '';
    if (char !== ' ') {
      spaces = false;
      out += char;
      column++;
      continue;
    }
    const inside = style === 'plain' || (i > 0 && i < chars.length - 1);
    if (!spaces && column > WIDTH && inside && chars[i + 1] !== ' ') {
      out += `\n${' '.repeat(place.indent)}`;
      column = place.indent;
    } else {
      out += char;
      column++;
    }
    spaces = true;
  }
  return out;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\0', '\\0'],
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\v', '\\v'],
  ['\f', '\\f'],
  ['\r', '\\r'],
  ['\x1b', '\\e'],
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\x85', '\\N'],
  ['\u2028', '\\L'],
  ['\u2029', '\\P'],
]);

function doubleQuoted(text: string, place: Place): string {
  const chars = [...text];
  let out = '"';
  let column = place.column + 1;
  let spaces = false;
  for (let i = 0; i < chars.length; i++) {
    const char = chars[i] ?? '';
    if (char === ' ' && !place.key && !spaces && column > WIDTH && i > 0 && i < chars.length - 1) {
      // A parser would drop an unescaped space at the start of a line, so the space is escaped.
      const escaped = chars[i + 1] === ' ' ? '\\' : '';
      out += `\n${' '.repeat(place.indent)}${escaped}`;
      column = place.indent + escaped.length;
      spaces = true;
      continue;
    }
    const written = ESCAPES.get(char) ?? (SPECIAL.test(char) ? numericEscape(char) : char);
    out += written;
    column += written === char ? 1 : written.length;
    spaces = char === ' ';
  }
  return `${out}"`;
}

function numericEscape(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const [letter, width] = code <= 0xff ? ['x', 2] : code <= 0xffff ? ['u', 4] : ['U', 8];
  return `\\${letter}${code.toString(16).toUpperCase().padStart(width, '0')}`;
}
