import { EvaluationError, type Outcome, type Value } from '../values/value.js';
import { type Member, type Route, readMember } from './member.js';
import type { Evaluate, Frame } from './program.js';

/**
 * A node as compiled. Exact costs are those of attributes: a name with the selections that follow it is one attribute, whose name costs
 * as much as one selection. Where an attribute is an index or a branch of `?:` its name costs nothing; `raw` evaluates it so.
 */
export interface Plan {
  readonly run: Evaluate;
  readonly raw: Evaluate;
  /** What `run` costs more than `raw`, where the node is an attribute; undefined where it is not. */
  readonly base: number | undefined;
  /** What the node always gives, and costs. */
  readonly known: Known | undefined;
  /** A constant to the accounting: see `constantsAreFree`. */
  readonly constant: boolean;
  /** What the node always gives for nothing. */
  readonly value: Value | undefined;
  /** How the object is reached without making values of those it lies in, where the types say so. */
  readonly route: Route | undefined;
  /** The same for a member that is a value as it is. */
  readonly member: Member | undefined;
  /** Where a variable keeps its value, once it has one; -1: this is no variable. */
  readonly slot: number;
}

export interface Known {
  readonly outcome: Outcome;
  readonly cost: number;
}

/** All plans have one shape, written out, which keeps `take` fast. */
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

/** @param whole What evaluates it with its base, where that is faster than one after the other. */
export function attribute(raw: Evaluate, base: number, whole?: Evaluate, route?: Route, member?: Member): Plan {
  if (base === 0) return planOf(raw, raw, base, undefined, route, member);
  const withBase: Evaluate = (frame) => {
    frame.cost += base;
    return raw(frame);
  };
  return planOf(whole ?? withBase, raw, base, undefined, route, member);
}

/** A variable: `whole` finds its value where the slot has none. */
export const inSlot = (raw: Evaluate, base: number, whole: Evaluate, slot: number, route?: Route): Plan =>
  planOf(whole, raw, base, undefined, route, undefined, false, slot);

export function constant(value: Value): Plan {
  const run: Evaluate = () => value;
  return planOf(run, run, undefined, { outcome: value, cost: 0 }, undefined, undefined, true);
}

/** A node that always gives the same at the same cost. */
export function known(outcome: Outcome, cost: number): Plan {
  const free: Evaluate = () => outcome;
  const charged: Evaluate = (frame) => {
    frame.cost += cost;
    return outcome;
  };
  const run = cost === 0 ? free : charged;
  return planOf(run, run, undefined, { outcome, cost });
}

/** Evaluates an operand. A call of a closure costs more than the look whether it needs one. */
export function take(frame: Frame, operand: Plan): Outcome {
  const { value, member, slot } = operand;
  if (value !== undefined) return value;
  if (member !== undefined) return readMember(frame, member, operand.run);
  if (slot < 0) return operand.run(frame);
  const held = frame.slots[slot] as Outcome | undefined;
  if (held === undefined) return operand.run(frame);
  frame.cost += operand.base as number;
  return held;
}
