import type { ObjectType, Type } from '../typing/type.js';
import { wholeNumber } from '../values/arithmetic.js';
import type { Adapt } from '../values/lists.js';
import { memberOf, ObjectView } from '../values/maps.js';
import { Double, Uint } from '../values/numbers.js';
import { NONE, Optional } from '../values/optional.js';
import { describe } from '../values/print.js';
import { typeName } from '../values/types.js';
import { EvaluationError, ListValue, MapValue, type Outcome, type Value } from '../values/value.js';
import type { Evaluate } from './program.js';

/** What an index finds in a value: undefined where nothing, an error where the index is of a wrong type. */
function find(value: Value, key: Value): Outcome | undefined {
  if (value instanceof MapValue) return value.get(key);
  if (!(value instanceof ListValue)) return undefined;
  const index = indexOf(key);
  if (index instanceof EvaluationError) return index;
  return index >= 0 && index < value.size ? value.at(index) : undefined;
}

function indexOf(key: Value): number | EvaluationError {
  if (typeof key === 'number') return key;
  if (typeof key === 'bigint') return -1;
  if (key instanceof Uint) return Number(key.value);
  if (!(key instanceof Double)) return new EvaluationError(`unsupported index type '${typeName(key)}' in list`);
  const whole = wholeNumber(key.value);
  return whole === undefined ? new EvaluationError(`unsupported index value ${describe(key)} in list`) : Number(whole);
}

function missing(value: Value, key: Value, node: number): EvaluationError {
  const what = value instanceof ListValue ? 'index out of bounds' : 'no such key';
  return new EvaluationError(`${what}: ${describe(key)}`, node);
}

/** `operand.key` or `operand[key]`; on an optional the result is an optional. */
function choose(frame: { cost: number }, operand: Outcome, key: Value, at: Step): Outcome {
  if (operand instanceof EvaluationError) return operand;
  const wrapped = operand instanceof Optional;
  if (wrapped && operand.value === undefined) return NONE;
  const value = wrapped ? (operand.value as Value) : operand;
  const found = find(value, key);
  if (wrapped || at.optional) {
    if (found === undefined) return NONE;
    if (found instanceof EvaluationError) return found;
    frame.cost += at.cost;
    return new Optional(found);
  }
  frame.cost += at.cost;
  return found === undefined ? missing(value, key, at.node) : found;
}

/** One selection. */
export interface Step {
  readonly node: number;
  readonly cost: number;
  readonly optional: boolean;
}

/** `operand.name`. With the type of the operand known the member is found without a look into the schema. */
export function select(operand: Evaluate, name: string, type: Type | undefined, at: Step): Evaluate {
  const field = type?.kind === 'object' ? type.fields.get(name) : undefined;
  if (field === undefined || at.optional) return (frame) => choose(frame, operand(frame), name, at);
  const { property } = field;
  const adapt = field.adapt as Adapt | undefined;
  const own = type as ObjectType;
  const { cost, node } = at;
  const risky = property in Object.prototype;
  return (frame) => {
    const value = operand(frame);
    if (!(value instanceof ObjectView) || value.type !== own) return choose(frame, value, name, at);
    frame.cost += cost;
    const member = risky ? memberOf(value.members, property, undefined) : value.members[property];
    const found = member === undefined ? undefined : adapt === undefined ? (member as Value) : adapt(member);
    return found === undefined ? new EvaluationError(`no such key: ${name}`, node) : found;
  };
}

/** `operand[index]`. */
export function index(operand: Evaluate, key: Evaluate, at: Step): Evaluate {
  return (frame) => {
    const value = operand(frame);
    if (value instanceof EvaluationError) return value;
    if (value instanceof Optional && value.value === undefined) return NONE;
    const found = key(frame);
    if (found instanceof EvaluationError) {
      frame.cost += at.cost;
      return found;
    }
    return choose(frame, value, found, at);
  };
}

/** `has(operand.name)`: what cannot have members has none. */
export function has(operand: Evaluate, name: string, at: Step): Evaluate {
  return (frame) => {
    const value = operand(frame);
    if (value instanceof EvaluationError) return value;
    if (value instanceof Optional && value.value === undefined) return false;
    const found = find(value instanceof Optional ? (value.value as Value) : value, name);
    if (value instanceof Optional && found === undefined) return false;
    frame.cost += at.cost;
    return found instanceof EvaluationError ? found : found !== undefined;
  };
}
