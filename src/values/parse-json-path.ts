import { formatCodePoint } from './code-point.js';
import { ParseError } from './parse-error.js';
import { trimEnd } from './trim-end.js';

export type Literal = string | number | boolean;

/** One step of a parsed path. */
export type PathNode =
  | { readonly type: 'field'; readonly name: string }
  | { readonly type: 'wildcard' | 'recursive' }
  | { readonly type: 'literal'; readonly value: Literal }
  /** A word such as `range`. A path with one can be parsed, but not evaluated. */
  | { readonly type: 'identifier' }
  | {
      readonly type: 'slice';
      readonly start: number | undefined;
      /** The end of the slice, which is excluded; `one` marks a single index. */
      readonly end: number | 'one' | undefined;
      readonly step?: number;
    }
  | { readonly type: 'union'; readonly paths: readonly (readonly PathNode[])[] }
  | {
      readonly type: 'filter';
      readonly left: readonly PathNode[];
      readonly operator: string;
      readonly right: readonly PathNode[];
    };

const MAX_DEPTH = 100;
/** Matches a field name; a backslash escapes the next character. */
const NAME = /(?:\\.|[^ \t\r\n.,[\]$@{}\\])*/sy;
const WORD = /[^ \t\r\n.,[\]$@{}]+/y;
const NUMBER = /[-+]?[\d.]*/y;
const FILTER = '[?(';
const KEY = /^'([^']*)'$/;
const SLICE = /^(-?\d*)(?:(:)(-?\d*))?(?::(-?\d*))?$/;
const OPERATOR = '!<>=';

/** Parses a JSON path with the syntax of kubectl's paths. @throws ParseError */
export function parseJsonPath(text: string, depth = 0): readonly PathNode[] {
  if (depth > MAX_DEPTH) throw new ParseError('the path is nested too deep');
  return new PathReader(text, depth).read();
}

class PathReader {
  readonly #text: string;
  readonly #depth: number;
  readonly #nodes: PathNode[] = [];
  #at = 0;

  constructor(text: string, depth: number) {
    this.#text = text;
    this.#depth = depth;
  }

  read(): readonly PathNode[] {
    while (this.#at < this.#text.length) this.#step();
    return this.#nodes;
  }

  #step(): void {
    const char = this.#text.charAt(this.#at);
    if (this.#text.startsWith(FILTER, this.#at)) this.#filter();
    else if (this.#text.startsWith('..', this.#at)) this.#recursive();
    else if (char === ' ' || char === '@' || char === '$') this.#at++;
    else if (char === '[') this.#brackets();
    else if (char === '}') this.#endAction();
    else if (char === '"' || char === "'") this.#readQuoted(char);
    else if (char === '.') {
      this.#at++;
      this.#field();
    } else if (/[-+\d]/.test(char)) this.#number();
    else if (/[\p{L}_]/u.test(char)) this.#word();
    else if (char === '\n' || char === '\r') throw new ParseError('unclosed action');
    else throw new ParseError(`unrecognized character in action: ${describe(this.#text, this.#at)}`);
  }

  /** Ends the path. As in upstream, text after a closing brace has no effect, but a further path in braces must be valid. */
  #endAction(): void {
    const next = this.#text.indexOf('{', this.#at);
    if (next >= 0) parseJsonPath(this.#text.slice(next + 1), this.#depth + 1);
    this.#at = this.#text.length;
  }

  /** Consumes the text that a pattern matches at the current position, and returns it. */
  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const token = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += token.length;
    return token;
  }

  #field(): void {
    const name = this.#take(NAME);
    this.#nodes.push(name === '*' ? { type: 'wildcard' } : { type: 'field', name: name.replaceAll('\\', '') });
  }

  #recursive(): void {
    if (this.#nodes.at(-1)?.type === 'recursive') throw new ParseError('invalid multiple recursive descent');
    this.#at += 2;
    this.#nodes.push({ type: 'recursive' });
    if (/[\p{L}\d_]/u.test(this.#text.charAt(this.#at))) this.#field();
  }

  #number(): void {
    const text = this.#take(NUMBER);
    const value = /\d/.test(text) ? Number(text) : Number.NaN;
    if (Number.isNaN(value)) throw new ParseError(`cannot parse number ${text}`);
    this.#nodes.push({ type: 'literal', value });
  }

  #word(): void {
    const word = this.#take(WORD);
    if (word === 'true' || word === 'false') this.#nodes.push({ type: 'literal', value: word === 'true' });
    else this.#nodes.push({ type: 'identifier' });
  }

