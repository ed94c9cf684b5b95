import { readInt64 } from '../values/numbers.js';
import { ParseError } from '../values/parse-error.js';
import {
  checkLabelKey,
  type LabelOperator,
  type LabelRequirement,
  type Labels,
  labelRequirement,
} from './label-requirement.js';
import { MAX_TERMS, MAX_VALUES, tooMany } from './selector-bounds.js';

/**
 * The maximum number of labels in a selector whose labels are looked up in the object. For a selector with more labels, the object's labels
 * are iterated instead.
 */
const FEW = 8;

/** A parsed label selector. */
export interface LabelSelector {
  /**
   * The requirements, sorted by key. An object is selected if all of them hold; without requirements every object is selected, unless
   * `nothing` is set.
   */
  readonly requirements: readonly LabelRequirement[];
  /** Whether the selector selects nothing. */
  readonly nothing: boolean;
  /** Returns whether labels satisfy all requirements. */
  matches(labels: Labels): boolean;
}

/** Returns the selector with the given requirements. */
export function labelSelector(requirements: readonly LabelRequirement[]): LabelSelector {
  const sorted = [...requirements].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return { requirements: sorted, nothing: false, matches: compileRequirements(sorted) };
}

/** Formats a selector, such as `a=b,c in (d,e),!f`; '' for the selector of every object. */
export function formatLabelSelector({ requirements }: LabelSelector): string {
  return requirements.map(formatRequirement).join(',');
}

function formatRequirement({ key, operator, values }: LabelRequirement): string {
  switch (operator) {
    case 'exists':
      return key;
    case '!':
      return `!${key}`;
    case 'in':
    case 'notin':
      return `${key} ${operator} (${[...values].sort().join(',')})`;
    case 'gt':
      return `${key}>${values[0] ?? ''}`;
    case 'lt':
      return `${key}<${values[0] ?? ''}`;
    default:
      return `${key}${operator}${values[0] ?? ''}`;
  }
}

/** The selector of every object. */
export const everyLabel: LabelSelector = labelSelector([]);

/** The selector of no object. */
export const noLabel: LabelSelector = { requirements: [], nothing: true, matches: () => false };

/**
 * Parses a selector such as `a=b,c in (d,e),!f` (spec 4.8).
 * @throws ParseError with the message of the 400 response. A selector with too many requirements or values is refused, too.
 */
export function parseLabelSelector(text: string): LabelSelector {
  if (text === '') return everyLabel;
  const tokens = tokenize(text);
  const requirements: LabelRequirement[] = [];
  let values = 0;
  let next = tokens.peek();
  while (next !== '') {
    if (!isWord(next) && next !== '!')
      throw new ParseError(`found '${next}', expected: !, identifier, or 'end of string'`);
    const term = parseRequirement(tokens);
    values += term.values.length;
    if (requirements.push(term) > MAX_TERMS) throw tooMany(MAX_TERMS, 'requirements');
    if (values > MAX_VALUES) throw tooMany(MAX_VALUES, 'values');
    const separator = tokens.take();
    if (separator === '') break;
    if (separator !== ',') throw new ParseError(`found '${separator}', expected: ',' or 'end of string'`);
    next = tokens.peek();
    if (!isWord(next) && next !== '!') throw new ParseError(`found '${next}', expected: identifier after ','`);
  }
  return labelSelector(requirements);
}

/** A reader of tokens; the token '' is the end of the selector. */
interface Tokens {
  peek(): string;
  take(): string;
}

// A token is an operator, or a word between operators and white space.
const TOKEN = /==|!=|[=!(),<>]|[^=!(),<> \t\r\n]+/g;

function tokenize(text: string): Tokens {
  const words = text.match(TOKEN) ?? [];
  let at = 0;
  return {
    peek: () => words[at] ?? '',
    take: () => words[at++] ?? '',
  };
}

/** Returns whether a token is a word: a key or a value. `in` and `notin` are words, too, so they can also be keys and values. */
const isWord = (token: string) => token !== '' && !/^[=!(),<>]/.test(token);

const OPERATORS: ReadonlyMap<string, LabelOperator> = new Map([
  ['in', 'in'],
  ['notin', 'notin'],
  ['=', '='],
  ['==', '=='],
  ['!=', '!='],
  ['>', 'gt'],
  ['<', 'lt'],
]);

function parseRequirement(tokens: Tokens): LabelRequirement {
  try {
    const absent = tokens.peek() === '!';
    if (absent) tokens.take();
    const key = tokens.take();
    if (!isWord(key)) throw new ParseError(`found '${key}', expected: identifier`);
    checkLabelKey(key);
    if (absent) return labelRequirement(key, '!', []);
    if (tokens.peek() === '' || tokens.peek() === ',') return labelRequirement(key, 'exists', []);
    const word = tokens.take();
    const operator = OPERATORS.get(word);
    if (operator === undefined) throw new ParseError(`found '${word}', expected: in, notin, =, ==, !=, gt, lt`);
    const isList = operator === 'in' || operator === 'notin';
    return labelRequirement(key, operator, isList ? [...new Set(list(tokens))].sort() : [exact(tokens)]);
  } catch (error) {
    throw error instanceof ParseError ? new ParseError(`unable to parse requirement: ${error.message}`) : error;
  }
}

