import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { k8s } from '../../src/meta/dialect.js';
import { serveResource } from '../../src/registry/served/served-resource.js';
import { builtinResources } from '../../src/resources/index.js';
import { keyOfKind, SAMPLES } from '../resources/kind-samples.js';
import { definitionOf } from '../support/definitions.js';
import { hasKubectl, type Kubectl, type KubectlCluster, kubectlCluster } from './kubectl.js';

const kinds = builtinResources
  .filter(({ virtual, servedByDefault }) => !virtual && servedByDefault !== false)
  .map((definition) => serveResource(definition, k8s))
  .filter(({ gvr }) => /^v\d+$/.test(gvr.version));
const sampleOf = ({ definition }: (typeof kinds)[number]) => SAMPLES[keyOfKind(definition)]?.object;
const described = kinds.filter((kind) => sampleOf(kind) && kind.gvr.resource !== 'events');
/** All kinds as one argument: `pods,deployments.v1.apps`. */
const all = described
  .map(({ gvr: { group, version, resource } }) => (group === '' ? resource : `${resource}.${version}.${group}`))
  .join(',');
const nameOf = (kind: (typeof kinds)[number]) => sampleOf(kind)?.metadata.name ?? '';

describe.skipIf(!hasKubectl)('kubectl and every kind (skipped where it is not on the PATH)', () => {
  let cluster: KubectlCluster;
  let kubectl: Kubectl;

  beforeAll(async () => {
    cluster = await kubectlCluster({ controllers: [] });
    kubectl = cluster.kubectl;
    await cluster.server.load([
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } },
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: 'default' } },
      ...described.map((kind) => ({
        ...sampleOf(kind),
        apiVersion: kind.apiVersion,
        kind: kind.gvk.kind,
        metadata: { name: nameOf(kind), ...(kind.namespaced ? { namespace: 'default' } : {}) },
      })),
    ]);
  });
  afterAll(() => cluster[Symbol.asyncDispose]());

  it('gets each, with all its columns', async () => {
    // For several kinds, each table has its own head, and names contain the kind.
    const tables = (await kubectl(`get ${all} -o wide`)).trimEnd().split('\n\n');
    expect(tables).toHaveLength(described.length);
    for (const [i, kind] of described.entries()) {
      expect(tables[i], kind.gvr.resource).toMatch(/^NAME\b/);
      expect(tables[i]).toContain(`/${nameOf(kind)} `);
    }
    const shown = await kubectl('get all -o name');
    for (const name of ['pod', 'service', 'deployment.apps', 'job.batch', 'replicaset.apps'])
      expect(shown).toContain(`${name}/sample\n`);
  });

  it('describes each', async () => {
    const text = await kubectl(`describe ${all}`);
    const shown = Array.from(text.matchAll(/^Name: +(\S+)$/gm), ([, name]) => name);
    expect(shown).toEqual(expect.arrayContaining(described.map(nameOf)));
    expect(shown.length).toBeGreaterThanOrEqual(described.length);
  });

  it('explains each', async () => {
    for (const { gvr, gvk, apiVersion } of kinds) {
      const text = await kubectl(`explain ${gvr.resource} --api-version=${apiVersion}`);
      expect(text, gvr.resource).toMatch(new RegExp(`KIND: +${gvk.kind}\nVERSION: +${gvr.version}\n`));
      expect(text).toContain('FIELDS:');
    }
  }, 300_000);
});

describe.skipIf(!hasKubectl)('kubectl create (skipped where it is not on the PATH)', () => {
  let cluster: KubectlCluster;
  let kubectl: Kubectl;
  beforeAll(async () => {
    cluster = await kubectlCluster();
    kubectl = cluster.kubectl;
  });
  afterAll(() => cluster[Symbol.asyncDispose]());

  it.each([
    [
      'ingress web --class=c --rule=a.example.com/x=svc:80',
      'ingress.networking.k8s.io/web',
      /c\s+a\.example\.com\s+80/,
    ],
    ['quota q --hard=pods=3,requests.cpu=2', 'resourcequota/q', /pods: 0\/3/],
    ['priorityclass high --value=1000 --description=d', 'priorityclass.scheduling.k8s.io/high', /high\s+1000\s+false/],
    ['pdb p --selector=app=a --max-unavailable=1', 'poddisruptionbudget.policy/p', /p\s+N\/A\s+1\s+0/],
    ['service clusterip s --tcp=80:8080', 'service/s', /ClusterIP\s+10\.0\.0\.\d+\s+<none>\s+80\/TCP/],
  ])('create %s', async (command, name, shown) => {
    expect(await kubectl(`create ${command}`)).toBe(`${name} created\n`);
    await expect.poll(() => kubectl(`get ${name} --no-headers`), { timeout: 20_000 }).toMatch(shown);
  });

  it('explains custom resources as well', async () => {
    const schema = {
      type: 'object',
      properties: {
        spec: { type: 'object', description: 'What is wanted.', properties: { size: { type: 'integer' } } },
      },
    };
    const definition = definitionOf('boxes', 'Box', { group: 'shop.example.com', schema });
    await kubectl('create -f -', JSON.stringify(definition));
    await kubectl('wait --for=condition=Established crd/boxes.shop.example.com --timeout=20s');
    const text = await kubectl('explain box.spec');
    expect(text).toContain('What is wanted.');
    expect(text).toMatch(/size\s+<integer>/);
    await kubectl(
      'create -f -',
      JSON.stringify({ apiVersion: 'shop.example.com/v1', kind: 'Box', metadata: { name: 'b' } }),
    );
    expect(await kubectl('describe box b')).toMatch(/^Name: +b\n/);
  });
});
