import { ObjectView } from '../values/maps.js';
import { EvaluationError, type Outcome, type Value } from '../values/value.js';
import type { Route } from './member.js';
import { inSlot, type Plan } from './plan.js';
import type { Evaluate, Frame, Members } from './program.js';
import { type Slot, storeInSlot } from './slots.js';

/** One occurrence of a variable in an expression, with the slot that holds the value of the variable. */
export interface Variable {
  readonly slot: Slot;
  readonly name: string;
  readonly node: number;
}

/** Compiles a variable whose value is passed to the evaluation (`Bindings`). */
export function globalVariable(variable: Variable, base: number): Plan {
  const { slot } = variable;
  const at = slot.value;
  const raw: Evaluate = (frame) => {
    const value = frame.slots[at] as Outcome | undefined;
    return value === undefined ? readVariable(frame, variable) : value;
  };
  const whole: Evaluate = (frame) => {
    frame.cost += base;
    const value = frame.slots[at] as Outcome | undefined;
    return value === undefined ? readVariable(frame, variable) : value;
  };
  return inSlot(raw, base, whole, at, routeOf(slot));
}

/** Compiles an iteration variable or the accumulator of a fold. */
export function localVariable(slot: Slot, base: number): Plan {
  const at = slot.value;
  const raw: Evaluate = (frame) => {
    const value = frame.slots[at] as Outcome | undefined;
    return value === undefined ? view(frame, slot) : value;
  };
  const whole: Evaluate = (frame) => {
    frame.cost += base;
    const value = frame.slots[at] as Outcome | undefined;
    return value === undefined ? view(frame, slot) : value;
  };
  return inSlot(raw, base, whole, at, routeOf(slot));
}

/** Returns the route to the object that a variable holds; undefined when the type of the variable is not an object. */
const routeOf = ({ members, type }: Slot): Route | undefined =>
  members === undefined || type === undefined ? undefined : { slot: members, type, properties: [], cost: 0 };

/** Converts an API object in a slot to a CEL value. */
function view({ slots }: Frame, { value, members, type }: Slot): Outcome {
  if (members === undefined || type === undefined) throw new TypeError('a comprehension variable has no value');
  const objectView = new ObjectView(slots[members] as Members, type);
  slots[value] = objectView;
  return objectView;
}

/** Returns the value of a variable, computed on first use. */
function readVariable(frame: Frame, { slot, name, node }: Variable): Outcome {
  const isBound = !(name in Object.prototype) || Object.hasOwn(frame.bindings, name);
  const bound = isBound ? frame.bindings[name] : undefined;
  let value: Outcome | undefined;
  if (typeof bound === 'function') value = bound();
  else value = bound as Value | undefined;
  const outcome = value === undefined ? new EvaluationError(`no such attribute(s): ${name}`, node) : value;
  storeInSlot(frame, slot, outcome);
  return outcome;
}
