import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasKubectl, type Kubectl, type KubectlCluster, kubectlCluster, kubectlFor } from './kubectl.js';

const manifest = (data: Readonly<Record<string, string>>, name = 'applied') =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });

/** Every writing command of kubectl. */
describe.skipIf(!hasKubectl)('kubectl writes (skipped where it is not on the PATH)', () => {
  let cluster: KubectlCluster;
  let kubectl: Kubectl;
  const dataOf = async (name: string) => JSON.parse(await kubectl(`get cm ${name} -o json`)).data;

  beforeAll(async () => {
    cluster = await kubectlCluster();
    kubectl = cluster.kubectl;
  });
  afterAll(() => cluster[Symbol.asyncDispose]());

  it('applies on the client side', async () => {
    expect(await kubectl('apply -f -', manifest({ a: '1', b: '1' }))).toBe('configmap/applied created\n');
    expect(await kubectl('apply -f -', manifest({ a: '1', b: '1' }))).toBe('configmap/applied unchanged\n');
    expect(await kubectl('apply -f -', manifest({ a: '2' }))).toBe('configmap/applied configured\n');
    expect(await dataOf('applied')).toEqual({ a: '2' });
  });

  it('applies on the server side, with conflicts and by force', async () => {
    const first = 'apply --server-side --field-manager=one -f -';
    expect(await kubectl(first, manifest({ a: '1', b: '1' }, 'shared'))).toBe('configmap/shared serverside-applied\n');
    const second = 'apply --server-side --field-manager=two -f -';
    await expect(kubectl(second, manifest({ a: '2' }, 'shared'))).rejects.toThrow(/conflict with "one": \.data\.a/);
    expect(await kubectl(`${second} --force-conflicts`, manifest({ a: '2' }, 'shared'))).toBe(
      'configmap/shared serverside-applied\n',
    );
    expect(await dataOf('shared')).toEqual({ a: '2', b: '1' });
    // A field that its manager omits is removed if no other manager owns it.
    expect(await kubectl(first, manifest({ b: '2' }, 'shared'))).toBe('configmap/shared serverside-applied\n');
    expect(await dataOf('shared')).toEqual({ a: '2', b: '2' });
    const managers = await kubectl([
      'get',
      'cm',
      'shared',
      '--show-managed-fields',
      '-o',
      'jsonpath={.metadata.managedFields[*].manager}',
    ]);
    expect(managers.split(' ').sort()).toEqual(['one', 'two']);
  });

  it('shows differences', async () => {
    await kubectl('apply -f -', manifest({ a: '1' }, 'compared'));
    await kubectl('diff -f -', manifest({ a: '1' }, 'compared'));
    await expect(kubectl('diff -f -', manifest({ a: '9' }, 'compared'))).rejects.toThrow(/- {2}a: "1"\n\+ {2}a: "9"/);
    expect(await dataOf('compared')).toEqual({ a: '1' });
  });

  it('patches with every type of patch', async () => {
    await kubectl('create configmap patched --from-literal=a=1');
    const patch = (type: string, body: unknown) =>
      kubectl(['patch', 'cm', 'patched', `--type=${type}`, '-p', JSON.stringify(body)]);
    expect(await patch('merge', { data: { b: '1' } })).toBe('configmap/patched patched\n');
    expect(await patch('strategic', { data: { c: '1' } })).toBe('configmap/patched patched\n');
    expect(await patch('json', [{ op: 'remove', path: '/data/a' }])).toBe('configmap/patched patched\n');
    expect(await patch('merge', { data: { b: '1' } })).toBe('configmap/patched patched (no change)\n');
    expect(await dataOf('patched')).toEqual({ b: '1', c: '1' });
    await expect(patch('json', [{ op: 'test', path: '/data/b', value: '2' }])).rejects.toThrow(
      'The request is invalid',
    );
  });

  it('edits and replaces', async () => {
    await kubectl('create configmap edited --from-literal=colour=red');
    const editor = join(cluster.folder, 'editor.sh');
    writeFileSync(editor, '#!/bin/sh\nsed -i s/red/blue/ "$1"\n', { mode: 0o755 });
    const editing = kubectlFor(cluster.config, cluster.folder, { KUBE_EDITOR: editor });
    expect(await editing('edit cm edited')).toBe('configmap/edited edited\n');
    expect(await dataOf('edited')).toEqual({ colour: 'blue' });
    expect(await kubectl('replace -f -', manifest({ z: '1' }, 'edited'))).toBe('configmap/edited replaced\n');
    expect(await dataOf('edited')).toEqual({ z: '1' });
    await expect(kubectl('replace -f -', manifest({}, 'absent'))).rejects.toThrow('configmaps "absent" not found');
  });

  it('validates fields strictly, and performs dry runs', async () => {
    const typo = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'typo' }, dota: {} });
    await expect(kubectl('create -f -', typo)).rejects.toThrow('strict decoding error: unknown field "dota"');
    expect(await kubectl('create --dry-run=server -f -', manifest({}, 'tried'))).toBe(
      'configmap/tried created (server dry run)\n',
    );
    await expect(kubectl('get cm tried')).rejects.toThrow('not found');
  });

  it.each([
    ['background', 'gone'],
    ['foreground', 'gone'],
    ['orphan', 'kept'],
  ])('deletes with --cascade=%s, after which the dependent is %s', async (cascade, fate) => {
    await kubectl(`create configmap owner-${cascade}`);
    const uid = await kubectl(`get cm owner-${cascade} -o jsonpath={.metadata.uid}`);
    const ownerReferences = [
      { apiVersion: 'v1', kind: 'ConfigMap', name: `owner-${cascade}`, uid, blockOwnerDeletion: true },
    ];
    const dependent = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `owned-${cascade}`, ownerReferences } };
    await kubectl('create -f -', JSON.stringify(dependent));
    expect(await kubectl(`delete cm owner-${cascade} --cascade=${cascade} --timeout=20s`)).toContain('deleted\n');
    await cluster.server.settle();
    const left = await kubectl(`get cm owned-${cascade} -o jsonpath={.metadata.ownerReferences} --ignore-not-found`);
    const present = await kubectl(`get cm owned-${cascade} -o name --ignore-not-found`);
    expect(left).toBe('');
    expect(present).toBe(fate === 'gone' ? '' : `configmap/owned-${cascade}\n`);
  });

  it('deletes a namespace with all of its objects', async () => {
    await kubectl('create ns full');
    for (const name of ['a', 'b']) await kubectl(`create configmap ${name} -n full`);
    expect(await kubectl('delete ns full --timeout=20s')).toBe('namespace "full" deleted\n');
    expect(await kubectl('get cm -n full --ignore-not-found')).toBe('');
  });
});
