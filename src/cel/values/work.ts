/**
 * Work that costs do not see: comparing nested values, printing them, joining, repeating. Exact costs count such a call by the size of its
 * arguments at best, so hostile expressions (`a + a` thirty times, compared) could work for hours within their budget. The meter ends them.
 */

/** Thrown, never a value: nothing absorbs it. */
export class BudgetExceeded extends Error {
  override readonly name = 'BudgetExceeded';
  /** Whether the shared budget ran out, or the limit of one evaluation. */
  readonly shared: boolean;
  constructor(shared = false) {
    super('operation cancelled: actual cost limit exceeded');
    this.shared = shared;
  }
}

/** Units of work of one evaluation: less than a second. No rule over a request of 3 MiB comes near it. */
const MOST_WORK = 20_000_000;
/** Longest text that is built, in UTF-16 units. */
const LONGEST_TEXT = 1 << 26;

let left = MOST_WORK;
let depth = 0;

/** Begins an evaluation. One inside another (a lazy variable) shares its meter. */
export function beginWork(): void {
  if (depth++ === 0) left = MOST_WORK;
}

export function endWork(): void {
  if (--depth === 0) left = MOST_WORK;
}

/**
 * Uses up work: one unit for an element or for 16 characters.
 * @throws {BudgetExceeded}
 */
export function spend(units: number): void {
  left -= units;
  if (left < 0) throw new BudgetExceeded();
}

/**
 * Asks for a text of a length before it is built.
 * @throws {BudgetExceeded}
 */
export function spendText(length: number): void {
  if (length > LONGEST_TEXT) throw new BudgetExceeded();
  spend(length >>> 4);
}
