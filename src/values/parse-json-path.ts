import { ParseError } from './parse-error.js';

export type Literal = string | number | boolean;
/** One side of a comparison in a filter. */
export type Operand = { readonly path: readonly PathNode[] } | { readonly literal: Literal };

/** One step of a parsed path. */
export type PathNode =
  | { readonly type: 'field'; readonly name: string }
  | { readonly type: 'wildcard' | 'recursive' }
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
      readonly left: Operand;
      readonly operator: string;
      readonly right: Operand | undefined;
    };

const MAX_DEPTH = 100;
/** Matches a field name; a backslash escapes the next character. */
const NAME = /(?:\\.|[^\s.,[\]$@{}\\])+/y;
const QUOTED = /^(?:'([^']*)'|"([^"]*)")$/;
const SLICE = /^(-?\d+)?(?:(:)(-?\d+)?(?:(:)(-?\d+)?)?)?$/;
const OPERATOR = /[<>=!]=|[<>]/g;

/** Parses a JSON path. @throws ParseError */
export function parseJsonPath(text: string, depth = 0): readonly PathNode[] {
  if (depth > MAX_DEPTH) throw new ParseError('the path is nested too deep');
  const nodes: PathNode[] = [];
  let at = 0;
  const name = (): string => {
    NAME.lastIndex = at;
    const found = NAME.exec(text)?.[0] ?? '';
    at += found.length;
    return found.replace(/\\(.)/gs, '$1');
  };
  const named = (found: string): PathNode => (found === '*' ? { type: 'wildcard' } : { type: 'field', name: found });
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === '$' || char === '@') {
      at++;
    } else if (text.startsWith('..', at)) {
      at += 2;
      nodes.push({ type: 'recursive' });
      const found = name();
      if (found !== '') nodes.push(named(found));
    } else if (char === '.') {
      at++;
      const found = name();
      // A dot without a name refers to the value itself, so it adds no step.
      if (found !== '') nodes.push(named(found));
    } else if (char === '[') {
      const end = closing(text, at);
      nodes.push(bracket(text.slice(at + 1, end), depth));
      at = end + 1;
    } else {
      const found = name();
      if (found === '') throw new ParseError(`unrecognized character in action: ${char}`);
      nodes.push(named(found));
    }
  }
  return nodes;
}

/** Returns the position of the bracket that closes the one at `from`; brackets in quoted strings do not count. @throws ParseError */
function closing(text: string, from: number): number {
  let open = 0;
  let quote = '';
  for (let i = from; i < text.length; i++) {
    const char = text.charAt(i);
    if (quote !== '') {
      if (char === '\\') i++;
      else if (char === quote) quote = '';
    } else if (char === "'" || char === '"') quote = char;
    else if (char === '[') open++;
    else if (char === ']' && --open === 0) return i;
  }
  throw new ParseError('unterminated array');
}

function bracket(text: string, depth: number): PathNode {
  const filter = /^\?\((.*)\)$/s.exec(text.trim());
  if (filter) return filterOf(filter[1] ?? '', depth);
  if (text.trim().startsWith('?')) throw new ParseError('unterminated filter');
  const parts = splitUnion(text);
  if (parts.length > 1)
    return { type: 'union', paths: parts.map((part) => parseJsonPath(`[${part.trim()}]`, depth + 1)) };
  const inner = text.trim();
  const [, single, double] = QUOTED.exec(inner) ?? [];
  const key = single ?? double;
  if (key !== undefined) return { type: 'field', name: key };
  if (inner === '*') return { type: 'wildcard' };
  const match = SLICE.exec(inner);
  if (match === null || inner === '') throw new ParseError(`invalid array index ${inner}`);
  const [, start, colon, end, , step] = match;
  const number = (digits: string | undefined) => (digits === undefined ? undefined : Number(digits));
  const every = number(step);
  return {
    type: 'slice',
    start: number(start),
    end: colon === undefined ? 'one' : number(end),
    ...(every === undefined ? {} : { step: every }),
  };
}

/** Splits at commas, except those in quoted strings. */
function splitUnion(text: string): string[] {
  return text.match(/(?:'[^']*'|"[^"]*"|[^,'"])+/g) ?? [''];
}

function filterOf(text: string, depth: number): PathNode {
  OPERATOR.lastIndex = 1; // An operator is never the first character, because its left operand precedes it.
  const found = OPERATOR.exec(text);
  const right = found ? text.slice(OPERATOR.lastIndex) : '';
  if (found === null || right === '')
    return { type: 'filter', left: operand(text, depth), operator: 'exists', right: undefined };
  return {
    type: 'filter',
    left: operand(text.slice(0, found.index), depth),
    operator: found[0],
    right: operand(right, depth),
  };
}

function operand(source: string, depth: number): Operand {
  const text = source.trim();
  const [quoted, single, double] = QUOTED.exec(text) ?? [];
  if (quoted !== undefined) return { literal: single ?? double ?? '' };
  if (/^[-+]?\d+(?:\.\d+)?$/.test(text)) return { literal: Number(text) };
  if (text === 'true' || text === 'false') return { literal: text === 'true' };
  return { path: parseJsonPath(text, depth + 1) };
}
