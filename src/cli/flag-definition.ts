/** What a flag's text becomes: durations are milliseconds; lists are split at commas unless `whole`; maps are `key=value`. */
export type FlagType = 'string' | 'boolean' | 'integer' | 'number' | 'duration' | 'list' | 'map';

/** The capability of the server that a flag belongs to; flags of absent capabilities are accepted without effect. */
export type Capability = 'foundation' | 'writes' | 'access' | 'identity' | 'expressions' | 'operations' | 'extension';

export interface FlagDefinition {
  readonly name: string;
  readonly type: FlagType;
  /** Heading in the help. */
  readonly group: string;
  readonly capability: Capability;
  /** One line. */
  readonly help: string;
  readonly default?: string | boolean | number;
  /** Lists and maps: a comma is part of a value. */
  readonly whole?: true;
  /** Strings: the only values. */
  readonly choices?: readonly string[];
}
