import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.js';
import { encodeText } from '../json/encode.js';
import { literalBlock, writeString } from './emit-string.js';
import { formatNumber } from './scalar.js';

/** The length in bytes above which keys are written in the explicit form `? key`. */
const LONGEST_SIMPLE_KEY = 128;
const utf8 = new TextEncoder();

/**
 * Encodes a value as the whole body of a YAML answer, in upstream's style: keys sorted, two spaces, lists not indented under their key,
 * long lines folded (spec 9.7).
 */
export function encodeYaml(value: unknown): Uint8Array {
  return encodeText(stringifyYaml(value));
}

/** Returns the output of {@link encodeYaml} as text. */
export function stringifyYaml(value: unknown): string {
  const writer = new YamlWriter();
  // Objects of the API are JSON values, although their interfaces do not state that.
  writer.node(value as JsonValue, -2, 'root');
  return `${writer.text}\n`;
}

/** The place of a value: alone, after `-`, or after `key:`. */
type Context = 'root' | 'item' | 'member';

class YamlWriter {
  text = '';
  /** The column of the next character. */
  #column = 0;

  /**
   * Writes a value.
   * @param indent of the enclosing block; -2 at the root
   */
  node(value: JsonValue, indent: number, context: Context): void {
    if (Array.isArray(value)) this.#list(value, indent, context);
    else if (isJsonObject(value)) this.#object(value, indent, context);
    else this.#scalar(value, indent, context);
  }

  #list(list: readonly JsonValue[], indent: number, context: Context): void {
    if (list.length === 0) this.#inline('[]', context);
    // A list under a key begins at the key's own column.
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
      this.#put(writeString(key, { column: this.#column, indent: indent + 2, key: true }));
      this.#put(':');
    } else {
      this.#put('?');
      this.node(key, indent, 'member');
      this.#startLine(indent, false, 'member');
      this.#put(':');
    }
    this.node(value, indent, 'member');
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

/** Compares keys in the order of YAML output: numbers inside names by value, other characters before letters. */
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
  // Nonzero digits before the difference make a leading zero significant.
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
  const difference = BigInt(`0${seed}${l.slice(0, 400)}`) - BigInt(`0${seed}${r.slice(0, 400)}`);
  return difference === 0n ? l.length - r.length : difference < 0n ? -1 : 1;
}
