import type { OverloadCost } from '../cost/cost.js';
import { formattingEstimates, stringEstimates } from '../cost/library-estimates.js';
import { ESCAPES } from '../syntax/print.js';
import { DYN, INT, listOf, STRING } from '../typing/type.js';
import { collect, TextList } from '../values/lists.js';
import type { Int } from '../values/numbers.js';
import { describe } from '../values/print.js';
import { costSize } from '../values/size.js';
import { cut, points } from '../values/text.js';
import { EvaluationError, type ListValue, type Outcome } from '../values/value.js';
import { spend, spendText } from '../values/work.js';
import { type Definition, global, libraryOf, member } from './declare.js';
import { checkFormat } from './format/format-check.js';
import { formatText } from './format/format-text.js';
import type { Library } from './library.js';
import { reading, traversal } from './standard.js';
import { TRAVERSED } from './traversal.js';

const outOfRange = (index: Int): EvaluationError => new EvaluationError(`index out of range: ${index}`);
const isInside = (index: Int, last: number): index is number =>
  typeof index === 'number' && index >= 0 && index <= last;

function charAt(text: string, index: Int): Outcome {
  const characters = points(text);
  return isInside(index, characters.length) ? cut(characters, index, index + 1) : outOfRange(index);
}

function substring(text: string, start: Int, end?: Int): Outcome {
  const characters = points(text);
  const to = end ?? characters.length;
  if (end !== undefined && start > end) {
    return new EvaluationError(`invalid substring range. start: ${start}, end: ${end}`);
  }
  if (!isInside(start, characters.length)) return outOfRange(start);
  return isInside(to, characters.length) ? cut(characters, start, to) : outOfRange(to);
}

/** Spends the work of a search, which can be proportional to the product of both lengths. */
const spendSearch = (text: string, part: string): void => spend(Math.floor((text.length * part.length) / 128));

/** Returns the UTF-16 offset of a code point. */
const offsetOf = (characters: string | readonly string[], index: number): number =>
  typeof characters === 'string' ? index : cut(characters, 0, index).length;
const indexAt = (text: string, offset: number): number => (offset <= 0 ? offset : points(text.slice(0, offset)).length);

function indexOf(text: string, part: string, from: Int = 0): Outcome {
  if (part === '') return from;
  const characters = points(text);
  if (!isInside(from, characters.length - 1)) return outOfRange(from);
  spendSearch(text, part);
  return indexAt(text, text.indexOf(part, offsetOf(characters, from)));
}

function lastIndexOf(text: string, part: string, from?: Int): Outcome {
  const characters = points(text);
  if (part === '') return from ?? characters.length;
  const last = from ?? characters.length - 1;
  if (!isInside(last, characters.length - 1)) return outOfRange(last);
  spendSearch(text, part);
  return indexAt(text, text.lastIndexOf(part, offsetOf(characters, last)));
}

/**
 * Returns an implementation that finds the last occurrence. If the searched string is empty, the search fails before version 3 of the
 * library, and returns -1 from version 3 on.
 */
const lastOf =
  (version: number) =>
  (text: string, part: string): Outcome =>
    text === '' && version > 2 && part !== '' ? -1 : lastIndexOf(text, part);

/** Splits a string at a separator into at most `count` pieces. With an empty separator, every character is a piece. */
function pieces(text: string, separator: string, count: number): string[] {
  if (count === 0) return [];
  spend(text.length);
  const all = separator === '' ? [...text] : text.split(separator);
  if (count < 0 || all.length <= count) return all;
  return [...all.slice(0, count - 1), all.slice(count - 1).join(separator)];
}

const split = (text: string, separator: string, count: Int = -1): Outcome => {
  spendSearch(text, separator);
  return new TextList(pieces(text, separator, Number(count)));
};

function replace(text: string, old: string, by: string, count: Int = -1): Outcome {
  const times = Number(count);
  if (times === 0 || old === by) return text;
  spendSearch(text, old);
  if (old === '') return interleave(text, by, times);
  const parts = pieces(text, old, times < 0 ? -1 : times + 1);
  spendText(text.length + (parts.length - 1) * by.length);
  return parts.join(by);
}

/** Replaces the empty string: inserts `by` before every character and at the end, up to `times` times. */
function interleave(text: string, by: string, times: number): string {
  const characters = [...text];
  const before = times < 0 ? characters.length + 1 : Math.min(times, characters.length + 1);
  spendText(text.length + before * by.length);
  const head = characters.slice(0, before).map((character) => by + character);
  return head.join('') + (before > characters.length ? by : characters.slice(before).join(''));
}

