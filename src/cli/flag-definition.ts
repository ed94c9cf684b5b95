/**
 * The types of flag values. A `duration` is parsed to milliseconds, and a `level` is a log verbosity. A `version` is a boolean, `raw`, or a
 * version that begins with `v`. The argument of a `list` is one CSV record unless `whole` is set. The argument of a `map` consists of
 * `key=value` pairs.
 */
export type FlagType = 'string' | 'boolean' | 'version' | 'integer' | 'level' | 'number' | 'duration' | 'list' | 'map';

export interface FlagDefinition {
  readonly name: string;
  readonly type: FlagType;
  /** The heading of the flag in the help. */
  readonly group: string;
  /** Description in one line. */
  readonly help: string;
  readonly default?: string | boolean | number;
  /** For lists and maps: the whole argument is a single entry, so commas in it do not separate entries. */
  readonly whole?: true;
  /** For maps: an argument with only one pair may contain commas in the value. An argument with several pairs is a CSV record. */
  readonly quoted?: true;
  /** The one-letter form of the flag, used after a single dash. */
  readonly short?: string;
  /** The deprecation warning, in upstream's words. */
  readonly deprecated?: string;
  /** For strings: the accepted values. */
  readonly choices?: readonly string[];
}

interface ValueOfType {
  readonly string: string;
  readonly boolean: boolean;
  readonly version: boolean | string;
  readonly integer: number;
  readonly level: number;
  readonly number: number;
  readonly duration: number;
  readonly list: readonly string[];
  readonly map: ReadonlyMap<string, string>;
}
type ValueOf<F extends FlagDefinition> =
  | ValueOfType[F['type']]
  | (F extends { readonly default: unknown } ? never : undefined);

/** The values of flags by name: the value on the command line, or else the default, or else undefined. */
export type ValuesOf<F extends FlagDefinition> = { readonly [D in F as D['name']]: ValueOf<D> };
