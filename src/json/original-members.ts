const otherwise = new WeakMap<object, object>();
const leftOut = new WeakMap<object, Map<string, object>>();

/** Records the list or map that a client sent, if decoding has replaced it by another object. Error messages print the original. */
export function noteOriginal(final: object, original: object): void {
  otherwise.set(final, original);
}

/** Records the original of a member that the client sent but that decoding leaves out of the object. */
export function noteLeftOut(object: object, name: string, original: object): void {
  const known = leftOut.get(object);
  if (known) known.set(name, original);
  else leftOut.set(object, new Map([[name, original]]));
}

/** Records the members that decoding left out of `object` for its copy, too, so that {@link originalMember} finds them there. */
export function carryLeftOut(object: object, copy: object): void {
  const known = leftOut.get(object);
  if (known) leftOut.set(copy, known);
}

/** Returns a member as it was sent, or its present value if it has changed since it was decoded. */
export function originalMember(object: object | undefined, name: string): unknown {
  if (object === undefined) return undefined;
  const member = (object as Readonly<Record<string, unknown>>)[name] ?? leftOut.get(object)?.get(name);
  return typeof member === 'object' && member !== null ? (otherwise.get(member) ?? member) : member;
}
