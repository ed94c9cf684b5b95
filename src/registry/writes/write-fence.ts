/**
 * A condition that every write of a request checks. A writer that can be replaced at any time, such as the leader of an election, must not
 * write after it was replaced.
 */
export interface WriteFence {
  /**
   * The key of the entry that the condition is read from. A storage that other processes write to commits a write only if this entry is
   * still the one that {@link check} has seen, so a writer that was paused between check and commit writes nothing either.
   */
  readonly key: string;
  /** Checks whether the writer may still write. @throws ApiError 503 when it may have been replaced by another one. */
  check(): void;
}
