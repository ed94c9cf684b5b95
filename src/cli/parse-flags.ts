import { parseArgs } from 'node:util';
import { messageOf } from '../values/message-of.js';
import { quote } from '../values/quote.js';
import { readFlagValue } from './flag-value.js';
import { FLAGS, type FlagDefinition, type FlagName, type Flags, type FlagValues } from './flags.js';
import { FOREIGN_FLAGS, isForeignSwitch, refuseForeign } from './foreign-flags.js';

/** An error in the command line. The message is upstream's if upstream has the same error. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

const DEFINITIONS = new Map<string, FlagDefinition>(FLAGS.map((flag) => [flag.name, flag]));
/** Returns whether flags of a type may appear without a value, which then is `true`. */
const isSwitch = (type: FlagDefinition['type']) => type === 'boolean' || type === 'version';
const OPTIONS = Object.fromEntries(
  [
    ...FLAGS.map(({ name, type }) => [name, isSwitch(type)] as const),
    ...[...FOREIGN_FLAGS].map(([name, flag]) => [name, isForeignSwitch(flag)] as const),
  ].map(([name, isAlone]) => [name, { type: isAlone ? 'boolean' : 'string', multiple: true } as const]),
);
/** Flags by their one-letter form. */
const SHORT = new Map(
  (FLAGS as readonly FlagDefinition[]).flatMap((flag) => (flag.short ? [[flag.short, flag] as const] : [])),
);

/**
 * Parses a command line: `--name=value`, `--name value`, and `--name` for booleans. `_` in a name counts as `-`. If a flag is repeated, the
 * last value is used, but lists and maps accumulate.
 * @param args the arguments without the program's own name.
 * @throws UsageError for an unknown flag, a missing or invalid value, or an argument that is not a flag.
 */
export function parseFlags(args: readonly string[]): Flags {
  const { tokens } = parseArgs({
    args: args.map(withDashes),
    options: OPTIONS,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });

  const values = new Map<string, unknown>();
  const warnings: string[] = [];
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue;
    if (token.kind === 'positional') {
      positionals.push(token.value);
      continue;
    }
    const foreign = FOREIGN_FLAGS.get(token.name);
    if (foreign !== undefined) {
      const problem = refuseForeign(token.name, foreign, token.value);
      if (problem !== undefined) throw new UsageError(problem);
      if (foreign.deprecated !== undefined) warnings.push(warning(token.name, foreign.deprecated));
      continue;
    }
    const short = token.rawName.startsWith('--') ? undefined : token.name;
    const definition = short === undefined ? DEFINITIONS.get(token.name) : SHORT.get(short);
    if (definition === undefined) {
      throw new UsageError(
        short === undefined
          ? `unknown flag: --${token.name}${didYouMean(token.name)}`
          : `unknown shorthand flag: '${short}' in ${args[token.index] ?? ''}`,
      );
    }
    const text = token.value ?? (isSwitch(definition.type) ? 'true' : undefined);
    if (text === undefined) {
      const isShort = args[token.index]?.startsWith('--') === false;
      throw new UsageError(
        `flag needs an argument: ${isShort ? `'${definition.short}' in ${args[token.index]}` : `--${definition.name}`}`,
      );
    }
    values.set(definition.name, readValue(definition, text, values.get(definition.name)));
    if (definition.deprecated !== undefined) warnings.push(warning(definition.name, definition.deprecated));
  }

  // Upstream ignores empty arguments.
  if (positionals.some((positional) => positional !== ''))
    throw new UsageError(`"orch-apiserver" does not take any arguments, got [${positionals.map(quote).join(' ')}]`);
  const setFlags = new Set(values.keys());
  for (const definition of FLAGS as readonly FlagDefinition[]) {
    if (setFlags.has(definition.name)) continue;
    const text = definition.default;
    values.set(definition.name, text === undefined ? undefined : readValue(definition, String(text), undefined));
  }
  // The loops set every flag in the table to a value of the type in its definition, so the casts are safe.
  return {
    values: Object.fromEntries(values) as unknown as FlagValues,
    setFlags: setFlags as ReadonlySet<FlagName>,
    warnings,
  };
}

const warning = (name: string, words: string) => `Flag --${name} has been deprecated, ${words}`;

function didYouMean(name: string): string {
  const suggestion = suggest(name, [...DEFINITIONS.keys()]);
  return suggestion === undefined ? '' : `, did you mean --${suggestion}?`;
}

function readValue(definition: FlagDefinition, text: string, before: unknown): unknown {
  try {
    return readFlagValue(definition, text, before);
  } catch (error) {
    const why = messageOf(error);
    const { name, short } = definition;
    const shown = short === undefined ? `--${name}` : `-${short}, --${name}`;
    throw new UsageError(`invalid argument ${quote(text)} for "${shown}" flag: ${why}`);
  }
}

function withDashes(argument: string): string {
  const [name = ''] = argument.split('=', 1);
  // `-v` is the only short flag with a value: `-v 3`, `-v=3`, `-v3`.
  if (name.startsWith('-v')) return argument.replace(/^-v(?:=(?=.)|(?=.))/s, '--v=').replace(/^-v$/, '--v');
  return name.startsWith('--') ? name.replaceAll('_', '-') + argument.slice(name.length) : argument;
}

/**
 * Returns the name that the user probably meant: the nearest one that differs in at most a third of its letters, or else the only name that
 * begins with `word` or contains it.
 */
export function suggest(word: string, names: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Math.max(1, Math.floor(Math.min(word.length, 64) / 3)) + 1;
  for (const name of names) {
    // The difference in length is a lower bound of the distance, so this name cannot be nearer than the best one so far.
    if (Math.abs(name.length - word.length) >= least || name.length < 2) continue;
    const steps = distance(word, name);
    if (steps < least) [best, least] = [name, steps];
  }
  if (best !== undefined || word.length < 4) return best;
  for (const has of [(name: string) => name.startsWith(word), (name: string) => name.includes(word)]) {
    const [first, ...others] = names.filter(has);
    if (first !== undefined && others.length === 0) return first;
  }
  return undefined;
}

/** Returns the edit distance: how many letters must be inserted, deleted or replaced to turn one word into the other. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, j) => j);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
