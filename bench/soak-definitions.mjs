// Creates and deletes definitions with objects, roles with bindings, and watches for a while, each with a new name, and measures the heap
// after forced collections:
//   node bench/soak-definitions.mjs [--seconds=600]
// Exits with 1 if the heap has grown by more than a tenth after the history was full.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { memory } from '../dist/exports/storage.js';
import { ApiServer } from '../dist/index.js';
import { numericOptions } from './support/options.mjs';

const { seconds } = numericOptions({ seconds: 600 });
/** The share of the time until the history and all caches are full. */
const WARM = 0.2;
const GROWTH = 1.1;
const SAMPLES = 40;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
const server = new ApiServer({
  dialect: 'k8s',
  // A short history is full at once, so that it does not count as growth.
  storage: memory({ history: { maxEvents: 2000 } }),
});
await server.start();
const user = { username: 'admin', groups: ['system:masters', 'system:authenticated'] };
async function call(method, path, body) {
  const headers = body ? { 'content-type': 'application/json' } : {};
  const request = new Request(`https://server${path}`, {
    method,
    headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const answer = await server.fetch(request, { user });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`);
  return JSON.parse(text);
}

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const RBAC = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';

/** Creates a definition of two versions with patterns, rules and columns, uses it, and deletes it. */
async function definition(n) {
  const plural = `things${n}`;
  const text = (i) => ({ type: 'string', pattern: `^(${n}-${i}|[a-z]{1,20}(-[a-z0-9]{1,20}){0,5})$` });
  const spec = {
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`f${i}`, text(i)])),
    'x-kubernetes-validations': [{ rule: `!has(self.f0) || self.f0 != 'x${n}'` }],
  };
  const version = (name, storage) => ({
    name,
    served: true,
    storage,
    schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
    additionalPrinterColumns: [{ name: 'F', type: 'string', jsonPath: '.spec.f0' }],
  });
  await call('POST', CRDS, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.soak.example.com` },
    spec: {
      group: 'soak.example.com',
      scope: 'Namespaced',
      names: { plural, singular: `thing${n}`, kind: `Thing${n}`, listKind: `Thing${n}List` },
      versions: [version('v1', true), version('v2', false)],
    },
  });
  await server.settle();
  const path = `/apis/soak.example.com/v2/namespaces/default/${plural}`;
  for (const name of ['a', 'b'])
    await call('POST', path, {
      apiVersion: 'soak.example.com/v2',
      kind: `Thing${n}`,
      metadata: { name },
      spec: { f0: 'abc' },
    });
  await call('GET', path.replace('v2', 'v1'));
  await call('DELETE', `${CRDS}/${plural}.soak.example.com`);
  await server.settle();
}

async function roles(n) {
  await call('POST', `${RBAC}/roles`, {
    metadata: { name: `r${n}` },
    rules: [{ apiGroups: [''], resources: ['pods'], resourceNames: [`p${n}`], verbs: ['get'] }],
  });
  await call('POST', `${RBAC}/rolebindings`, {
    metadata: { name: `r${n}` },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: `r${n}` },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: `u${n}` }],
  });
  const asked = new Request(`https://server/api/v1/namespaces/default/pods/p${n}`);
  await (await server.fetch(asked, { user: { username: `u${n}`, groups: ['system:authenticated'] } })).text();
  await call('DELETE', `${RBAC}/rolebindings/r${n}`);
  await call('DELETE', `${RBAC}/roles/r${n}`);
}

async function watches(n) {
  const selector = encodeURIComponent(Array.from({ length: 200 }, (_, i) => `!k${i}x${n}`).join(','));
  const url = `https://server/api/v1/namespaces/default/configmaps?watch=true&labelSelector=${selector}`;
  const stop = new AbortController();
  const open = await Promise.all(
    Array.from({ length: 10 }, () => server.fetch(new Request(url, { signal: stop.signal }), { user })),
  );
  await call('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: `m${n}` } });
  await call('DELETE', `/api/v1/namespaces/default/configmaps/m${n}`);
  stop.abort();
  await Promise.all(open.map(({ body }) => body?.cancel().catch(() => undefined)));
}

const began = performance.now();
const elapsed = () => (performance.now() - began) / 1000;
const samples = [];
let rounds = 0;
while (elapsed() < seconds) {
  await definition(rounds);
  await roles(rounds);
  await watches(rounds);
  rounds++;
  // A target that WeakRef.deref() returned stays alive until the current turn of the event loop ends.
  await new Promise(setImmediate);
  if (elapsed() < ((samples.length + 1) * seconds) / SAMPLES) continue;
  collect();
  samples.push(process.memoryUsage().heapUsed / 1e6);
}
await server.close();
const warm = samples.slice(Math.ceil(samples.length * WARM));
const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
const part = Math.ceil(warm.length / 4);
const [first, last] = [median(warm.slice(0, part)), median(warm.slice(-part))];
console.log(samples.map((each) => each.toFixed(1)).join(' '));
const isFlat = last <= first * GROWTH;
console.log(
  `definitions, roles and watches: ${rounds} rounds in ${Math.round(elapsed())} s, heap ${first.toFixed(1)} MB, then ${last.toFixed(1)} MB: ${isFlat ? 'flat' : 'GROWN'}`,
);
process.exit(isFlat ? 0 : 1);
