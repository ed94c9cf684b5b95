import type { RequestHeaders } from '../meta/request-headers.js';

const NOT_ASCII = /[^\0-\x7f]/;

/**
 * The headers of a Node request, read in place from Node's flat list of names and values. Node decodes values byte by byte; here they are
 * decoded as UTF-8, which they usually are.
 */
export class NodeHeaders implements RequestHeaders {
  readonly #raw: readonly string[];

  /** @param raw as in `request.rawHeaders`: name, value, name, value. Pseudo-headers of HTTP/2, which begin with a colon, are skipped. */
  constructor(raw: readonly string[]) {
    this.#raw = raw;
  }

  get(name: string): string | undefined {
    const raw = this.#raw;
    for (let i = 0; i < raw.length; i += 2) {
      if (sameName(raw[i], name)) return readValue(raw[i + 1]);
    }
    return undefined;
  }

  all(name: string): readonly string[] {
    const raw = this.#raw;
    const values: string[] = [];
    for (let i = 0; i < raw.length; i += 2) {
      if (sameName(raw[i], name)) values.push(readValue(raw[i + 1]));
    }
    return values;
  }

  names(prefix: string): readonly string[] {
    let names: Set<string> | undefined;
    for (let i = 0; i < this.#raw.length; i += 2) {
      const name = this.#raw[i] ?? '';
      if (!name.startsWith(':') && beginsWith(name, prefix)) (names ??= new Set()).add(name.toLowerCase());
    }
    return names === undefined ? NONE : [...names];
  }
}

/** Compares names; `name` is in lower case. Lengths are compared first, because most names differ in them. */
function sameName(raw: string | undefined, name: string): boolean {
  return raw !== undefined && raw.length === name.length && (raw === name || raw.toLowerCase() === name);
}

/** Returns whether a name has a prefix, which is in lower case. The first letter is compared first, because most names differ in it. */
function beginsWith(raw: string, prefix: string): boolean {
  const first = raw.charCodeAt(0) | 0x20;
  if (prefix !== '' && first !== (prefix.charCodeAt(0) | 0x20)) return false;
  return sameName(raw.slice(0, prefix.length), prefix);
}
const NONE: readonly string[] = Object.freeze([]);

function readValue(value = ''): string {
  return NOT_ASCII.test(value) ? Buffer.from(value, 'latin1').toString('utf8') : value;
}
