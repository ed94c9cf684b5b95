import { stringifyJson } from '../serialization/json/encode.js';

/**
 * The maximum number of annotation sets that are cached. A set is not cached if a key or value in it is longer than `MAX_LENGTH`
 * characters.
 */
const MAX_KNOWN = 4096;
const MAX_LENGTH = 512;
let known = 0;

/**
 * The annotations of an audit event, as an immutable value. Most requests have one of a few sets of annotations, so each set caches the
 * sets that extend it by one annotation.
 */
export class Annotations {
  static readonly none: Annotations = new Annotations(undefined, '', '');
  readonly #before: Annotations | undefined;
  readonly #key: string;
  readonly #value: string;
  /** The sets that extend this one, by the key and the value of the added annotation. */
  #more: Map<string, Map<string, Annotations>> | undefined;
  /** The extension that was requested last. It is cached, because most requests add the same annotations. */
  #last: Annotations | undefined;
  #text: string | undefined;

  private constructor(before: Annotations | undefined, key: string, value: string) {
    this.#before = before;
    this.#key = key;
    this.#value = value;
  }

  /** Returns a set with one more annotation; the first value of a key is kept. */
  with(key: string, value: string): Annotations {
    const last = this.#last;
    if (last && last.#value === value && last.#key === key) return last;
    const found = this.#more?.get(key)?.get(value);
    if (found) return (this.#last = found);
    if (this.#has(key)) return this;
    const extended = new Annotations(this, key, value);
    if (value.length > MAX_LENGTH || key.length > MAX_LENGTH) return extended;
    // Callers choose some of the values, so the number of cached sets is limited to bound the memory.
    if (++known > MAX_KNOWN) {
      Annotations.none.#more = undefined;
      Annotations.none.#last = undefined;
      known = 1;
      return extended;
    }
    this.#more ??= new Map();
    const values = this.#more.get(key);
    if (values) values.set(value, extended);
    else this.#more.set(key, new Map([[value, extended]]));
    return (this.#last = extended);
  }

  /**
   * The annotations as the last member of an event in JSON, sorted by key as Go writes maps. The string begins with the comma before the
   * member and ends with the brace that closes the event.
   */
  get last(): string {
    return (this.#text ??= this.#write());
  }

  #has(key: string): boolean {
    for (let annotation: Annotations = this; annotation.#before; annotation = annotation.#before)
      if (annotation.#key === key) return true;
    return false;
  }

  #write(): string {
    const all: Annotations[] = [];
    for (let annotation: Annotations = this; annotation.#before; annotation = annotation.#before) all.push(annotation);
    if (all.length === 0) return '}';
    all.sort((a, b) => (a.#key < b.#key ? -1 : 1));
    const members = all.map((each) => `"${escapeText(each.#key)}":"${escapeText(each.#value)}"`);
    return [',"annotations":{', members.join(','), '}}'].join('');
  }
}

/** Matches strings that need no escapes in the JSON that Go writes. Nearly all strings match. */
const PLAIN = /^[ !#-%'-;=?-[\]-~]*$/;

/** Returns a string as it is written between the quotes of a JSON string. */
export const escapeText = (text: string): string => (PLAIN.test(text) ? text : stringifyJson(text).slice(1, -1));
