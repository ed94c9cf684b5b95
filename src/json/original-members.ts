const otherwise = new WeakMap<object, object>();
const leftOut = new WeakMap<object, Map<string, object>>();

/** Records the original of a list or map that decoding has replaced by its final form, because error messages print the original. */
export function noteOriginal(final: object, original: object): void {
  otherwise.set(final, original);
}

/** Records the original of a member that was sent but that decoding omits from the object. */
export function noteLeftOut(object: object, name: string, original: object): void {
  const known = leftOut.get(object);
  if (known) known.set(name, original);
  else leftOut.set(object, new Map([[name, original]]));
}

/** Records the omitted members of an object for a copy of it, so that {@link originalMember} finds them there as well. */
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
