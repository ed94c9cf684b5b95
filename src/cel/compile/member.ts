import type { ObjectType, Plain, Type } from '../typing/type.js';
import { ObjectView } from '../values/maps.js';
import { isPlain, type Outcome } from '../values/value.js';
import type { Evaluate, Frame } from './program.js';

/** Where an object of the API lies: a variable, and the members that lead from it to the object. */
export interface Route {
  readonly slot: number;
  /** The type that the variable must have for the members to be known. */
  readonly type: ObjectType | undefined;
  readonly properties: readonly string[];
  /** Cost of the selections. */
  readonly cost: number;
}

/** A member of such an object. */
export interface Member extends Route {
  readonly type: ObjectType;
  readonly property: string;
  readonly plain: Plain;
}

/**
 * The member that a selection reads, where all on the way to it are objects as they are. Undefined where something has to be looked at or made.
 * @param cost What the selection costs, with all that is charged before it.
 */
export function memberAt(
  route: Route | undefined,
  type: Type | undefined,
  name: string,
  cost: number,
): Member | undefined {
  const field = type?.kind === 'object' ? type.fields.get(name) : undefined;
  const own = route?.type ?? (type?.kind === 'object' ? type : undefined);
  if (route === undefined || own === undefined || field?.plain === undefined) return undefined;
  // Plain objects have members of such a name that are nobody's.
  if (field.property in Object.prototype) return undefined;
  const { slot, properties } = route;
  return { slot, type: own, properties, cost, property: field.property, plain: field.plain };
}

/** The way to the object that a member holds. */
export function routeThrough({ slot, type, properties, property, plain }: Member, cost: number): Route | undefined {
  return plain === 'object' ? { slot, type, properties: [...properties, property], cost } : undefined;
}

/** The object that holds the member; undefined where something on the way is not as its type says, or not known yet. */
function holder(frame: Frame, { slot, type, properties }: Member): Readonly<Record<string, unknown>> | undefined {
  const value = frame.slots[slot];
  if (!(value instanceof ObjectView) || value.type !== type) return undefined;
  let { members } = value;
  for (let i = 0; i < properties.length; i++) {
    const next = members[properties[i] as string];
    if (!isObject(next)) return undefined;
    members = next;
  }
  return members;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads a member that is a value as it is; all else is left to `otherwise`. */
export function readMember(frame: Frame, member: Member, otherwise: Evaluate): Outcome {
  const found = holder(frame, member)?.[member.property];
  if (!isPlain(found, member.plain)) return otherwise(frame);
  frame.cost += member.cost;
  return found;
}

/** Whether a member is there; what is odd is left to `otherwise`. */
export function hasMember(frame: Frame, member: Member, otherwise: Evaluate): Outcome {
  const members = holder(frame, member);
  if (members === undefined) return otherwise(frame);
  const found = members[member.property];
  const isThere = isPlain(found, member.plain) || isObject(found);
  if (!isThere && found !== undefined) return otherwise(frame);
  frame.cost += member.cost;
  return isThere;
}
