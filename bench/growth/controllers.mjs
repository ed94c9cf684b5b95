import { namespace as namespaceKind, pod, podDisruptionBudget, resourceQuota } from '../../dist/exports/kinds.js';
import { configMap } from '../../dist/index.js';
import { configMap as kilobyte } from '../objects.mjs';
import { seededServer, where } from './seeded.mjs';

const SIZES = [1_000, 10_000];

/** The work of controllers after a write, until they are idle. */
const settled =
  ({ server }, call) =>
  async () => {
    await call();
    await server.settle();
  };
const podOf = (name) => ({
  metadata: { name, ...where, labels: { app: 'web' } },
  spec: { containers: [{ name: 'a', image: 'b', resources: { requests: { cpu: '100m' } } }] },
});

export const subjects = {
  'end of a namespace, each object in it': {
    sizes: SIZES,
    async make(count) {
      const seeded = await seededServer();
      const { client, fill } = seeded;
      let round = 0;
      return {
        things: count,
        before: async () => {
          const name = `full-${++round}`;
          await client.create(namespaceKind, { metadata: { name } });
          await fill(configMap, `configmaps/${name}`, kilobyte('c', name), count);
        },
        call: settled(seeded, () => client.delete(namespaceKind, `full-${round}`)),
      };
    },
  },
  'end of an owner, each dependent': endOfOwner({}, {}),
  'end of an owner in the foreground, each dependent': endOfOwner(
    { blockOwnerDeletion: true },
    { propagationPolicy: 'Foreground' },
  ),
  'end of a dependent beside others': {
    sizes: SIZES,
    async make(count) {
      const seeded = await seededServer();
      const { client, fill } = seeded;
      const { metadata } = await client.create(configMap, { metadata: { name: 'owner', ...where } });
      const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: metadata.uid };
      const owned = (name) => ({ metadata: { name, ...where, ownerReferences: [owner] }, data: { a: 'b' } });
      await fill(configMap, 'configmaps/default', owned('c'), count);
      return {
        call: settled(seeded, async () => {
          await client.create(configMap, owned('one'));
          await client.delete(configMap, 'one', where);
        }),
      };
    },
  },
  'status of a quota, each pod that it counts': {
    sizes: SIZES,
    async make(count) {
      const seeded = await seededServer();
      const { client, fill } = seeded;
      await fill(pod, 'pods/default', podOf('p'), count);
      const hard = (i) => ({ spec: { hard: { pods: `${1_000_000 + i}`, 'requests.cpu': '1000k' } } });
      await client.create(resourceQuota, { metadata: { name: 'q', ...where }, ...hard(0) });
      let i = 0;
      return {
        things: count,
        call: settled(seeded, () => client.patch(resourceQuota, 'q', hard(++i), where)),
      };
    },
  },
  'pod of a quota beside others': {
    sizes: SIZES,
    async make(count) {
      const seeded = await seededServer();
      const { client, fill } = seeded;
      await fill(pod, 'pods/default', podOf('p'), count);
      const hard = { pods: '1000000', 'requests.cpu': '1000k' };
      await client.create(resourceQuota, { metadata: { name: 'q', ...where }, spec: { hard } });
      return {
        call: settled(seeded, async () => {
          await client.create(pod, podOf('one'));
          await client.delete(pod, 'one', { ...where, gracePeriodSeconds: 0 });
        }),
      };
    },
  },
  'pod of a disruption budget beside others': {
    sizes: SIZES,
    async make(count) {
      const seeded = await seededServer();
      const { client, fill } = seeded;
      await fill(pod, 'pods/default', podOf('p'), count);
      await client.create(podDisruptionBudget, {
        metadata: { name: 'b', ...where },
        spec: { maxUnavailable: 1, selector: { matchLabels: { app: 'web' } } },
      });
      return {
        things: count,
        call: settled(seeded, async () => {
          await client.create(pod, podOf('one'));
          await client.delete(pod, 'one', { ...where, gracePeriodSeconds: 0 });
        }),
      };
    },
  },
};

/** @param reference further members of the owner reference. @param deletion the options of the owner's deletion. */
function endOfOwner(reference, deletion) {
  return {
    sizes: SIZES,
    async make(count) {
      const seeded = await seededServer();
      const { client, fill } = seeded;
      let round = 0;
      return {
        things: count,
        before: async () => {
          const name = `owner-${++round}`;
          const { metadata } = await client.create(configMap, { metadata: { name, ...where } });
          const owned = kilobyte(`c-${round}`);
          owned.metadata.ownerReferences = [
            { apiVersion: 'v1', kind: 'ConfigMap', name, uid: metadata.uid, ...reference },
          ];
          await fill(configMap, 'configmaps/default', owned, count);
        },
        call: settled(seeded, () => client.delete(configMap, `owner-${round}`, { ...where, ...deletion })),
      };
    },
  };
}
