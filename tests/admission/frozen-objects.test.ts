import { expect, it } from 'vitest';
import type { AdmissionPlugin } from '../../src/admission/admission-plugin.js';
import { ask } from '../support/ask.js';
import { openServer } from '../support/servers.js';

/* Plug-ins must behave the same for objects of any size. Large objects are frozen before admission, so all others are as well. */
const PATH = '/api/v1/namespaces/default/configmaps';
const soon = () => new Promise<void>((resolve) => setImmediate(resolve));
const small = { metadata: { name: 'small', labels: { a: 'b' } }, data: { k: 'v' } };
const large = { metadata: { name: 'large', labels: { a: 'b' } }, data: { k: 'v', long: 'x'.repeat(200_000) } };

async function write(plugin: Omit<AdmissionPlugin, 'name'>, object: object): Promise<{ code: number; body: unknown }> {
  await using server = await openServer({
    admission: (defaults) => [
      ...defaults,
      () => ({ name: 'test', handles: ({ kind }) => kind.kind === 'ConfigMap', ...plugin }),
    ],
    log: () => {},
  });
  const { status, value } = await ask(server, { method: 'POST', path: PATH, pause: soon, body: object });
  return { code: status, body: value };
}
// A program without types could try to change the object in place.
const asMutable = (object: unknown) => object as { data: Record<string, string>; metadata: { labels: object } };

it.each([
  ['small', small],
  ['large', large],
])('a %s object is deeply frozen in both phases, so that plug-ins cannot change it in place', async (_, object) => {
  const seen: boolean[] = [];
  const look = ({ name, object: given }: { readonly name: string; readonly object: unknown }) => {
    if (name !== object.metadata.name) return undefined; // The server creates maps without a prototype.
    const { data, metadata } = asMutable(given);
    seen.push(
      Object.isFrozen(given),
      Object.isFrozen(data),
      Object.isFrozen(metadata),
      Object.isFrozen(metadata.labels),
    );
    return undefined;
  };
  expect(await write({ admit: look, validate: look }, object)).toMatchObject({ code: 201 });
  expect(seen).toEqual(Array(8).fill(true));
  const edits: AdmissionPlugin['admit'] = ({ object: given }) => {
    asMutable(given).data['k'] = 'edited';
    return undefined;
  };
  expect(await write({ admit: edits }, object)).toMatchObject({ code: 500, body: { reason: 'InternalError' } });
});

it.each([
  ['small', small],
  ['large', large],
])('the changed copy of a %s object is stored', async (_, object) => {
  const admit: AdmissionPlugin['admit'] = ({ object: given }) =>
    ({ ...given, data: { ...asMutable(given).data, k: 'changed' } }) as typeof given;
  expect(await write({ admit }, object)).toMatchObject({ code: 201, body: { data: { k: 'changed' } } });
});
