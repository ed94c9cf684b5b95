/** The bytes of an object with this name alone, for `read` of a question. */
export const named = (name: string) => async () => new TextEncoder().encode(JSON.stringify({ metadata: { name } }));

/** Such a body that comes when it is let; `begun` resolves when it is asked for. */
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
