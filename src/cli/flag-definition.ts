/**
 * The type of a flag's value. A duration is in milliseconds, and a level is a log verbosity. A list is one record of CSV unless `whole` is
 * set. A map consists of `key=value` pairs.
 */
export type FlagType = 'string' | 'boolean' | 'integer' | 'level' | 'number' | 'duration' | 'list' | 'map';

export interface FlagDefinition {
  readonly name: string;
  readonly type: FlagType;
  /** The heading of the flag in the help. */
  readonly group: string;
  /** Description in one line. */
  readonly help: string;
  readonly default?: string | boolean | number;
  /** For lists and maps: the whole argument is one entry, so commas are part of it. */
  readonly whole?: true;
  /** For maps: an argument with a single pair may contain commas, and one with several pairs is a CSV record. */
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

/** The values of flags: the value from the command line, else the default, else undefined. */
export type ValuesOf<F extends FlagDefinition> = { readonly [D in F as D['name']]: ValueOf<D> };
