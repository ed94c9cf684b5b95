/** The errors inside, aggregates opened. */
function flatten(errors: readonly Error[]): Error[] {
  return errors.flatMap((error) =>
    error instanceof AggregateError ? flatten(error.errors.filter((e) => e instanceof Error)) : [error],
  );
}

/**
 * Several errors as one: the message of the only one, or `[a, b]`, repeated messages left out (spec 8.5).
 * Undefined when there is none.
 */
export function aggregateErrors(errors: readonly Error[]): Error | undefined {
  const all = flatten(errors);
  const messages = [...new Set(all.map((error) => error.message))];
  if (messages.length <= 1) return all[0];
  return new AggregateError(all, `[${messages.join(', ')}]`);
}
