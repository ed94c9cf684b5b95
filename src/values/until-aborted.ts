/**
 * Resolves like a promise, unless a signal fires first. So work that ignores the signal is not awaited after the abort.
 * @param errorOf makes the error to reject with after the abort
 */
export function untilAborted<T>(answer: Promise<T>, signal: AbortSignal, errorOf: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(errorOf());
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
