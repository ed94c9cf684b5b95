import type { ObjectType, Plain, Type } from '../typing/type.js';
import type { Adapt } from '../values/lists.js';
import { isPlain, type Outcome } from '../values/value.js';
import type { Evaluate, Frame, Members } from './program.js';
import { isObject } from './slots.js';

/** A field that the type of an operand has, made ready for reading. */
export interface KnownField {
  readonly type: ObjectType;
  readonly property: string;
  readonly adapt: Adapt | undefined;
  /** The kind of members that are values as they are, so that `adapt` need not be asked. */
  readonly plain: Plain | undefined;
  /** Plain objects inherit a member of this name. */
  readonly risky: boolean;
}

export function knownField(type: Type | undefined, name: string): KnownField | undefined {
  const field = type?.kind === 'object' ? type.fields.get(name) : undefined;
  if (field === undefined || type?.kind !== 'object') return undefined;
  const { property } = field;
  const adapt = field.adapt as Adapt | undefined;
  return { type, property, adapt, plain: field.plain, risky: property in Object.prototype };
}

/** Where an object of the API lies: a variable, and the members that lead from it to the object. */
export interface Route {
  /** Where the variable keeps its object (`Slot.members`). */
  readonly slot: number;
  /** Of the variable. */
  readonly type: ObjectType;
  readonly properties: readonly string[];
  /** Cost of the selections. */
  readonly cost: number;
}

/** A member of such an object. */
export interface Member extends Route {
  readonly property: string;
  readonly plain: Plain;
}

/**
 * The member that a selection reads, where all on the way to it are objects as they are. Undefined where something has to be looked at or made.
 * @param cost What the selection costs, with all that is charged before it.
 */
export function memberAt(route: Route | undefined, field: KnownField | undefined, cost: number): Member | undefined {
  if (route === undefined || field === undefined) return undefined;
  const { slot, properties } = route;
  // Two places of an expression may see a variable by different types.
  if (properties.length === 0 && field.type !== route.type) return undefined;
  if (field.plain === undefined || field.risky) return undefined;
  return { slot, type: route.type, properties, cost, property: field.property, plain: field.plain };
}

/** The way to the object that a member holds. */
export function routeThrough({ slot, type, properties, property, plain }: Member, cost: number): Route | undefined {
  return plain === 'object' ? { slot, type, properties: [...properties, property], cost } : undefined;
}

/** The object at the end of a route; undefined where something on the way is not as its type says, or not known yet. */
export function objectAt({ slots }: Frame, { slot, properties }: Route): Members | undefined {
  let members = slots[slot] as Members | undefined;
  if (members === undefined) return undefined;
  for (let i = 0; i < properties.length; i++) {
    const next: unknown = members[properties[i] as string];
    if (!isObject(next)) return undefined;
    members = next;
  }
  return members;
}

/** Reads a member that is a value as it is; all else is left to `otherwise`. */
export function readMember(frame: Frame, member: Member, otherwise: Evaluate): Outcome {
  const found = objectAt(frame, member)?.[member.property];
  if (!isPlain(found, member.plain)) return otherwise(frame);
  frame.cost += member.cost;
  return found;
}

/** Whether a member is there; what is odd is left to `otherwise`. */
export function hasMember(frame: Frame, member: Member, otherwise: Evaluate): Outcome {
  const members = objectAt(frame, member);
  if (members === undefined) return otherwise(frame);
  const found = members[member.property];
  const isThere = isPlain(found, member.plain) || isObject(found);
  if (!isThere && found !== undefined) return otherwise(frame);
  frame.cost += member.cost;
  return isThere;
}
