/**
 * The type of a flag's value. A duration is in milliseconds, a level is a verbosity, a list is one record of CSV unless `whole`, and a map
 * consists of `key=value` pairs.
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
  /** For lists and maps: the text is a single value, and commas are part of it. */
  readonly whole?: true;
  /** For maps: a single pair may contain commas, and several pairs are fields of CSV. */
  readonly quoted?: true;
  /** The one-letter form of the flag, used after a single dash. */
  readonly short?: string;
  /** The deprecation warning, in the reference's words. */
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
