import type { ObjectType, Type } from '../typing/type.js';
import { ObjectView } from '../values/maps.js';
import type { Outcome } from '../values/value.js';
import type { Frame, Members } from './program.js';

/** The slots of a frame that hold the value of one variable during an evaluation. */
export interface Slot {
  readonly value: number;
  /**
   * The slot that keeps the API object without conversion, if the variable holds one. Members are read from there, and list elements are
   * converted to CEL values only when an expression needs the value. It is undefined when the variable's type is not an object.
   */
  readonly members: number | undefined;
  readonly type: ObjectType | undefined;
}

export const asObjectType = (type: Type | undefined): ObjectType | undefined =>
  type?.kind === 'object' ? type : undefined;

/** Stores a value in a slot. */
export function storeInSlot({ slots }: Frame, { value, members, type }: Slot, outcome: Outcome): void {
  slots[value] = outcome;
  if (members !== undefined && outcome instanceof ObjectView && outcome.type === type) slots[members] = outcome.members;
}

export const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
