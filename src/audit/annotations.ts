import { escaped } from './escaped.js';

/** Nodes that are kept, and the longest value of one. */
const MAX_KNOWN = 4096;
const MAX_LENGTH = 512;
let known = 0;

/**
 * What an event says beside its request. A value, to which others add: most requests come to the same few, so what was added before is
 * found rather than made.
 */
export class Annotations {
  static readonly none: Annotations = new Annotations(undefined, '', '');
  readonly #before: Annotations | undefined;
  readonly #key: string;
  readonly #value: string;
  /** What was added to these, by key and value. */
  #more: Map<string, Map<string, Annotations>> | undefined;
  /** What was added last: most requests are alike. */
  #last: Annotations | undefined;
  #text: string | undefined;

  private constructor(before: Annotations | undefined, key: string, value: string) {
    this.#before = before;
    this.#key = key;
    this.#value = value;
  }

  /** These and one more; the first of a key counts. */
  with(key: string, value: string): Annotations {
    const last = this.#last;
    if (last && last.#value === value && last.#key === key) return last;
    const found = this.#more?.get(key)?.get(value);
    if (found) return (this.#last = found);
    if (this.#has(key)) return this;
    const made = new Annotations(this, key, value);
    if (value.length > MAX_LENGTH || key.length > MAX_LENGTH) return made;
    // Whoever chooses values cannot fill the memory with them.
    if (++known > MAX_KNOWN) {
      Annotations.none.#more = undefined;
      Annotations.none.#last = undefined;
      known = 1;
      return made;
    }
    this.#more ??= new Map();
    const values = this.#more.get(key);
    if (values) values.set(value, made);
    else this.#more.set(key, new Map([[value, made]]));
    return (this.#last = made);
  }

  /** The last member of an event, by key, as maps are written, with the comma before it and the event's end. */
  get last(): string {
    return (this.#text ??= this.#write());
  }

  #has(key: string): boolean {
    for (let each: Annotations = this; each.#before; each = each.#before) if (each.#key === key) return true;
    return false;
  }

  #write(): string {
    const all: Annotations[] = [];
    for (let each: Annotations = this; each.#before; each = each.#before) all.push(each);
    if (all.length === 0) return '}';
    all.sort((a, b) => (a.#key < b.#key ? -1 : 1));
    const members = all.map((each) => `"${escaped(each.#key)}":"${escaped(each.#value)}"`);
    return [',"annotations":{', members.join(','), '}}'].join('');
  }
}
