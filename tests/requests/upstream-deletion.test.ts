import { describe, expect, it } from 'vitest';
import type { AdmissionAttributes } from '../../src/admission/admission-plugin.js';
import { requestsTo } from '../support/ask.js';
import { openSuiteServer } from '../support/servers.js';

// Rules of deletion from upstream's source that no record of the suite covers (k8s dialect).
const MAPS = '/api/v1/namespaces/default/configmaps';
const NAMESPACES = '/api/v1/namespaces';
const JOBS = '/apis/batch/v1/namespaces/default/jobs';
const CLASSES = '/apis/scheduling.k8s.io/v1/priorityclasses';

const seen: string[] = [];
let seenOptions: Readonly<Record<string, unknown>> = {};
const spy = {
  name: 'Spy',
  handles: ({ operation }: AdmissionAttributes) => operation === 'DELETE',
  validate({ resource, requestName, options }: AdmissionAttributes) {
    seen.push(`${resource.resource}/${requestName}`);
    seenOptions = options;
  },
};
const server = openSuiteServer({ admission: (defaults) => [...defaults, () => spy] });
const { get, post, put, remove } = requestsTo(server);

describe('preconditions in the query', () => {
  it('are absent if they are empty', async () => {
    await post(MAPS, { metadata: { name: 'empty' } });
    expect((await remove(`${MAPS}/empty?uid=&resourceVersion=`)).status).toBe(200);
  });

  it('are checked before admission', async () => {
    await post(MAPS, { metadata: { name: 'checked' } });
    seen.length = 0;
    expect((await remove(`${MAPS}/checked?uid=another`)).status).toBe(409);
    expect(seen).toEqual([]);
    expect((await remove(`${MAPS}/checked`)).status).toBe(200);
    expect(seen).toEqual(['configmaps/checked']);
  });
});

