/** Returns the errors with nested aggregates expanded. */
function flatten(errors: readonly Error[]): Error[] {
  return errors.flatMap((error) =>
    error instanceof AggregateError ? flatten(error.errors.filter((e) => e instanceof Error)) : [error],
  );
}

/**
 * Returns several errors as one (spec 8.5). The message of a single error is kept as it is, and several distinct messages are joined as
 * `[a, b]`. Returns undefined for an empty list.
 */
export function aggregateErrors(errors: readonly Error[]): Error | undefined {
  const all = flatten(errors);
  const messages = [...new Set(all.map((error) => error.message))];
  if (messages.length <= 1) return all[0];
  return new AggregateError(all, `[${messages.join(', ')}]`);
}
