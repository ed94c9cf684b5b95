import { Optional } from '../values/optional.js';
import { EvaluationError, type Outcome } from '../values/value.js';
import type { Evaluate } from './program.js';

/** Returns the error for an operand that is not a bool: the operand's own error, or else `no such overload`. */
const asError = (outcome: Outcome): EvaluationError =>
  outcome instanceof EvaluationError ? outcome : new EvaluationError('no such overload');

export const and =
  (left: Evaluate, right: Evaluate): Evaluate =>
  (frame) => {
    const a = left(frame);
    if (a === false) return false;
    const b = right(frame);
    if (b === false) return false;
    if (a !== true) return asError(a);
    return b === true ? true : asError(b);
  };

export const or =
  (left: Evaluate, right: Evaluate): Evaluate =>
  (frame) => {
    const a = left(frame);
    if (a === true) return true;
    const b = right(frame);
    if (b === true) return true;
    if (a !== false) return asError(a);
    return b === false ? false : asError(b);
  };

export const conditional =
  (test: Evaluate, truthy: Evaluate, falsy: Evaluate): Evaluate =>
  (frame) => {
    const decided = test(frame);
    if (decided === true) return truthy(frame);
    return decided === false ? falsy(frame) : asError(decided);
  };

/** Compiles `@not_strictly_false`, the loop condition of `all` and `exists`. It is true for an error, so an error does not end the loop. */
export const notStrictlyFalse =
  (operand: Evaluate): Evaluate =>
  (frame) => {
    frame.cost += 1;
    return operand(frame) !== false;
  };

/** Compiles `a.or(b)` and `a.orValue(b)`, which evaluate b only when a is empty. The call itself costs nothing. */
export const lazyAlternative =
  (left: Evaluate, right: Evaluate, wrapped: boolean, node: number): Evaluate =>
  (frame) => {
    const a = left(frame);
    if (a instanceof EvaluationError) return a;
    if (!(a instanceof Optional)) return new EvaluationError('no such overload', node);
    if (a.value === undefined) return right(frame);
    return wrapped ? a : a.value;
  };
