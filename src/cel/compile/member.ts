import type { ObjectType, Plain, Type } from '../typing/type.js';
import type { Adapt } from '../values/lists.js';
import { isPlain, type Outcome } from '../values/value.js';
import type { Evaluate, Frame, Members } from './program.js';
import { isObject } from './slots.js';

/** A field of an operand's type, prepared for reading. */
export interface KnownField {
  readonly type: ObjectType;
  readonly property: string;
  readonly adapt: Adapt | undefined;
  /** The JavaScript type of members that `adapt` need not convert. */
  readonly plain: Plain | undefined;
  /** Whether plain objects inherit a member of this name. */
  readonly risky: boolean;
}

export function knownField(type: Type | undefined, name: string): KnownField | undefined {
  const field = type?.kind === 'object' ? type.fields.get(name) : undefined;
  if (field === undefined || type?.kind !== 'object') return undefined;
  const { property } = field;
  const adapt = field.adapt as Adapt | undefined;
  return { type, property, adapt, plain: field.plain, risky: property in Object.prototype };
}

/** The path to an API object: a CEL variable, and the members that lead from its value to the object. */
export interface Route {
  /** The slot that contains the API object of the variable without conversion (`Slot.members`). */
  readonly slot: number;
  /** The type of the variable. */
  readonly type: ObjectType;
  readonly properties: readonly string[];
  /** The total cost of the selections on the path. */
  readonly cost: number;
}

/** A member of an object at the end of a route. */
export interface Member extends Route {
  readonly property: string;
  readonly plain: Plain;
}

/**
 * Returns the member that a selection reads, if everything on its path is a plain JavaScript object of the API data. Returns undefined when
 * something on the path needs a check or a conversion.
 * @param cost the cost of the selection, including everything that is charged before it.
 */
export function memberAt(route: Route | undefined, field: KnownField | undefined, cost: number): Member | undefined {
  if (route === undefined || field === undefined) return undefined;
  const { slot, properties } = route;
  // The same variable can have different types at two positions of an expression, so the field must belong to the type of the route.
  if (properties.length === 0 && field.type !== route.type) return undefined;
  if (field.plain === undefined || field.risky) return undefined;
  return { slot, type: route.type, properties, cost, property: field.property, plain: field.plain };
}

/** Returns the route to the object that is the member's value; undefined when the member is not an object. */
export function routeThrough({ slot, type, properties, property, plain }: Member, cost: number): Route | undefined {
  return plain === 'object' ? { slot, type, properties: [...properties, property], cost } : undefined;
}

/** Returns the object at the end of a route; undefined when something on the path does not match its type or is not known yet. */
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

/** Reads a member whose value needs no conversion; `otherwise` evaluates all other members. */
export function readMember(frame: Frame, member: Member, otherwise: Evaluate): Outcome {
  const value = objectAt(frame, member)?.[member.property];
  if (!isPlain(value, member.plain)) return otherwise(frame);
  frame.cost += member.cost;
  return value;
}

/**
 * Evaluates `has(x.member)` if `x` is a plain JavaScript object of the API data that has not been converted to a CEL value. If it is not,
 * or if the member does not have its declared type, `otherwise` evaluates the expression.
 */
export function hasMember(frame: Frame, member: Member, otherwise: Evaluate): Outcome {
  const members = objectAt(frame, member);
  if (members === undefined) return otherwise(frame);
  const value = members[member.property];
  const isThere = isPlain(value, member.plain) || isObject(value);
  if (!isThere && value !== undefined) return otherwise(frame);
  frame.cost += member.cost;
  return isThere;
}
