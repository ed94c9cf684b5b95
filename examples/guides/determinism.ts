import { ApiServer, apiError, configMap } from 'orch-apiserver';
import type { AdmissionPluginFactory } from 'orch-apiserver/admission';
import { memory } from 'orch-apiserver/storage';
import { createFakeClock, createFakeRandom, insecureDeterministicSignatures } from 'orch-apiserver/testing';

/** Time stands still until it is moved, and uids and name suffixes follow from the seed. */
export function startFixed(seed: number) {
  const clock = createFakeClock('2030-01-01T00:00:00Z');
  const server = new ApiServer({
    dialect: 'k8s',
    clock,
    random: createFakeRandom(seed),
    // Controllers run within settle() only: nothing happens behind a test's back.
    controllers: { mode: 'stepped' },
    // Keys follow from the seed as well, so they are not secret.
    signatures: insecureDeterministicSignatures(seed),
  });
  return { server, clock };
}

/** Refuses the next writes of config maps, as many as are counted: clients have to bear it. */
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

/** An update that meets two conflicts first: the client begins anew. */
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

/** A history of two events: who watches from further back is told that it is gone, and lists anew. */
export const forgetful = () => new ApiServer({ storage: memory({ history: { maxEvents: 2 } }) });
