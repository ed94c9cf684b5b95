import { EvaluationError, type Outcome, type Value } from '../values/value.js';
import { type Member, type Route, readMember } from './member.js';
import type { Evaluate, Frame } from './program.js';

/**
 * The compiled form of a syntax-tree node. An attribute is a name with the selections that follow it, and the name costs as much as one
 * selection. `run` charges for the name. `raw` does not charge for it, because the name is free inside an index and in the branches of
 * `?:`.
 */
export interface Plan {
  readonly run: Evaluate;
  readonly raw: Evaluate;
  /** The cost that `run` charges in addition to `raw`; undefined if the node is not an attribute. */
  readonly base: number | undefined;
  /** The constant result and cost of the node, if known. */
  readonly known: Known | undefined;
  /** Whether the node counts as a constant for costs: see `constantsAreFree`. */
  readonly constant: boolean;
  /** The constant value of the node, if it costs nothing. */
  readonly value: Value | undefined;
  /**
   * The path to the API object that is the node's value. Reading along the path creates no CEL values for the objects on it. Undefined if
   * the types do not allow this way of reading.
   */
  readonly route: Route | undefined;
  /** The path to the member of an API object that is the node's value; undefined if the member needs a conversion. */
  readonly member: Member | undefined;
  /** The slot that keeps the variable's value once it is known; -1 when the node is not a variable. */
  readonly slot: number;
}

export interface Known {
  readonly outcome: Outcome;
  readonly cost: number;
}

/**
 * Creates a `Plan`. Every property is written explicitly: all plans then have the same hidden class, which keeps `evaluateOperand` fast.
 */
function planOf(
  run: Evaluate,
  raw: Evaluate,
  base?: number,
  found?: Known,
  route?: Route,
  member?: Member,
  constant = false,
  slot = -1,
): Plan {
  const isFree = found?.cost === 0 && !(found.outcome instanceof EvaluationError);
  const value = isFree ? (found.outcome as Value) : undefined;
  return { run, raw, base, known: found, constant, value, route, member, slot };
}

export const plan = (run: Evaluate): Plan => planOf(run, run);

/**
 * Creates the `Plan` of an attribute.
 * @param base the cost of the name.
 * @param whole a closure that evaluates the attribute and charges `base`. Default: a closure that charges `base` and calls `raw`.
 */
export function attribute(raw: Evaluate, base: number, whole?: Evaluate, route?: Route, member?: Member): Plan {
  if (base === 0) return planOf(raw, raw, base, undefined, route, member);
  const withBase: Evaluate = (frame) => {
    frame.cost += base;
    return raw(frame);
  };
  return planOf(whole ?? withBase, raw, base, undefined, route, member);
}

/** Creates the `Plan` of a variable; `whole` computes the value of the variable when the slot is empty. */
export const inSlot = (raw: Evaluate, base: number, whole: Evaluate, slot: number, route?: Route): Plan =>
  planOf(whole, raw, base, undefined, route, undefined, false, slot);

export function constant(value: Value): Plan {
  const run: Evaluate = () => value;
  return planOf(run, run, undefined, { outcome: value, cost: 0 }, undefined, undefined, true);
}

/** Creates the `Plan` of a node with a constant result and cost. */
export function constantPlan(outcome: Outcome, cost: number): Plan {
  const free: Evaluate = () => outcome;
  const charged: Evaluate = (frame) => {
    frame.cost += cost;
    return outcome;
  };
  const run = cost === 0 ? free : charged;
  return planOf(run, run, undefined, { outcome, cost });
}

/**
 * Evaluates an operand. Constants, members of API objects that need no conversion, and variables with a known value are read directly,
 * because calling the operand's closure would take longer.
 */
export function evaluateOperand(frame: Frame, operand: Plan): Outcome {
  const { value, member, slot } = operand;
  if (value !== undefined) return value;
  if (member !== undefined) return readMember(frame, member, operand.run);
  if (slot < 0) return operand.run(frame);
  const held = frame.slots[slot] as Outcome | undefined;
  if (held === undefined) return operand.run(frame);
  frame.cost += operand.base as number;
  return held;
}
