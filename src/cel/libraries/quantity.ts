import {
  addQuantities,
  compareQuantities,
  isQuantity,
  parseQuantity,
  type Quantity,
  quantityToInteger,
  quantityToNumber,
  subtractQuantities,
} from '../../values/quantity.js';
import type { OverloadCost } from '../cost/cost.js';
import { quantityEstimates } from '../cost/library-estimates.js';
import { BOOL, DOUBLE, INT, opaque, STRING, type Type } from '../typing/type.js';
import { Double, type Int, toInt64 } from '../values/numbers.js';
import { costSize } from '../values/size.js';
import { EvaluationError, ObjectValue, type Outcome, type Value } from '../values/value.js';
import { global, libraryOf, member } from './declare.js';
import type { Library } from './library.js';
import { traversal } from './standard.js';

export const QUANTITY: Type = opaque('kubernetes.Quantity');

/** A quantity as a value. */
export class QuantityValue extends ObjectValue {
  readonly quantity: Quantity;
  constructor(quantity: Quantity) {
    super();
    this.quantity = quantity;
  }
  get type(): Type {
    return QUANTITY;
  }
  equals(other: Value): boolean {
    return other instanceof QuantityValue && compareQuantities(this.quantity, other.quantity) === 0;
  }
}

function parse(text: string): Outcome {
  try {
    return new QuantityValue(parseQuantity(text));
  } catch (error) {
    return new EvaluationError(error instanceof Error ? error.message : String(error));
  }
}

/** What has decimals, even if they are zeros, is no integer. */
function integerOf({ quantity }: QuantityValue): Int | undefined {
  if (quantity.exponent < 0 || quantity.exponent > 18) return undefined;
  const whole = quantityToInteger(quantity);
  return whole === undefined ? undefined : toInt64(whole);
}

const ofInt = (value: Int): Quantity => ({ unscaled: BigInt(value), exponent: 0, format: 'DecimalSI' });
const compareTo = (a: QuantityValue, b: QuantityValue): number => compareQuantities(a.quantity, b.quantity);

const COST: OverloadCost = { actual: ([text]) => traversal(costSize(text as Outcome)) };
const TWO = [QUANTITY, QUANTITY];
const WITH_INT = [QUANTITY, INT];

/** Quantities: `quantity('1.5Gi')`. */
export const quantities: Library = libraryOf(
  () => [
    global('quantity', 'string_to_quantity', [STRING], QUANTITY, parse, COST),
    global('isQuantity', 'is_quantity_string', [STRING], BOOL, isQuantity, COST),
    // A function of its own, not of the quantity: so it is in the field.
    global('sign', 'quantity_sign', [QUANTITY], INT, ({ quantity }: QuantityValue) =>
      quantity.unscaled > 0n ? 1 : quantity.unscaled < 0n ? -1 : 0,
    ),
    member('isGreaterThan', 'quantity_is_greater_than', TWO, BOOL, (a, b) => compareTo(a, b) > 0),
    member('isLessThan', 'quantity_is_less_than', TWO, BOOL, (a, b) => compareTo(a, b) < 0),
    member('compareTo', 'quantity_compare_to', TWO, INT, compareTo),
    member(
      'asApproximateFloat',
      'quantity_get_float',
      [QUANTITY],
      DOUBLE,
      ({ quantity }: QuantityValue) => new Double(quantityToNumber(quantity)),
    ),
    member(
      'asInteger',
      'quantity_get_int',
      [QUANTITY],
      INT,
      (quantity: QuantityValue) => integerOf(quantity) ?? new EvaluationError('cannot convert value to integer'),
    ),
    member('isInteger', 'quantity_is_integer', [QUANTITY], BOOL, (quantity) => integerOf(quantity) !== undefined),
    member('add', 'quantity_add', TWO, QUANTITY, (a, b) => new QuantityValue(addQuantities(a.quantity, b.quantity))),
    member(
      'add',
      'quantity_add_int',
      WITH_INT,
      QUANTITY,
      (a, b) => new QuantityValue(addQuantities(a.quantity, ofInt(b))),
    ),
    member(
      'sub',
      'quantity_sub',
      TWO,
      QUANTITY,
      (a, b) => new QuantityValue(subtractQuantities(a.quantity, b.quantity)),
    ),
    member(
      'sub',
      'quantity_sub_int',
      WITH_INT,
      QUANTITY,
      (a, b) => new QuantityValue(subtractQuantities(a.quantity, ofInt(b))),
    ),
  ],
  { name: 'quantity', types: [QUANTITY], estimates: quantityEstimates },
);
