import { readCsv } from '../authentication/tokens/csv.js';
import { problemOfVersion } from '../discovery/version.js';
import { noBooleanText, readBooleanText } from '../values/boolean-text.js';
import { parseDuration } from '../values/duration.js';
import { quote } from '../values/quote.js';
import type { FlagDefinition } from './flags.js';
import { readLevel } from './logger.js';

const NANOSECONDS = 1e6;

/**
 * Parses the argument of a flag. For lists and maps, the new entries are added to the previous value.
 * @throws Error whose message says what is wrong with the argument, in upstream's words.
 */
export function readFlagValue(definition: FlagDefinition, text: string, before: unknown): unknown {
  switch (definition.type) {
    case 'string':
      if (definition.choices?.includes(text) === false)
        throw new Error(`must be one of: ${definition.choices.join(', ')}`);
      return text;
    case 'boolean':
      return readBoolean(text);
    case 'version': {
      if (text === 'raw') return text;
      if (!text.startsWith('v')) return readBoolean(text);
      const problem = problemOfVersion(text);
      if (problem !== undefined) throw new Error(problem);
      return text;
    }
    case 'integer':
      return readInteger(text);
    case 'level':
      return readLevel(text);
    case 'number':
      if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text))
        throw new Error(`strconv.ParseFloat: parsing ${quote(text)}: invalid syntax`);
      return Number(text);
    case 'duration':
      return Number(parseDuration(text)) / NANOSECONDS;
    case 'list': {
      const items = definition.whole ? [text] : text === '' ? [] : fieldsOf(text);
      return [...((before as readonly string[] | undefined) ?? []), ...items];
    }
    case 'map':
      return (definition.quoted ? readQuotedMap : readMap)(
        definition,
        text,
        before as ReadonlyMap<string, string> | undefined,
      );
  }
}

function readBoolean(text: string): boolean {
  const value = readBooleanText(text);
  if (value === undefined) throw new Error(noBooleanText(text));
  return value;
}

/** An integer as in Go: decimal, or with a prefix (`0x`, `0b`, `0o`, `0`) in another base, with underscores between digits. */
const INTEGER = /^[+-]?(?:0x(?:_?[\da-f])+|0b(?:_?[01])+|0o?(?:_?[0-7])+|0|[1-9](?:_?\d)*)$/i;

function readInteger(text: string): number {
  const refuse = (why: string) => new Error(`strconv.ParseInt: parsing ${quote(text)}: ${why}`);
  if (!INTEGER.test(text)) throw refuse('invalid syntax');
  const digits = text
    .replace(/^[+-]/, '')
    .replaceAll('_', '')
    .replace(/^0(?=\d)/, '0o');
  const size = Number(digits);
  if (!Number.isSafeInteger(size)) throw refuse('value out of range');
  return text.startsWith('-') && size > 0 ? -size : size;
}

/** Returns the fields of the first CSV record in a string. */
function fieldsOf(text: string): readonly string[] {
  const first = readCsv(text).next();
  if (first.done) throw new Error('EOF');
  return first.value;
}

/**
 * Parses a map whose pairs may be quoted. An argument with at most one `=` is a single pair, which may be quoted as a whole. With more than
 * one `=`, the argument is a CSV record with a pair in each field.
 */
function readQuotedMap(
  _definition: FlagDefinition,
  text: string,
  before: ReadonlyMap<string, string> | undefined,
): ReadonlyMap<string, string> {
  const map = new Map(before);
  const isSinglePair = text.split('=', 3).length < 3;
  for (const pair of isSinglePair ? [withoutQuotes(text)] : fieldsOf(text)) {
    const equals = pair.indexOf('=');
    if (equals < 0) throw new Error(`${pair} must be formatted as key=value`);
    map.set(pair.slice(0, equals), pair.slice(equals + 1));
  }
  return map;
}

function withoutQuotes(text: string): string {
  let start = 0;
  let end = text.length;
  while (text[start] === '"') start++;
  while (end > start && text[end - 1] === '"') end--;
  return text.slice(start, end);
}

/**
 * Parses a map. In `runtime-config` a key without a value gets the value '', which is interpreted later; all other flags refuse such a key.
 */
function readMap(
  definition: FlagDefinition,
  text: string,
  before: ReadonlyMap<string, string> | undefined,
): ReadonlyMap<string, string> {
  const map = new Map(before);
  for (const pair of definition.whole ? [text] : text.split(',')) {
    if (!definition.whole && pair.trim() === '') continue;
    const equals = pair.indexOf('=');
    if (equals < 0 && definition.name === 'feature-gates') throw new Error(`missing bool value for ${pair.trim()}`);
    if (equals < 0 && definition.name !== 'runtime-config') throw new Error('malformed pair, expect string=string');
    map.set((equals < 0 ? pair : pair.slice(0, equals)).trim(), equals < 0 ? '' : pair.slice(equals + 1).trim());
  }
  return map;
}
