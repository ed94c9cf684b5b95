/** A slot that a request occupies until it ends. */
export interface Slot {
  /**
   * Frees the slot.
   * @param now a clock reading, if the caller has one
   */
  release(now?: number): void;
}
