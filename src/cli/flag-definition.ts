/** What a flag's text becomes: durations are milliseconds; lists are split at commas unless `whole`; maps are `key=value`. */
export type FlagType = 'string' | 'boolean' | 'integer' | 'number' | 'duration' | 'list' | 'map';

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
  /** Said when it is given: it will go. In the reference's words. */
  readonly deprecated?: string;
  /** Strings: the only values. */
  readonly choices?: readonly string[];
}
