/** A place among the requests that are served at once. */
export interface Place {
  /** @param now a reading of the clock, where the caller has one */
  release(now?: number): void;
}
