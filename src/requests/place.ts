/** A slot that a request in flight holds, to be released when it ends. */
export interface Place {
  /** @param now a reading of the clock, where the caller has one */
  release(now?: number): void;
}
