const otherwise = new WeakMap<object, object>();
const leftOut = new WeakMap<object, Map<string, object>>();

/** Notes what a list or map was before it took its final form: refusals print what was given. */
export function noteGiven(final: object, given: object): void {
  otherwise.set(final, given);
}

/** Notes a member of the object that was given, but is not there in its final form. */
export function noteLeftOut(object: object, name: string, given: object): void {
  const known = leftOut.get(object);
  if (known) known.set(name, given);
  else leftOut.set(object, new Map([[name, given]]));
}

/** A member as it was given, unless it has changed since it was read. */
export function asGiven(object: object | undefined, name: string): unknown {
  if (object === undefined) return undefined;
  const member = (object as Readonly<Record<string, unknown>>)[name] ?? leftOut.get(object)?.get(name);
  return typeof member === 'object' && member !== null ? (otherwise.get(member) ?? member) : member;
}