  #readQuoted(quote: string): void {
    const end = quoteEnd(this.#text, this.#at + 1, quote);
    if (end < 0) throw new ParseError('unterminated quoted string');
    const value = this.#text.slice(this.#at + 1, end).replace(/\\(.)/gs, '$1');
    this.#nodes.push({ type: 'literal', value });
    this.#at = end + 1;
  }

  #brackets(): void {
    const end = this.#text.indexOf(']', this.#at);
    const text = this.#text.slice(this.#at + 1, end);
    if (end < 0 || text.includes('\n')) throw new ParseError('unterminated array');
    this.#at = end + 1;
    const parts = text.split(',');
    const key = KEY.exec(text)?.[1];
    if (parts.length > 1) {
      const paths = parts.map((part) => parseJsonPath(`[${trimEnd(part.replace(/^ +/, ''), ' ')}]`, this.#depth + 1));
      this.#nodes.push({ type: 'union', paths });
    } else if (key === undefined) this.#nodes.push(slice(text === '*' ? ':' : text));
    // A key in quotes is a path of its own: its dots separate fields unless they are escaped.
    else this.#nodes.push(...parseJsonPath(`.${key}`, this.#depth + 1));
  }

  #filter(): void {
    const from = this.#at + FILTER.length;
    const end = filterEnd(this.#text, from);
    if (end < 0) throw new ParseError('unterminated filter');
    if (this.#text.charAt(end + 1) !== ']') throw new ParseError('unclosed array expect ]');
    const text = this.#text.slice(from, end);
    const { left, operator, right } = comparison(text);
    const parse = (path: string) => parseJsonPath(path, this.#depth + 1);
    this.#nodes.push({ type: 'filter', left: parse(left), operator, right: parse(right) });
    this.#at = end + 2;
  }
}

/** Returns the position of the quote that ends a string; -1 without one. A quote after a backslash does not count. */
function quoteEnd(text: string, from: number, quote: string): number {
  for (let i = from; i < text.length && text[i] !== '\n'; i++) if (text[i] === quote && text[i - 1] !== '\\') return i;
  return -1;
}

/** Returns the position of the parenthesis that ends a filter; -1 without one. Parentheses in the filter's first string do not count. */
function filterEnd(text: string, from: number): number {
  let quote = '';
  let closed = false;
  for (let i = from; i < text.length && text[i] !== '\n'; i++) {
    const char = text.charAt(i);
    if (char === ')' && (quote === '' || closed)) return i;
    if (quote === '' && (char === '"' || char === "'")) quote = char;
    else if (char === quote && text[i - 1] !== '\\') closed = true;
  }
  return -1;
}

/** Splits a filter at its operator. A filter that does not compare two values requires that the value on its left exists. */
function comparison(text: string): { readonly left: string; readonly operator: string; readonly right: string } {
  let from = 0;
  while (from < text.length && !OPERATOR.includes(text.charAt(from))) from++;
  let to = from;
  // The value on the right has at least one character, even if that character could belong to the operator.
  while (to < text.length - 1 && OPERATOR.includes(text.charAt(to))) to++;
  if (from === 0 || to === from) return { left: text, operator: 'exists', right: '' };
  return { left: text.slice(0, from), operator: text.slice(from, to), right: text.slice(to) };
}

/** Parses the text between brackets: an index or a slice. Empty brackets mean the index 0. */
function slice(text: string): PathNode {
  const match = SLICE.exec(text);
  if (match === null) throw new ParseError(`invalid array index ${text}`);
  const [, start = '', colon, end = '', step = ''] = match;
  const every = numberOf(step);
  return {
    type: 'slice',
    start: numberOf(start),
    end: colon === undefined ? 'one' : numberOf(end),
    ...(every === undefined ? {} : { step: every }),
  };
}

function numberOf(digits: string): number | undefined {
  if (digits === '-') throw new ParseError('array index - is not a number');
  return digits === '' ? undefined : Number(digits);
}

/** Describes a character by its code point: `U+002A '*'`. */
function describe(text: string, at: number): string {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return `${formatCodePoint(character)} '${character}'`;
}