/** Reads the value of a comparison, which may be absent. */
function exact(tokens: Tokens): string {
  if (tokens.peek() === '' || tokens.peek() === ',') return '';
  const value = tokens.take();
  if (!isWord(value)) throw new ParseError(`found '${value}', expected: identifier`);
  return value;
}

/** Reads `(a,b)`. A position without a word is an empty value. */
function list(tokens: Tokens): string[] {
  const open = tokens.take();
  if (open !== '(') throw new ParseError(`found '${open}' expected: '('`);
  const values: string[] = [];
  for (let begin = true; ; begin = false) {
    const token = tokens.take();
    if (isWord(token)) {
      values.push(token);
      const next = tokens.peek();
      if (next !== ',' && next !== ')') throw new ParseError(`found '${next}', expected: ',' or ')'`);
    } else if (token === ',') {
      if (values.length === 0) values.push('');
      const next = tokens.peek();
      if (next === ',' || next === ')') values.push('');
      if (next === ',') {
        // Between two adjacent commas is one empty value. The second comma is taken here, and the list must not end after it.
        tokens.take();
        continue;
      }
    } else if (begin && token === ')') {
      return [''];
    } else {
      const expected = begin ? "',', ')' or identifier" : "',', or identifier";
      throw new ParseError(`found '${token}', expected: ${expected}`);
    }
    if (tokens.peek() === ')') {
      tokens.take();
      return values;
    }
  }
}

/** The combined requirements of a selector on one label. */
interface LabelTest {
  /** Whether an object without this label can be selected. */
  absent: boolean;
  /** Whether an object with this label can be selected. */
  present: boolean;
  /** The values that the label may have; undefined for any value. */
  allowed?: ReadonlySet<string>;
  /** The values that the label must not have. */
  excluded?: Set<string>;
  /** The integer that the label's value must be greater than. `below` is the integer that it must be less than. */
  above?: bigint;
  below?: bigint;
}

/**
 * Compiles requirements, all of which must hold, into one test for each label. In a selector with many labels, the cost of a match depends
 * on the number of the object's labels, not on the number of requirements.
 */
function compileRequirements(requirements: readonly LabelRequirement[]): (labels: Labels) => boolean {
  const tests = new Map<string, LabelTest>();
  for (const requirement of requirements) {
    let test = tests.get(requirement.key);
    if (!test) tests.set(requirement.key, (test = { absent: true, present: true }));
    narrow(test, requirement);
  }
  const entries = [...tests];
  if (entries.length <= FEW) return (labels) => entries.every(([key, test]) => passes(test, labels?.[key]));
  const needed = entries.filter(([, { absent }]) => !absent).length;
  return (labels = {}) => {
    let matched = 0;
    for (const key in labels) {
      const test = Object.hasOwn(labels, key) ? tests.get(key) : undefined;
      if (!test) continue;
      if (!passes(test, labels[key])) return false;
      if (!test.absent) matched++;
    }
    return matched === needed;
  };
}

function narrow(test: LabelTest, { operator, values }: LabelRequirement): void {
  const [only = ''] = values;
  if (operator === '!') test.present = false;
  if (operator !== '!' && operator !== '!=' && operator !== 'notin') test.absent = false;
  if (operator === '=' || operator === '==' || operator === 'in') {
    const { allowed } = test;
    test.allowed = new Set(allowed ? values.filter((value) => allowed.has(value)) : values);
  } else if (operator === '!=' || operator === 'notin') {
    test.excluded ??= new Set();
    for (const value of values) test.excluded.add(value);
  } else if (operator === 'gt' || operator === 'lt') {
    const bound = readInt64(only);
    if (typeof bound !== 'bigint') test.present = false;
    else if (operator === 'gt') test.above = test.above === undefined || bound > test.above ? bound : test.above;
    else test.below = test.below === undefined || bound < test.below ? bound : test.below;
  }
}

/**
 * Returns whether a value passes the test. Labels are strings, so a value of any other type, such as an inherited member, counts as absent.
 */
function passes(test: LabelTest, value: unknown): boolean {
  if (typeof value !== 'string') return test.absent;
  if (!test.present) return false;
  if (test.allowed && !test.allowed.has(value)) return false;
  if (test.excluded?.has(value)) return false;
  if (test.above === undefined && test.below === undefined) return true;
  const number = readInt64(value);
  if (typeof number !== 'bigint') return false;
  return (test.above === undefined || number > test.above) && (test.below === undefined || number < test.below);
}
