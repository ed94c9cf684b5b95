/** The bytes of an object that has only this name, for `read` of a request. */
export const named = (name: string) => async () => new TextEncoder().encode(JSON.stringify({ metadata: { name } }));

/** Returns such a body that arrives when the test releases it; `begun` resolves when the server reads it. */
export function heldBody(name: string) {
  let release = () => {};
  let begin = () => {};
  const gate = new Promise<void>((resolve) => (release = resolve));
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const read = () => {
    begin();
    return gate.then(named(name));
  };
  return { read, begun, release };
}
