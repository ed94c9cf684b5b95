/**
 * Resolves like a promise, unless a signal fires first. So work that ignores the signal is not awaited after the abort.
 * @param given makes the error to reject with after the abort
 */
export function untilAborted<T>(answer: Promise<T>, signal: AbortSignal, given: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(given());
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
