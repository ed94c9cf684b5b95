import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  subtractQuantities,
} from '../values/quantity.js';

/** Quantities of resources by name. */
export type Amounts = Readonly<Record<string, string>>;

/** Returns the quantity of one resource; undefined when the resource is missing. */
export const amountOf = (amounts: Amounts, name: string): string | undefined =>
  Object.hasOwn(amounts, name) ? amounts[name] : undefined;

export const compareAmounts = (a: string, b: string): number => compareQuantities(parseQuantity(a), parseQuantity(b));
const sum = (a: string, b: string): string => formatQuantity(addQuantities(parseQuantity(a), parseQuantity(b)));

export const subtractAmount = (a: string, b: string): string =>
  formatQuantity(subtractQuantities(parseQuantity(a), parseQuantity(b)));

/** Merges the quantities of two sets of resources. If both sets contain a resource, `of` combines its two quantities. */
function merge(a: Amounts, b: Amounts, of: (a: string, b: string) => string): Amounts {
  const merged: Record<string, string> = { ...a };
  for (const [name, amount] of Object.entries(b)) {
    const before = amountOf(a, name);
    merged[name] = before === undefined ? amount : of(before, amount);
  }
  return merged;
}

export const addAmounts = (a: Amounts, b: Amounts): Amounts => merge(a, b, sum);

/** Sums quantities by name. The cost of adding a set depends only on that set and not on the number of names in the total. */
export class AmountTotals {
  readonly #totals = new Map<string, string>();

  /** Returns the total that a name would have after a quantity is added, without adding it. */
  with(name: string, amount: string): string {
    const before = this.#totals.get(name);
    return before === undefined ? amount : sum(before, amount);
  }
  add(name: string, amount: string): void {
    this.#totals.set(name, this.with(name, amount));
  }
  addAll(amounts: Amounts = {}): void {
    for (const [name, amount] of Object.entries(amounts)) this.add(name, amount);
  }
  /** Sets the total of a name to a quantity if the total is smaller. */
  raise(name: string, amount: string): void {
    const before = this.#totals.get(name);
    if (before === undefined || compareAmounts(before, amount) < 0) this.#totals.set(name, amount);
  }
  amounts(): Amounts {
    return Object.fromEntries(this.#totals);
  }
}

export const largerAmounts = (a: Amounts, b: Amounts): Amounts =>
  merge(a, b, (one, other) => (compareAmounts(one, other) < 0 ? other : one));

/** Returns whether two sets have the same resources with equal quantities. */
export function areEqualAmounts(a: Amounts = {}, b: Amounts = {}): boolean {
  const names = Object.keys(a);
  const isSame = (name: string) => Object.hasOwn(b, name) && compareAmounts(a[name] ?? '0', b[name] ?? '0') === 0;
  return names.length === Object.keys(b).length && names.every(isSame);
}

/** Returns the quantities with the given names only. */
export const maskAmounts = (amounts: Amounts, names: readonly string[]): Amounts =>
  Object.fromEntries(names.flatMap((name) => (Object.hasOwn(amounts, name) ? [[name, amounts[name] ?? '']] : [])));
