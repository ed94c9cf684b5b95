export function checkHistory(history: {
  readonly versions: readonly object[];
  readonly operations: readonly object[];
  readonly watchers: readonly object[];
}): string[];