function join(list: ListValue, separator = ''): Outcome {
  const parts = collect(list);
  if (parts instanceof EvaluationError) return parts;
  let length = separator.length * Math.max(0, parts.length - 1);
  for (const part of parts) {
    // Upstream prints null as the number of its enum.
    if (typeof part !== 'string')
      return new EvaluationError(`join: invalid input: ${part === null ? 0 : describe(part)}`);
    length += part.length;
  }
  spendText(length);
  return (parts as string[]).join(separator);
}

const lowerAscii = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
const upperAscii = (text: string): string => text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());

const isSpace = (character: string | undefined): boolean =>
  character !== undefined && /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/.test(character);

function trim(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isSpace(text[from])) from++;
  while (to > from && isSpace(text[to - 1])) to--;
  return text.slice(from, to);
}

/** Returns a string as a CEL string literal. */
export function quote(text: string): string {
  spendText(text.length * 2);
  const escaped = text
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/[\x07\b\f\n\r\t\v\\"]/g, (character) => ESCAPES[character] ?? character);
  return `"${escaped}"`;
}

const reverse = (text: string): string => [...text].reverse().join('');

const READ = reading(1);
const REWRITTEN = reading(2);
const WRITTEN: OverloadCost = { actualOfResult: (result) => traversal(costSize(result) * 2) };
const CERTAIN: OverloadCost = { ...READ, certainOnly: true };
const TEXTS = listOf(STRING);

const basic = (): readonly Definition[] => [
  member('charAt', 'string_char_at_int', [STRING, INT], STRING, charAt),
  member('lowerAscii', 'string_lower_ascii', [STRING], STRING, lowerAscii, READ),
  member('upperAscii', 'string_upper_ascii', [STRING], STRING, upperAscii, READ),
  member('replace', 'string_replace_string_string', [STRING, STRING, STRING], STRING, replace, REWRITTEN),
  member('replace', 'string_replace_string_string_int', [STRING, STRING, STRING, INT], STRING, replace, REWRITTEN),
  member('split', 'string_split_string', [STRING, STRING], TEXTS, split, REWRITTEN),
  member('split', 'string_split_string_int', [STRING, STRING, INT], TEXTS, split, REWRITTEN),
  member('substring', 'string_substring_int', [STRING, INT], STRING, substring, READ),
  member('substring', 'string_substring_int_int', [STRING, INT, INT], STRING, substring, READ),
  member('trim', 'string_trim', [STRING], STRING, trim, READ),
  member('join', 'list_join', [TEXTS], STRING, (list: ListValue) => join(list), WRITTEN),
  member('join', 'list_join_string', [TEXTS, STRING], STRING, join, WRITTEN),
];

/** The search functions of strings. Each costs as much as one traversal of its target. */
const searches = (version: number): readonly Definition[] => [
  member('indexOf', 'string_index_of_string', [STRING, STRING], INT, (text, part) => indexOf(text, part), TRAVERSED),
  member('indexOf', 'string_index_of_string_int', [STRING, STRING, INT], INT, indexOf, TRAVERSED),
  member('lastIndexOf', 'string_last_index_of_string', [STRING, STRING], INT, lastOf(version), TRAVERSED),
  member('lastIndexOf', 'string_last_index_of_string_int', [STRING, STRING, INT], INT, lastIndexOf, TRAVERSED),
];

const formatting = (): readonly Definition[] => [
  member('format', 'string_format', [STRING, listOf(DYN)], STRING, formatText, CERTAIN),
  global('strings.quote', 'strings_quote', [STRING], STRING, quote, CERTAIN),
];

/**
 * Returns the library of string functions.
 * @param version 0: without formatting; 1 and 2: with `format` and `strings.quote`; 3: also with `reverse`, and `lastIndexOf` in an empty
 * string returns -1 instead of an error.
 */
export function strings(version: 0 | 1 | 2 | 3): Library {
  const definitions = () => [
    ...basic(),
    ...searches(version),
    ...(version > 0 ? formatting() : []),
    ...(version > 2 ? [member('reverse', 'string_reverse', [STRING], STRING, reverse)] : []),
  ];
  const estimates = () => (version > 0 ? { ...stringEstimates(), ...formattingEstimates() } : stringEstimates());
  return libraryOf(definitions, {
    name: `strings ${version}`,
    estimates,
    ...(version > 0 ? { mixedLiterals: ['format'], checks: { format: checkFormat } } : {}),
  });
}
