import type { JsonObject, JsonValue } from '../json/value.js';
import { giveWay } from '../meta/flow.js';

const SPACE = /[ \t\n\r]*/y;
const SCALAR = /[-+.\w]+/y;
const BRACKET = /["{}[\]]/g;

/**
 * Reads another server's document, which may have many megabytes, as `JSON.parse` does, but gives way between the members of its sections
 * (`paths`, `definitions`, …): requests are answered in between.
 * @throws SyntaxError for what is not a JSON object.
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
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads the members of an object, each by `read`. A section that is not an object is read at once. */
  async members(read: ReadMember, section?: string): Promise<JsonObject> {
    if (this.#peek() !== '{') {
      if (section === undefined) throw new SyntaxError('the document is not an object');
      return this.value() as JsonObject; // `sectionOf` checks what it reads
    }
    const object: Record<string, JsonValue> = {};
    this.#at++;
    if (this.#peek() === '}') this.#at++;
    else
      do {
        const turn = giveWay();
        if (turn) await turn;
        if (this.#peek() !== '"') throw this.#unexpected();
        const name = this.value() as string; // it begins with a quote
        this.#expect(':');
        const value = await read(name);
        // As JSON.parse has it, also where the name is __proto__.
        Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true });
      } while (this.#next());
    return object;
  }

  /** The value at this place, read whole. */
  value(): JsonValue {
    const first = this.#peek();
    const start = this.#at;
    if (first === '"') this.#at = this.#endOfString(start);
    else if (first === '{' || first === '[') this.#at = this.#endOfContainer(start);
    else {
      SCALAR.lastIndex = start;
      if (!SCALAR.test(this.#text)) throw this.#unexpected();
      this.#at = SCALAR.lastIndex;
    }
    return JSON.parse(this.#text.slice(start, this.#at)) as JsonValue;
  }

  end(): void {
    if (this.#peek() !== '') throw this.#unexpected();
  }

  /** Returns the next character after spaces, '' at the end. */
  #peek(): string {
    SPACE.lastIndex = this.#at;
    SPACE.test(this.#text);
    this.#at = SPACE.lastIndex;
    return this.#text.charAt(this.#at);
  }

  /** Goes behind a comma; behind the end of an object it returns false. */
  #next(): boolean {
    const found = this.#peek();
    if (found !== ',' && found !== '}') throw this.#unexpected();
    this.#at++;
    return found === ',';
  }

  #expect(character: string): void {
    if (this.#peek() !== character) throw this.#unexpected();
    this.#at++;
  }

  #endOfString(start: number): number {
    for (let end = this.#text.indexOf('"', start + 1); end >= 0; end = this.#text.indexOf('"', end + 1)) {
      let escapes = 0;
      while (this.#text.charAt(end - 1 - escapes) === '\\') escapes++;
      if (escapes % 2 === 0) return end + 1;
    }
    throw this.#unexpected();
  }

  /** Behind the bracket that closes the one at `start`; which kind of bracket closes which, `JSON.parse` looks at. */
  #endOfContainer(start: number): number {
    let depth = 0;
    BRACKET.lastIndex = start;
    for (let found = BRACKET.exec(this.#text); found; found = BRACKET.exec(this.#text)) {
      const [bracket] = found;
      if (bracket === '"') BRACKET.lastIndex = this.#endOfString(found.index);
      else if (bracket === '{' || bracket === '[') depth++;
      else if (--depth === 0) return found.index + 1;
    }
    throw this.#unexpected();
  }

  #unexpected(): SyntaxError {
    return new SyntaxError(
      `unexpected ${this.#text.charAt(this.#at) || 'end'} at position ${this.#at} of the document`,
    );
  }
}
