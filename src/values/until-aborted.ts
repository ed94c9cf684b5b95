/**
 * What a promise is fulfilled with, unless a signal fires before: whoever does not look at the signal is not waited for either.
 * @param given makes what is thrown then
 */
export function untilAborted<T>(answer: Promise<T>, signal: AbortSignal, given: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(given());
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
