import { noBooleanText, readBooleanText } from '../values/boolean-text.js';
import type { FlagDefinition } from './flags.js';

/**
 * The value of a flag's text. Lists and maps are added to what was given before.
 * @throws Error whose message says what is wrong with the text, in the reference's words.
 */
export function readFlagValue(definition: FlagDefinition, text: string, before: unknown): unknown {
  switch (definition.type) {
    case 'string':
      if (definition.choices?.includes(text) === false)
        throw new Error(`must be one of: ${definition.choices.join(', ')}`);
      return text;
    case 'boolean':
      return readBoolean(text);
    case 'integer':
      if (!/^[+-]?\d+$/.test(text))
        throw new Error(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
      if (!Number.isSafeInteger(Number(text)))
        throw new Error(`strconv.ParseInt: parsing ${JSON.stringify(text)}: value out of range`);
      return Number(text);
    case 'number':
      if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text))
        throw new Error(`strconv.ParseFloat: parsing ${JSON.stringify(text)}: invalid syntax`);
      return Number(text);
    case 'duration':
      return readDuration(text);
    case 'list': {
      const items = definition.whole || text === '' ? [text] : text.split(',');
      return [...((before as readonly string[] | undefined) ?? []), ...(text === '' && !definition.whole ? [] : items)];
    }
    case 'map':
      return readMap(definition, text, before as ReadonlyMap<string, string> | undefined);
  }
}

function readBoolean(text: string): boolean {
  const value = readBooleanText(text);
  if (value === undefined) throw new Error(noBooleanText(text));
  return value;
}

const MILLISECONDS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/** `1h30m`, `1.5s`, `0`: milliseconds. */
function readDuration(text: string): number {
  const [, sign = '', rest = ''] = /^([+-]?)(.*)$/s.exec(text) ?? [];
  if (rest === '0') return 0;
  if (!/^(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(rest)) {
    const missing = /^(?:\d+(?:\.\d*)?|\.\d+)$/.test(rest) ? 'missing unit in' : 'invalid';
    throw new Error(`time: ${missing} duration ${JSON.stringify(text)}`);
  }
  let sum = 0;
  // Numbers and units by turns.
  const parts = rest.match(/[\d.]+|[^\d.]+/g) ?? [];
  for (let at = 0; at < parts.length; at += 2) sum += Number(parts[at]) * (MILLISECONDS[parts[at + 1] ?? ''] ?? 0);
  return sign === '-' ? -sum : sum;
}

/** Keys without a value are '' in `runtime-config`, whose rules are its reader's; elsewhere they are refused. */
function readMap(
  definition: FlagDefinition,
  text: string,
  before: ReadonlyMap<string, string> | undefined,
): ReadonlyMap<string, string> {
  const map = new Map(before);
  for (const pair of definition.whole ? [text] : text.split(',')) {
    if (pair.trim() === '') continue;
    const equals = pair.indexOf('=');
    if (equals < 0 && definition.name === 'feature-gates') throw new Error(`missing bool value for ${pair.trim()}`);
    if (equals < 0 && definition.name !== 'runtime-config') throw new Error('malformed pair, expect string=string');
    map.set((equals < 0 ? pair : pair.slice(0, equals)).trim(), equals < 0 ? '' : pair.slice(equals + 1).trim());
  }
  return map;
}
