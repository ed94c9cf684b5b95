import type { Skipped } from './error-strategy.js';
import type { SourceError } from './source-error.js';
import type { Token, TokenKind } from './tokens.js';

export interface Lexed {
  /** The tokens; the last one is `<EOF>`. */
  readonly tokens: readonly Token[];
  readonly errors: readonly SourceError[];
  /** The parts of the source that belong to no token and are no blanks. */
  readonly skipped: readonly Skipped[];
}

const NUMBER = /0x[0-9a-fA-F]+[uU]?|(?:\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?)|\d+[uU]?/y;
const PAIRS = new Set(['==', '!=', '<=', '>=', '&&', '||']);
const PUNCTUATION = new Set('<>[]{}().,-!?:+*/%'.split(''));
const KEYWORDS = new Set(['in', 'true', 'false', 'null']);
/**
 * After more than this number of errors, no further ones are recorded, so that a long source of invalid characters does not cause an error
 * for each of them.
 */
const MAX_ERRORS = 100;

/** Splits the source text of an expression into tokens. Text that is not a token is reported and skipped, as in upstream's lexer. */
export function lex(source: string): Lexed {
  const tokens: Token[] = [];
  const errors: SourceError[] = [];
  const skipped: Skipped[] = [];
  let at = 0;
  const add = (kind: TokenKind, end: number): void => {
    tokens.push({ kind, start: at, end });
    at = end;
  };
  while ((at = skipBlank(source, at)) < source.length) {
    const first = source.charCodeAt(at);
    const quoted = mayBeQuoted(first) ? scanQuoted(source, at) : undefined;
    if (quoted !== undefined && quoted.end > 0) {
      add(quoted.kind, quoted.end);
      continue;
    }
    const number = isDigit(first) || first === DOT ? match(NUMBER, source, at) : undefined;
    if (number !== undefined) {
      add(numberKind(number), at + number.length);
      continue;
    }
    const end = endOfName(source, at);
    if (end > at) {
      const name = source.slice(at, end);
      add((KEYWORDS.has(name) ? name : 'IDENTIFIER') as TokenKind, end);
      continue;
    }
    const pair = source.slice(at, at + 2);
    if (PAIRS.has(pair)) {
      add(pair as TokenKind, at + 2);
      continue;
    }
    const character = pair.charAt(0);
    if (PUNCTUATION.has(character)) {
      add(character as TokenKind, at + 1);
      continue;
    }
    // The reported text ends with the character at which no token was possible. That character is skipped as well.
    const failed = quoted === undefined ? at + ('=&|'.includes(character) ? 1 : 0) : -quoted.end;
    const next = Math.min(source.length, failed + characterLength(source, failed));
    if (errors.length <= MAX_ERRORS) {
      errors.push({
        offset: at,
        message: `Syntax error: token recognition error at: '${source.slice(at, next)}'`,
      });
    }
    skipped.push({ start: at, end: next });
    at = next;
  }
  tokens.push({ kind: '<EOF>', start: source.length, end: source.length });
  return { tokens, errors, skipped };
}

const DOT = 46;
const UNDERSCORE = 95;
const isDigit = (code: number): boolean => code >= 48 && code <= 57;
/** Returns whether a character can begin a string: `"`, `'` or the letter of a prefix. */
const mayBeQuoted = (code: number): boolean =>
  code === 34 || code === 39 || code === 98 || code === 66 || code === 114 || code === 82;

/** Returns the end of the name that begins at `start`; `start` itself when no name begins there. */
function endOfName(source: string, start: number): number {
  let at = start;
  for (; at < source.length; at++) {
    const code = source.charCodeAt(at);
    // This bit distinguishes lower-case letters from upper-case ones.
    const letter = code | 32;
    const isLetter = letter >= 97 && letter <= 122;
    if (!isLetter && code !== UNDERSCORE && (at === start || !isDigit(code))) break;
  }
  return at;
}

function match(pattern: RegExp, source: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0];
}

function numberKind(text: string): TokenKind {
  if (/[uU]$/.test(text)) return 'NUM_UINT';
  return !text.startsWith('0x') && /[.eE]/.test(text) ? 'NUM_FLOAT' : 'NUM_INT';
}

function skipBlank(source: string, from: number): number {
  let at = from;
  for (;;) {
    const code = source.charCodeAt(at);
    if (code === 32 || code === 9 || code === 10 || code === 13 || code === 12) at++;
    else if (code === 47 && source.charCodeAt(at + 1) === 47) {
      const end = source.indexOf('\n', at);
      at = end < 0 ? source.length : end;
    } else return at;
  }
}

/** Scans a string or bytes token. For an unterminated token `end` is the position of the failure, negated. */
function scanQuoted(source: string, start: number): { kind: 'STRING' | 'BYTES'; end: number } | undefined {
  let at = start;
  const bytes = source[at] === 'b' || source[at] === 'B';
  if (bytes) at++;
  const raw = source[at] === 'r' || source[at] === 'R';
  if (raw) at++;
  const quote = source[at];
  if (quote !== '"' && quote !== "'") return undefined;
  const kind = bytes ? 'BYTES' : 'STRING';
  if (source.startsWith(quote.repeat(3), at)) {
    const end = scanBody(source, at + 3, quote.repeat(3), raw);
    if (end > 0) return { kind, end };
  }
  const end = scanBody(source, at + 1, quote, raw);
  // An unterminated string with a prefix is not a token: its prefix is read as a name, and the quote then fails by itself.
  return end < 0 && at > start ? undefined : { kind, end };
}

function scanBody(source: string, from: number, close: string, raw: boolean): number {
  const long = close.length === 3;
  let at = from;
  while (at < source.length) {
    if (source.startsWith(close, at)) return at + close.length;
    const code = source.charCodeAt(at);
    if (!long && (code === 10 || code === 13)) return -at;
    if (code === 92 && !raw) {
      const next = scanEscape(source, at + 1);
      if (next < 0) return next;
      at = next;
    } else at++;
  }
  return -source.length;
}

const HEX_LENGTHS: Readonly<Record<string, number>> = { x: 2, X: 2, u: 4, U: 8 };

function scanEscape(source: string, at: number): number {
  const letter = source.charAt(at);
  if (letter !== '' && 'abfnrtv"\'\\?`'.includes(letter)) return at + 1;
  const digits = HEX_LENGTHS[letter];
  if (digits !== undefined) return scanDigits(source, at + 1, digits, /[0-9a-fA-F]/);
  return /[0-3]/.test(letter) ? scanDigits(source, at + 1, 2, /[0-7]/) : -at;
}

function scanDigits(source: string, from: number, count: number, digit: RegExp): number {
  for (let at = from; at < from + count; at++) if (!digit.test(source.charAt(at))) return -at;
  return from + count;
}

function characterLength(source: string, at: number): number {
  return (source.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}
