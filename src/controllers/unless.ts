/** Returns a handler for `catch` that ignores the expected errors. @throws every other error. */
export const unless =
  (...expected: readonly ((error: unknown) => boolean)[]) =>
  (error: unknown): undefined => {
    if (!expected.some((isExpected) => isExpected(error))) throw error;
  };
