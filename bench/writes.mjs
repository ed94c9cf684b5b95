import { builtinResources } from '../dist/exports/kinds.js';
import { ApiServer } from '../dist/index.js';
import { callsPerSecond, interleaved, median, ratio, row } from './measure.mjs';

const namespace = 'default';
const CONTAINERS = 7;

/**
 * Writes of one field of a 10 KB pod without a port, ownership tracked, against `structuredClone` of that pod: what
 * copying it just once would cost.
 */
export default async function measure() {
  const server = new ApiServer({ controllers: [] });
  await server.start();
  await server.load([
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace } },
  ]);
  const client = server.client();
  const pod = builtinResources.find(({ kind }) => kind === 'Pod');
  const made = await client.create(pod, bigPod('big'), { namespace });
  let turn = 0;

  const contenders = {
    clone: () => callsPerSecond(async () => structuredClone(made)),
    // Only what its manager says: one image.
    apply: () =>
      callsPerSecond(() =>
        client.apply(pod, applied('big', ++turn), { namespace, fieldManager: 'bench', force: true }),
      ),
    update: () =>
      callsPerSecond(() =>
        client.update(pod, 'big', (draft) => void (draft.metadata.labels.turn = String(++turn)), { namespace }),
      ),
    patch: () =>
      callsPerSecond(() => client.patch(pod, 'big', { metadata: { labels: { turn: String(++turn) } } }, { namespace })),
  };
  const found = await interleaved(contenders);
  await server.close();
  const size = JSON.stringify(made).length;
  const against = (name, target) => ({
    measured: ratio(found.clone, found[name]),
    target,
    better: 'less',
    detail: `${microseconds(found[name])} against ${microseconds(found.clone)} µs for ${size} bytes`,
  });
  return [
    row({ topic: 'apply of a changed field against structuredClone', ...against('apply', 1.5) }),
    row({ topic: 'update of a changed field against structuredClone', ...against('update', 0.8) }),
    row({ topic: 'merge patch of a changed field against structuredClone', ...against('patch') }),
  ];
}

const microseconds = (rates) => (1e6 / median(rates)).toFixed(0);

function applied(name, turn) {
  return {
    metadata: { name },
    spec: { containers: [{ name: 'container-0', image: `registry.example.com/team/image:${turn}` }] },
  };
}

function bigPod(name) {
  const containers = Array.from({ length: CONTAINERS }, (_, i) => ({
    name: `container-${i}`,
    image: `registry.example.com/team/image-${i}:1`,
    args: ['--verbose', `--shard=${i}`],
    ports: [{ name: 'http', containerPort: 8080 + i, protocol: 'TCP' }],
    env: Array.from({ length: 3 }, (__, j) => ({ name: `VARIABLE_${j}`, value: `value ${i} ${j}` })),
    resources: { limits: { cpu: '500m', memory: '128Mi' }, requests: { cpu: '250m', memory: '64Mi' } },
    volumeMounts: [{ name: 'data', mountPath: `/data/${i}` }],
  }));
  return {
    metadata: { name, labels: { app: 'bench', turn: '0' } },
    spec: { containers, volumes: [{ name: 'data', emptyDir: {} }] },
  };
}