describe('the delete options that admission sees', () => {
  const PODS = '/api/v1/namespaces/default/pods';
  const makePod = (name: string, spec: object = {}) =>
    post(PODS, {
      metadata: { name },
      spec: { serviceAccountName: 'sa', containers: [{ name: 'c', image: 'i' }], ...spec },
    });

  it('have the effective grace period, but those of a collection are as sent', async () => {
    await post('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'sa' } });
    await makePod('running', { nodeName: 'n' });
    await makePod('waiting');
    await remove(`${PODS}/running`);
    expect(seenOptions).toMatchObject({ gracePeriodSeconds: 30 });
    await remove(`${PODS}/running?gracePeriodSeconds=-1`);
    expect(seenOptions).toMatchObject({ gracePeriodSeconds: 1 });
    await remove(`${PODS}/waiting?gracePeriodSeconds=20&dryRun=All`);
    expect(seenOptions).toMatchObject({ gracePeriodSeconds: 0 });
    await remove(`${PODS}?gracePeriodSeconds=-1`);
    expect(seenOptions).toMatchObject({ gracePeriodSeconds: -1 });
    await post(MAPS, { metadata: { name: 'no-grace' } });
    await remove(`${MAPS}/no-grace?gracePeriodSeconds=-5`);
    expect(seenOptions).toMatchObject({ gracePeriodSeconds: 1 });
  });

  it('are seen twice if a pod is marked and then removed', async () => {
    await makePod('twice');
    seen.length = 0;
    await remove(`${PODS}/twice?dryRun=All`);
    expect(seen).toEqual(['pods/twice']);
    await remove(`${PODS}/twice`);
    expect(seen).toEqual(['pods/twice', 'pods/twice', 'pods/twice']);
    expect(seenOptions).toMatchObject({ gracePeriodSeconds: 0 });
  });

  it('have the uid of a namespace as a precondition', async () => {
    const { uid } = (await post(NAMESPACES, { metadata: { name: 'known' } })).value.metadata;
    await remove(`${NAMESPACES}/known?dryRun=All`);
    expect(seenOptions['preconditions']).toEqual({ uid });
    await post(MAPS, { metadata: { name: 'unknown' } });
    await remove(`${MAPS}/unknown`);
    expect(seenOptions).not.toHaveProperty('preconditions');
  });
});

describe('finalizers', () => {
  it('keep their order and the version of the object if a deletion changes none of them', async () => {
    const finalizers = ['foregroundDeletion', 'example.com/a'];
    await post(MAPS, { metadata: { name: 'ordered', finalizers } });
    const first = await remove(`${MAPS}/ordered`);
    expect(first.value.metadata.finalizers).toEqual(finalizers);
    expect((await remove(`${MAPS}/ordered?propagationPolicy=Foreground`)).value).toEqual(first.value);
  });
});

describe('a namespace', () => {
  const finalizersOf = (value: { metadata: { finalizers?: string[] } }) => value.metadata.finalizers;

  it('that is being deleted returns another deletion without admission and without a change', async () => {
    await post(NAMESPACES, { metadata: { name: 'emptied', finalizers: ['example.com/a'] } });
    const first = await remove(`${NAMESPACES}/emptied`);
    seen.length = 0;
    const again = await remove(`${NAMESPACES}/emptied?propagationPolicy=Orphan`);
    expect([again.status, again.value]).toEqual([200, first.value]);
    expect(seen).toEqual([]);
    expect((await remove(`${NAMESPACES}/emptied?uid=another`)).status).toBe(409);
  });

  it('deletes dependents in the foreground if orphanDependents is false', async () => {
    await post(NAMESPACES, { metadata: { name: 'dependents', finalizers: ['orphan'] } });
    const { status, value } = await remove(`${NAMESPACES}/dependents?orphanDependents=false`);
    expect([status, finalizersOf(value)]).toEqual([202, ['foregroundDeletion']]);
  });

  it('without finalizers in its spec is marked first and removed by the next deletion', async () => {
    await post(NAMESPACES, { metadata: { name: 'twice', finalizers: ['example.com/a'] } });
    const empty = { metadata: { name: 'twice', finalizers: ['example.com/a'] }, spec: {} };
    await put(`${NAMESPACES}/twice/finalize`, empty);
    expect((await remove(`${NAMESPACES}/twice`)).value.metadata).not.toHaveProperty('deletionGracePeriodSeconds');
    const held = await remove(`${NAMESPACES}/twice`);
    expect([finalizersOf(held.value), held.value.metadata.deletionGracePeriodSeconds]).toEqual([['example.com/a'], 0]);

    await post(NAMESPACES, { metadata: { name: 'free', generation: 7 } });
    await put(`${NAMESPACES}/free/finalize`, { metadata: { name: 'free' }, spec: {} });
    const { value: free } = await remove(`${NAMESPACES}/free`);
    expect([free.status.phase, free.metadata.generation]).toEqual(['Terminating', 7]);
    expect((await get(`${NAMESPACES}/free`)).status).toBe(200);
    expect((await remove(`${NAMESPACES}/free`)).value.kind).toBe('Namespace');
    expect((await get(`${NAMESPACES}/free`)).status).toBe(404);
  });
});

describe('responses before an object is read', () => {
  it('warn that pods of jobs stay, also for absent jobs', async () => {
    for (const path of [`${JOBS}/none`, JOBS]) {
      const { headers } = await remove(path);
      expect(headers['Warning']).toEqual([expect.stringContaining('child pods are preserved by default')]);
    }
  });

  it('refuse to delete system priority classes, but not as a collection', async () => {
    const system = `${CLASSES}/system-node-critical`;
    expect((await remove(`${system}?uid=another`)).status).toBe(403);
    const { status, value } = await remove(`${CLASSES}?dryRun=All`);
    expect(status).toBe(200);
    expect(JSON.stringify(value)).toContain('system-node-critical');
  });
});

describe('a collection', () => {
  it('is deleted as it was at a resourceVersion', async () => {
    const old = (await post(MAPS, { metadata: { name: 'old', labels: { of: 'version' } } })).value;
    await post(MAPS, { metadata: { name: 'young', labels: { of: 'version' } } });
    const { value } = await remove(
      `${MAPS}?labelSelector=of%3Dversion&resourceVersion=${old.metadata.resourceVersion}`,
    );
    expect(value.items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual(['old']);
    expect((await get(`${MAPS}/old`)).status).toBe(404);
    expect((await get(`${MAPS}/young`)).status).toBe(200);
  });
});
