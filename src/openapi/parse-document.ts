import type { JsonObject, JsonValue } from '../json/value.js';
import { yieldIfDue } from '../meta/flow.js';

const SPACE = /[ \t\n\r]*/y;
const SCALAR = /[-+.\w]+/y;
const BRACKET = /["{}[\]]/g;

/**
 * Parses an aggregated API server's document like `JSON.parse`. Such a document may have many megabytes, so parsing yields to other
 * requests between the members of sections (`paths`, `definitions`, …).
 * @throws SyntaxError when the text is not a JSON object.
 */
export async function parseDocument(text: string): Promise<JsonObject> {
  const reader = new Reader(text);
  const document = await reader.members((section) => reader.members(() => reader.value(), section));
  reader.end();
  return document;
}

type ReadMember = (name: string) => JsonValue | Promise<JsonValue>;

class Reader {
  readonly #text: string;
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /**
   * Parses an object, reading each member with `read`.
   * @param section the name of the section that the object is; a section with another value than an object is returned as it is.
   * @throws SyntaxError for a document that is not an object
   */
  async members(read: ReadMember, section?: string): Promise<JsonObject> {
    if (this.#peek() !== '{') {
      if (section === undefined) throw new SyntaxError('the document is not an object');
      return this.value() as JsonObject; // Code that uses the section checks its type.
    }
    const object: Record<string, JsonValue> = {};
    this.#position++;
    if (this.#peek() === '}') this.#position++;
    else
      do {
        const turn = yieldIfDue();
        if (turn) await turn;
        if (this.#peek() !== '"') throw this.#unexpectedError();
        const name = this.value() as string; // The next character is a quote, so the value is a string.
        this.#expect(':');
        const value = await read(name);
        // Like JSON.parse, this also defines a member named `__proto__`.
        Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true });
      } while (this.#next());
    return object;
  }

  /** Parses the next value as a whole. */
  value(): JsonValue {
    const first = this.#peek();
    const start = this.#position;
    if (first === '"') this.#position = this.#endOfString(start);
    else if (first === '{' || first === '[') this.#position = this.#endOfContainer(start);
    else {
      SCALAR.lastIndex = start;
      if (!SCALAR.test(this.#text)) throw this.#unexpectedError();
      this.#position = SCALAR.lastIndex;
    }
    return JSON.parse(this.#text.slice(start, this.#position)) as JsonValue;
  }

  end(): void {
    if (this.#peek() !== '') throw this.#unexpectedError();
  }

  /** Skips white space and returns the next character, or '' at the end. */
  #peek(): string {
    SPACE.lastIndex = this.#position;
    SPACE.test(this.#text);
    this.#position = SPACE.lastIndex;
    return this.#text.charAt(this.#position);
  }

  /** Skips a comma and returns true, or skips the end of the object and returns false. */
  #next(): boolean {
    const character = this.#peek();
    if (character !== ',' && character !== '}') throw this.#unexpectedError();
    this.#position++;
    return character === ',';
  }

  #expect(character: string): void {
    if (this.#peek() !== character) throw this.#unexpectedError();
    this.#position++;
  }

  #endOfString(start: number): number {
    for (let end = this.#text.indexOf('"', start + 1); end >= 0; end = this.#text.indexOf('"', end + 1)) {
      let escapes = 0;
      while (this.#text.charAt(end - 1 - escapes) === '\\') escapes++;
      if (escapes % 2 === 0) return end + 1;
    }
    throw this.#unexpectedError();
  }

  /**
   * Returns the position after the bracket that closes the one at `start`. `JSON.parse` checks later that the types of the brackets match.
   */
  #endOfContainer(start: number): number {
    let depth = 0;
    BRACKET.lastIndex = start;
    for (let match = BRACKET.exec(this.#text); match; match = BRACKET.exec(this.#text)) {
      const [bracket] = match;
      if (bracket === '"') BRACKET.lastIndex = this.#endOfString(match.index);
      else if (bracket === '{' || bracket === '[') depth++;
      else if (--depth === 0) return match.index + 1;
    }
    throw this.#unexpectedError();
  }

  #unexpectedError(): SyntaxError {
    return new SyntaxError(
      `unexpected ${this.#text.charAt(this.#position) || 'end'} at position ${this.#position} of the document`,
    );
  }
}
