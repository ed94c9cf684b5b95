/** One clause of an Accept header. */
export interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Go sorts up to this number of clauses by insertion. If there are more, ties keep the order of the header. */
const QUIRKY_SORT_MAX = 12;

/**
 * Parses the clauses of an Accept header, best first (spec 9.2). Malformed clauses and parameters are skipped. A quality of 0 does not
 * exclude a type but ranks it last. Ties are sorted as upstream does.
 */
export function parseAccept(header: string): AcceptClause[] {
  const clauses: AcceptClause[] = [];
  for (const part of header.split(',')) {
    const clause = parseClause(part);
    if (clause !== undefined) clauses.push(clause);
  }
  return clauses.length <= QUIRKY_SORT_MAX
    ? insertionSort(clauses)
    : clauses.sort((a, b) => Number(isBefore(b, a)) - Number(isBefore(a, b)));
}

/** Removes spaces at both ends. As in upstream, a tab is part of a name. */
const trimSpaces = (text: string): string => {
  let start = 0;
  let end = text.length;
  while (text.charAt(start) === ' ') start++;
  while (end > start && text.charAt(end - 1) === ' ') end--;
  return text.slice(start, end);
};

function parseClause(part: string): AcceptClause | undefined {
  const [range = '', ...rest] = trimSpaces(part).split(';');
  const slash = range.indexOf('/');
  const type = trimSpaces(slash < 0 ? range : range.slice(0, slash));
  let subtype = slash < 0 ? '' : range.slice(slash + 1);
  if (subtype === '') {
    if (type !== '*') return undefined;
    subtype = '*';
  }
  if (/\/./.test(subtype)) return undefined;
  let quality = 1;
  const parameters = new Map<string, string>();
  for (const parameter of rest) {
    const [name = '', value = '', ...more] = parameter.split('=');
    if ((value === '' && more.length === 0) || more.join('=') !== '') continue;
    const token = trimSpaces(name);
    if (token === 'q') quality = parseQuality(value);
    else parameters.set(token, trimSpaces(value));
  }
  return { type, subtype: trimSpaces(subtype.replace(/\/$/, '')), quality, parameters };
}

/** Parses a quality as a number of Go; a string that is not a number counts as 0. */
function parseQuality(text: string): number {
  const infinite = /^([+-]?)inf(?:inity)?$/i.exec(text);
  if (infinite) return infinite[1] === '-' ? -Infinity : Infinity;
  if (/^nan$/i.test(text)) return Number.NaN;
  // Go compares qualities with the precision of 32 bits.
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) ? Math.fround(Number(text)) : 0;
}

/**
 * Returns whether `a` comes before `b`, as upstream compares clauses. This is not a consistent order: a wildcard comes after a clause with
 * lower quality.
 */
function isBefore(a: AcceptClause, b: AcceptClause): boolean {
  if (a.quality > b.quality) return true;
  if (a.type !== '*' && b.type === '*') return true;
  return a.subtype !== '*' && b.subtype === '*';
}

/**
 * Sorts clauses with an insertion sort, like upstream. Another algorithm could produce another order, because {@link isBefore} is not a
 * consistent order.
 */
function insertionSort(clauses: AcceptClause[]): AcceptClause[] {
  for (let i = 1; i < clauses.length; i++) {
    for (let j = i; j > 0; j--) {
      const later = clauses[j];
      const earlier = clauses[j - 1];
      if (later === undefined || earlier === undefined || !isBefore(later, earlier)) break;
      clauses[j] = earlier;
      clauses[j - 1] = later;
    }
  }
  return clauses;
}
