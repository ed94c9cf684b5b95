import { ApiServer, apiError, configMap } from 'orch-apiserver';
import type { AdmissionPluginFactory } from 'orch-apiserver/admission';
import { memory } from 'orch-apiserver/storage';
import { createFakeClock, createFakeRandom, insecureDeterministicSignatures } from 'orch-apiserver/testing';

/** Creates a server whose clock only moves when the test advances it, and whose uids and generated names depend on the seed. */
export function startFixed(seed: number) {
  const clock = createFakeClock('2030-01-01T00:00:00Z');
  const server = new ApiServer({
    dialect: 'k8s',
    clock,
    random: createFakeRandom(seed),
    // Controllers run only during settle(), so nothing happens in the background.
    controllers: { mode: 'stepped' },
    // Keys are derived from the seed as well, so they are not secret.
    signatures: insecureDeterministicSignatures(seed),
  });
  return { server, clock };
}

/** Refuses the next `left.count` writes of ConfigMaps with a conflict, which clients have to handle. */
export function failingWrites(left: { count: number }): AdmissionPluginFactory {
  return () => ({
    name: 'FailingWrites',
    handles: ({ resource }) => resource.resource === 'configmaps' && left.count > 0,
    validate({ resource, name }) {
      left.count--;
      throw apiError.conflict(resource, name, 'somebody else was faster');
    },
  });
}

/** Updates an object although the first two attempts conflict: the client retries with a fresh read. */
export async function updateThroughConflicts(): Promise<string | undefined> {
  const left = { count: 0 };
  await using server = new ApiServer({ admission: (defaults) => [...defaults, failingWrites(left)] });
  await server.start();
  const where = { namespace: 'default' };
  await server.client().create(configMap, { metadata: { name: 'a' }, data: { n: '1' } }, where);
  left.count = 2;
  const changed = await server.client().update(configMap, 'a', (draft) => void (draft.data = { n: '2' }), where);
  return changed.data?.['n'];
}

/** A server with a history of two events. A watch from an older version receives 410, and its client has to list again. */
export const forgetful = () => new ApiServer({ storage: memory({ history: { maxEvents: 2 } }) });
