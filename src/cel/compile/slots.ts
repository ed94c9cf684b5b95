import type { ObjectType, Type } from '../typing/type.js';
import { ObjectView } from '../values/maps.js';
import type { Outcome } from '../values/value.js';
import type { Frame, Members } from './program.js';

/** Where a variable is kept while an expression runs. */
export interface Slot {
  readonly value: number;
  /**
   * Where the object itself is kept, if the variable holds one: its members are read there, and elements of lists become values only
   * where somebody asks for the value. Undefined where the type of the variable is no object.
   */
  readonly members: number | undefined;
  readonly type: ObjectType | undefined;
}

export const asObjectType = (type: Type | undefined): ObjectType | undefined =>
  type?.kind === 'object' ? type : undefined;

/** Puts a value into a slot. */
export function keep({ slots }: Frame, { value, members, type }: Slot, outcome: Outcome): void {
  slots[value] = outcome;
  if (members !== undefined && outcome instanceof ObjectView && outcome.type === type) slots[members] = outcome.members;
}

export const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
