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
import { byPackage } from '../typing/type-package.js';
import { Double, type Int, toInt64 } from '../values/numbers.js';
import { costSize } from '../values/size.js';
import { EvaluationError, ObjectValue, type Outcome, type Value } from '../values/value.js';
import { global, libraryOf, member } from './declare.js';
import type { Library } from './library.js';
import { traversal } from './standard.js';

export const quantityType = byPackage((typePackage) => opaque(`${typePackage}.Quantity`));
/** The type `Quantity` in upstream's package. */
export const QUANTITY: Type = quantityType();

/** A quantity as a value of expressions. */
export class QuantityValue extends ObjectValue {
  readonly quantity: Quantity;
  readonly type: Type;
  private readonly isComputed: boolean;
  /** @param isComputed whether the quantity is the result of a calculation. Default: false. */
  constructor(quantity: Quantity, type = QUANTITY, isComputed = false) {
    super();
    this.quantity = quantity;
    this.type = type;
    this.isComputed = isComputed;
  }
  /** As in upstream, the result of a calculation can be compared with `==` only on the left side. */
  equals(other: Value): boolean | undefined {
    if (!(other instanceof QuantityValue) || other.isComputed) return undefined;
    return compareQuantities(this.quantity, other.quantity) === 0;
  }
}

function parse(text: string, type: Type): Outcome {
  try {
    return new QuantityValue(parseQuantity(text), type);
  } catch (error) {
    return new EvaluationError(error instanceof Error ? error.message : String(error));
  }
}

/** Returns a quantity as an int; undefined if it is written with decimals, even zeros, or upstream does not store it in 64 bits. */
function integerOf({ quantity }: QuantityValue): Int | undefined {
  if (quantity.isDecimal === true || quantity.exponent < 0) return undefined;
  if (quantity.unscaled !== 0n && quantity.exponent > 18) return undefined;
  const whole = quantityToInteger(quantity);
  return whole === undefined ? undefined : toInt64(whole);
}

const ofInt = (value: Int): Quantity => ({ unscaled: BigInt(value), exponent: 0, format: 'DecimalSI' });
const compareTo = (a: QuantityValue, b: QuantityValue): number => compareQuantities(a.quantity, b.quantity);

const COST: OverloadCost = { actual: ([text]) => traversal(costSize(text as Outcome)) };

/** Returns the library of quantities: `quantity('1.5Gi')`. */
export const quantitiesIn = byPackage((typePackage): Library => {
  const type = quantityType(typePackage);
  const two = [type, type];
  const withInt = [type, INT];
  const make = (quantity: Quantity) => new QuantityValue(quantity, type, true);
  return libraryOf(
    () => [
      global('quantity', 'string_to_quantity', [STRING], type, (text: string) => parse(text, type), COST),
      global('isQuantity', 'is_quantity_string', [STRING], BOOL, isQuantity, COST),
      // `sign` is a global function rather than a member, as in upstream.
      global('sign', 'quantity_sign', [type], INT, ({ quantity }: QuantityValue) =>
        quantity.unscaled > 0n ? 1 : quantity.unscaled < 0n ? -1 : 0,
      ),
      member('isGreaterThan', 'quantity_is_greater_than', two, BOOL, (a, b) => compareTo(a, b) > 0),
      member('isLessThan', 'quantity_is_less_than', two, BOOL, (a, b) => compareTo(a, b) < 0),
      member('compareTo', 'quantity_compare_to', two, INT, compareTo),
      member(
        'asApproximateFloat',
        'quantity_get_float',
        [type],
        DOUBLE,
        ({ quantity }: QuantityValue) => new Double(quantityToNumber(quantity)),
      ),
      member(
        'asInteger',
        'quantity_get_int',
        [type],
        INT,
        (quantity: QuantityValue) => integerOf(quantity) ?? new EvaluationError('cannot convert value to integer'),
      ),
      member('isInteger', 'quantity_is_integer', [type], BOOL, (quantity) => integerOf(quantity) !== undefined),
      member('add', 'quantity_add', two, type, (a, b) => make(addQuantities(a.quantity, b.quantity))),
      member('add', 'quantity_add_int', withInt, type, (a, b) => make(addQuantities(a.quantity, ofInt(b)))),
      member('sub', 'quantity_sub', two, type, (a, b) => make(subtractQuantities(a.quantity, b.quantity))),
      member('sub', 'quantity_sub_int', withInt, type, (a, b) => make(subtractQuantities(a.quantity, ofInt(b)))),
    ],
    { name: 'quantity', estimates: quantityEstimates },
  );
});
/** The library of quantities whose type is named as in upstream. */
export const quantities: Library = quantitiesIn();
