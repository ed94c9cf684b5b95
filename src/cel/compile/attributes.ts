import { wholeNumber } from '../values/arithmetic.js';
import { memberOf, ObjectView } from '../values/maps.js';
import { Double, Uint } from '../values/numbers.js';
import { NONE, Optional } from '../values/optional.js';
import { describe } from '../values/print.js';
import { implementationOf, typeName } from '../values/types.js';
import { EvaluationError, isPlain, ListValue, MapValue, type Outcome, type Value } from '../values/value.js';
import { type KnownField, objectAt } from './member.js';
import type { Plan } from './plan.js';
import type { Evaluate, Frame } from './program.js';

/** Returns the list element or map entry for a key; undefined when there is none, or an error for a key of a wrong type. */
function find(value: Value, key: Value): Outcome | undefined {
  const invalid = invalidKey(key);
  if (invalid !== undefined) return invalid;
  if (value instanceof MapValue) return value.get(key);
  if (!(value instanceof ListValue)) return undefined;
  const index = indexOf(key);
  if (index instanceof EvaluationError) return index;
  return index >= 0 && index < value.size ? value.at(index) : undefined;
}

/** Returns the error for a value that can be neither an index nor a key. */
export function invalidKey(key: Outcome): EvaluationError | undefined {
  if (typeof key !== 'object' || key instanceof Uint || key instanceof Double) return undefined;
  return key instanceof EvaluationError ? key : new EvaluationError(`invalid qualifier type: ${implementationOf(key)}`);
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

/** Evaluates `operand.key` or `operand[key]`. If the operand is an optional, the result is an optional, too. */
function evaluateStep(frame: { cost: number }, operand: Outcome, key: Value, step: Step): Outcome {
  if (operand instanceof EvaluationError) return operand;
  const wrapped = operand instanceof Optional;
  if (wrapped && operand.value === undefined) return NONE;
  const value = wrapped ? (operand.value as Value) : operand;
  const member = find(value, key);
  if (wrapped || step.optional) {
    if (member === undefined) return NONE;
    if (member instanceof EvaluationError) return member;
    frame.cost += step.cost;
    return new Optional(member);
  }
  frame.cost += step.cost;
  return member === undefined ? missing(value, key, step.node) : member;
}

/** A selection (`.name`) or an index (`[key]`) in an attribute. */
export interface Step {
  readonly node: number;
  readonly cost: number;
  readonly optional: boolean;
  /** A cost that is charged in addition to `cost`: that of the name with which the attribute begins, or 0. */
  readonly base: number;
}

function read(
  members: Readonly<Record<string, unknown>>,
  { property, adapt, plain, risky }: KnownField,
): Outcome | undefined {
  const member = risky ? memberOf(members, property, undefined) : members[property];
  if (member === undefined) return undefined;
  if (isPlain(member, plain)) return member;
  return adapt === undefined ? (member as Value) : adapt(member);
}

/** Compiles `operand.name`. If the field is known from the type of the operand, the member is read without a look-up in the schema. */
export function select({ raw, route }: Plan, name: string, field: KnownField | undefined, step: Step): Evaluate {
  const { base } = step;
  if (field === undefined || step.optional) {
    return (frame) => {
      frame.cost += base;
      return evaluateStep(frame, raw(frame), name, step);
    };
  }
  const known = field.type;
  const cost = step.cost + base;
  const { node } = step;
  const slow = (frame: Frame, value: Outcome): Outcome => {
    frame.cost += base;
    return evaluateStep(frame, value, name, step);
  };
  if (route !== undefined && (route.properties.length > 0 || route.type === known)) {
    const through = cost + route.cost;
    return (frame) => {
      const members = objectAt(frame, route);
      if (members === undefined) return slow(frame, raw(frame));
      frame.cost += through;
      return read(members, field) ?? missingField(members, field, name, node);
    };
  }
  return (frame) => {
    const value = raw(frame);
    if (!(value instanceof ObjectView) || value.type !== known) return slow(frame, value);
    frame.cost += cost;
    return read(value.members, field) ?? missingField(value.members, field, name, node);
  };
}

/** Returns the result of a selection that has found no value: null for a null value, an error for an absent field. */
function missingField(
  members: Readonly<Record<string, unknown>>,
  field: KnownField,
  name: string,
  node: number,
): Outcome {
  return read(members, field) === null ? null : new EvaluationError(`no such key: ${name}`, node);
}

/** Compiles `operand[index]`. */
export function index(operand: Evaluate, key: Evaluate, step: Step): Evaluate {
  return (frame) => {
    const value = operand(frame);
    if (value instanceof EvaluationError) return value;
    if (value instanceof Optional && value.value === undefined) return NONE;
    const keyValue = key(frame);
    if (keyValue instanceof EvaluationError) {
      if (!step.optional && !(value instanceof Optional)) frame.cost += step.cost;
      return keyValue;
    }
    return evaluateStep(frame, value, keyValue, step);
  };
}

/** Compiles `has(operand.name)`, which is false for a value that cannot have members. */
export function has({ raw }: Plan, name: string, field: KnownField | undefined, step: Step): Evaluate {
  return (frame) => {
    const value = raw(frame);
    if (field !== undefined && value instanceof ObjectView && value.type === field.type) {
      frame.cost += step.cost;
      const member = read(value.members, field);
      return member instanceof EvaluationError ? member : member !== undefined;
    }
    return present(frame, value, name, step);
  };
}

function present(frame: { cost: number }, value: Outcome, name: string, step: Step): Outcome {
  if (value instanceof EvaluationError) return value;
  if (value instanceof Optional && value.value === undefined) return false;
  const member = find(value instanceof Optional ? (value.value as Value) : value, name);
  if (value instanceof Optional && member === undefined) return false;
  frame.cost += step.cost;
  return member instanceof EvaluationError ? member : member !== undefined;
}
