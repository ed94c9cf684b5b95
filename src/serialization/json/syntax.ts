import { quote } from '../../values/quote.js';

/** The maximum depth of nested arrays and objects in a body (spec 18.1). */
export const MAX_DEPTH = 10_000;

type State =
  | 'value'
  | 'valueOrEnd'
  | 'key'
  | 'keyOrEnd'
  | 'afterValue'
  | 'string'
  | 'escape'
  | 'hex'
  | 'literal'
  | 'minus'
  | 'zero'
  | 'digits'
  | 'point'
  | 'fraction'
  | 'exponent'
  | 'exponentSign'
  | 'exponentDigits';

const LITERALS: ReadonlyMap<number, string> = new Map([
  [0x74, 'true'],
  [0x66, 'false'],
  [0x6e, 'null'],
]);
const END = 'unexpected end of JSON input';
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const isSpace = (c: number) => c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09;
const isDigit = (c: number) => c >= 0x30 && c <= 0x39;

/**
 * Returns why bytes are not a JSON document, with Go's messages (spec 9.6); undefined if they are one. It scans byte by byte and does not
 * recurse, so that it can handle a body of any depth.
 */
export function jsonSyntaxError(bytes: Uint8Array): string | undefined {
  const scanner = new SyntaxScanner();
  for (let i = 0; i < bytes.length; i++) {
    const problem = scanner.step(bytes[i] ?? 0);
    if (problem !== undefined) return problem;
  }
  return scanner.end();
}

/** The container of the current position: 'k' an object before a colon, 'v' an object after a colon, 'a' an array. */
type Frame = 'k' | 'v' | 'a';

class SyntaxScanner {
  #state: State = 'value';
  readonly #frames: Frame[] = [];
  #literal = '';
  /** The number of characters of the current literal or hexadecimal escape that have been read. */
  #seen = 0;

  /** Reads one byte; returns the error message if the byte is not allowed. */
  step(c: number): string | undefined {
    switch (this.#state) {
      case 'value':
        return isSpace(c) ? undefined : this.#beginValue(c);
      case 'valueOrEnd':
        if (isSpace(c)) return undefined;
        return c === 0x5d ? this.#close() : this.#beginValue(c);
      case 'key':
      case 'keyOrEnd':
        return this.#beginKey(c);
      case 'string':
        if (c === QUOTE) this.#state = 'afterValue';
        else if (c === BACKSLASH) this.#state = 'escape';
        else if (c < 0x20) return wrong(c, 'in string literal');
        return undefined;
      case 'escape':
        return this.#escape(c);
      case 'hex':
        if (!isDigit(c) && !((c | 0x20) >= 0x61 && (c | 0x20) <= 0x66))
          return wrong(c, 'in \\u hexadecimal character escape');
        if (++this.#seen === 4) this.#state = 'string';
        return undefined;
      case 'literal':
        return this.#continueLiteral(c);
      case 'afterValue':
        return this.#afterValue(c);
      default:
        return this.#number(c);
    }
  }

  /** Ends the input; returns the error message if the document is incomplete. */
  end(): string | undefined {
    if (this.#isDone()) return undefined;
    // A space completes a number. After any other incomplete token it causes the error that upstream reports.
    const problem = this.step(0x20);
    if (problem !== undefined) return problem;
    return this.#isDone() ? undefined : END;
  }

  #isDone(): boolean {
    return this.#state === 'afterValue' && this.#frames.length === 0;
  }

  #beginValue(c: number): string | undefined {
    if (c === 0x7b) return this.#open(c, 'k', 'keyOrEnd');
    if (c === 0x5b) return this.#open(c, 'a', 'valueOrEnd');
    if (c === QUOTE) this.#state = 'string';
    else if (c === 0x2d) this.#state = 'minus';
    else if (c === 0x30) this.#state = 'zero';
    else if (isDigit(c)) this.#state = 'digits';
    else {
      const literal = LITERALS.get(c);
      if (literal === undefined) return wrong(c, 'looking for beginning of value');
      this.#literal = literal;
      this.#seen = 1;
      this.#state = 'literal';
    }
    return undefined;
  }

  #open(c: number, frame: Frame, state: State): string | undefined {
    this.#frames.push(frame);
    this.#state = state;
    return this.#frames.length > MAX_DEPTH ? wrong(c, 'exceeded max depth') : undefined;
  }

  #close(): undefined {
    this.#frames.pop();
    this.#state = 'afterValue';
  }

  #beginKey(c: number): string | undefined {
    if (isSpace(c)) return undefined;
    if (c === 0x7d && this.#state === 'keyOrEnd') return this.#close();
    if (c !== QUOTE) return wrong(c, 'looking for beginning of object key string');
    this.#state = 'string';
    return undefined;
  }

  #escape(c: number): string | undefined {
    if (c === 0x75) {
      this.#seen = 0;
      this.#state = 'hex';
    } else if ('bfnrt\\/"'.includes(String.fromCharCode(c))) this.#state = 'string';
    else return wrong(c, 'in string escape code');
    return undefined;
  }

  #continueLiteral(c: number): string | undefined {
    const expected = this.#literal.charCodeAt(this.#seen);
    if (c !== expected) return wrong(c, `in literal ${this.#literal} (expecting ${quoteByte(expected)})`);
    if (++this.#seen === this.#literal.length) this.#state = 'afterValue';
    return undefined;
  }

  #afterValue(c: number): string | undefined {
    if (isSpace(c)) return undefined;
    const top = this.#frames.length - 1;
    switch (this.#frames[top]) {
      case undefined:
        return wrong(c, 'after top-level value');
      case 'k':
        if (c !== 0x3a) return wrong(c, 'after object key');
        this.#frames[top] = 'v';
        this.#state = 'value';
        return undefined;
      case 'v':
        if (c === 0x7d) return this.#close();
        if (c !== 0x2c) return wrong(c, 'after object key:value pair');
        this.#frames[top] = 'k';
        this.#state = 'key';
        return undefined;
      case 'a':
        if (c === 0x5d) return this.#close();
        if (c !== 0x2c) return wrong(c, 'after array element');
        this.#state = 'value';
    }
    return undefined;
  }

  #number(c: number): string | undefined {
    const digit = isDigit(c);
    switch (this.#state) {
      case 'minus':
        if (!digit) return wrong(c, 'in numeric literal');
        this.#state = c === 0x30 ? 'zero' : 'digits';
        return undefined;
      case 'point':
        if (!digit) return wrong(c, 'after decimal point in numeric literal');
        this.#state = 'fraction';
        return undefined;
      case 'exponent':
        if (c === 0x2b || c === 0x2d) {
          this.#state = 'exponentSign';
          return undefined;
        }
        break;
      case 'exponentSign':
        break;
      default:
        if (digit && this.#state !== 'zero') return undefined;
        if (c === 0x2e && (this.#state === 'zero' || this.#state === 'digits')) this.#state = 'point';
        else if ((c | 0x20) === 0x65 && this.#state !== 'exponentDigits') this.#state = 'exponent';
        else {
          this.#state = 'afterValue';
          return this.#afterValue(c);
        }
        return undefined;
    }
    if (!digit) return wrong(c, 'in exponent of numeric literal');
    this.#state = 'exponentDigits';
    return undefined;
  }
}

const wrong = (c: number, context: string) => `invalid character ${quoteByte(c)} ${context}`;

/** Prints a byte as Go's messages do: as the character with that code point. */
function quoteByte(c: number): string {
  if (c === 0x27) return "'\\''";
  if (c === QUOTE) return `'"'`;
  return `'${quote(String.fromCharCode(c)).slice(1, -1)}'`;
}
