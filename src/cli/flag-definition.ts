/**
 * What a flag's text becomes: durations are milliseconds; a level is a verbosity; lists are fields of CSV unless `whole`; maps are
 * `key=value`.
 */
export type FlagType = 'string' | 'boolean' | 'integer' | 'level' | 'number' | 'duration' | 'list' | 'map';

export interface FlagDefinition {
  readonly name: string;
  readonly type: FlagType;
  /** Heading in the help. */
  readonly group: string;
  /** One line. */
  readonly help: string;
  readonly default?: string | boolean | number;
  /** Lists and maps: a comma is part of a value. */
  readonly whole?: true;
  /** Maps: a comma is part of a value; several pairs are fields of CSV. */
  readonly quoted?: true;
  /** The letter that means the same after one dash. */
  readonly short?: string;
  /** Said when it is given: it will go. In the reference's words. */
  readonly deprecated?: string;
  /** Strings: the only values. */
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

/** The value of each flag: as given, else its default, else undefined. */
export type ValuesOf<F extends FlagDefinition> = { readonly [D in F as D['name']]: ValueOf<D> };
