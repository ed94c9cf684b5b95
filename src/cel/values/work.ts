/**
 * Limits the work that costs do not count: comparing and printing nested values, joining and repeating. The actual cost of such a call
 * depends at most on the size of its arguments, so hostile expressions (`a + a` thirty times, compared) could run for hours within their
 * cost budget.
 */

/** The error of exceeding a budget. It is thrown rather than returned as a value, so that operators cannot absorb it. */
export class BudgetExceeded extends Error {
  override readonly name = 'BudgetExceeded';
  /** Whether the budget that several expressions share was exceeded, rather than the cost limit of one evaluation. */
  readonly shared: boolean;
  constructor(shared = false) {
    super('operation cancelled: actual cost limit exceeded');
    this.shared = shared;
  }
}

/** The maximum units of work in one evaluation. They take less than a second, and a rule over a request of 3 MiB needs far fewer. */
const MOST_WORK = 20_000_000;
/** The maximum length of a string that an expression creates, in UTF-16 units. */
const LONGEST_TEXT = 1 << 26;

let left = MOST_WORK;
let depth = 0;

/** Starts an evaluation. An evaluation within another one (of a lazy variable) shares the meter of the outer one. */
export function beginWork(): void {
  if (depth++ === 0) left = MOST_WORK;
}

export function endWork(): void {
  if (--depth === 0) left = MOST_WORK;
}

/** The units of work that are left for several expressions together, such as those of one object. Default: as many as for one evaluation. */
export interface Work {
  left?: number;
}

/**
 * Runs code that spends work outside of an evaluation. Checking and compiling expressions do so, because they compile constant patterns.
 * Within another such call or an evaluation, `run` shares the meter of the outer one.
 */
export function withinWork<T>(work: Work, run: () => T): T {
  if (depth > 0) return run();
  depth = 1;
  left = work.left ?? MOST_WORK;
  try {
    return run();
  } finally {
    work.left = left;
    depth = 0;
    left = MOST_WORK;
  }
}

/**
 * Spends work: one unit for an element or for 16 characters. Outside of an evaluation and of {@link withinWork}, every call has the whole
 * limit, so that no code can use up the work of others.
 * @throws BudgetExceeded
 */
export function spend(units: number): void {
  if (depth === 0) left = MOST_WORK;
  left -= units;
  if (left < 0) throw new BudgetExceeded();
}

/**
 * Spends the work of building a string, before the string is built.
 * @throws BudgetExceeded
 */
export function spendText(length: number): void {
  if (length > LONGEST_TEXT) throw new BudgetExceeded();
  spend(length >>> 4);
}
