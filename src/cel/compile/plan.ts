import type { Outcome, Value } from '../values/value.js';
import type { Evaluate } from './program.js';

/**
 * A node as compiled. Exact costs are those of attributes: a name with the selections that follow it is one attribute, whose name costs
 * as much as one selection. Where an attribute is an index or a branch of `?:` its name costs nothing; `raw` evaluates it so.
 */
export interface Plan {
  readonly run: Evaluate;
  readonly raw: Evaluate;
  /** What `run` costs more than `raw`, where the node is an attribute; undefined where it is none. */
  readonly base: number | undefined;
  /** What the node always gives, and costs. */
  readonly known: Known | undefined;
  /** A constant to the accounting: see `constantsAreFree`. */
  readonly constant: boolean;
  /** Where a variable lies, where the node is nothing but its name. */
  readonly slot?: number;
}

export interface Known {
  readonly outcome: Outcome;
  readonly cost: number;
}

export const plan = (run: Evaluate): Plan => ({ run, raw: run, base: undefined, known: undefined, constant: false });

/** @param whole What evaluates it with its base, where that is faster than one after the other. */
export function attribute(raw: Evaluate, base: number, whole?: Evaluate): Plan {
  const run: Evaluate =
    base === 0
      ? raw
      : (whole ??
        ((frame) => {
          frame.cost += base;
          return raw(frame);
        }));
  return { run, raw, base, known: undefined, constant: false };
}

export function constant(value: Value): Plan {
  const run: Evaluate = () => value;
  return { run, raw: run, base: undefined, known: { outcome: value, cost: 0 }, constant: true };
}

/** A node that always gives the same at the same cost. */
export function known(outcome: Outcome, cost: number): Plan {
  const run: Evaluate =
    cost === 0
      ? () => outcome
      : (frame) => {
          frame.cost += cost;
          return outcome;
        };
  return { run, raw: run, base: undefined, known: { outcome, cost }, constant: false };
}
