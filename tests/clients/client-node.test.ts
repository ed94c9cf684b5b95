import * as k8s from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Listener, listen } from '../../src/http/index.js';
import { suiteServer } from '../support/servers.js';

/** The ecosystem's JavaScript client, unmodified: objects, watches, informers. */
describe('@kubernetes/client-node', () => {
  const server = suiteServer({ dialect: 'k8s' });
  let listener: Listener;
  const config = new k8s.KubeConfig();

  beforeAll(async () => {
    listener = await listen(server);
    config.loadFromString(await listener.kubeconfig());
  });
  afterAll(() => listener.close());

  it('creates, reads, patches, lists and deletes', async () => {
    const core = config.makeApiClient(k8s.CoreV1Api);
    const namespace = 'default';
    const made = await core.createNamespacedConfigMap({
      namespace,
      body: { metadata: { name: 'a' }, data: { k: 'v' } },
    });
    expect(made.metadata?.uid).toMatch(/^[0-9a-f-]{36}$/);
    expect(made.metadata?.creationTimestamp).toBeInstanceOf(Date);
    const listed = await core.listNamespacedConfigMap({ namespace, fieldSelector: 'metadata.name=a' });
    expect(listed.items.map(({ data }) => data)).toEqual([{ k: 'v' }]);
    await core.deleteNamespacedConfigMap({ namespace, name: 'a' });
    await expect(core.readNamespacedConfigMap({ namespace, name: 'a' })).rejects.toMatchObject({ code: 404 });
  });

  it('watches', async () => {
    const core = config.makeApiClient(k8s.CoreV1Api);
    const seen: string[] = [];
    let abort: (() => void) | undefined;
    const ended = new Promise<void>((resolve, reject) => {
      new k8s.Watch(config)
        .watch(
          '/api/v1/namespaces/default/secrets',
          {},
          (type, object: k8s.V1Secret) => {
            seen.push(`${type} ${object.metadata?.name}`);
            if (type === 'DELETED') abort?.();
          },
          (error) => (error && !/abort/i.test(String(error)) ? reject(error) : resolve()),
        )
        .then((request) => (abort = () => request.abort()), reject);
    });
    await core.createNamespacedSecret({ namespace: 'default', body: { metadata: { name: 's' } } });
    await core.deleteNamespacedSecret({ namespace: 'default', name: 's' });
    await ended;
    expect(seen).toEqual(['ADDED s', 'DELETED s']);
  });

  it('keeps an informer equal to the collection', async () => {
    const core = config.makeApiClient(k8s.CoreV1Api);
    const namespace = 'kube-public';
    const informer = k8s.makeInformer(config, `/api/v1/namespaces/${namespace}/configmaps`, () =>
      core.listNamespacedConfigMap({ namespace }),
    );
    await informer.start();
    try {
      for (const name of ['x', 'y', 'z'])
        await core.createNamespacedConfigMap({ namespace, body: { metadata: { name } } });
      await core.deleteNamespacedConfigMap({ namespace, name: 'y' });
      const names = () =>
        informer
          .list(namespace)
          .map(({ metadata }) => metadata?.name)
          .sort();
      await expect.poll(names).toEqual(['kube-root-ca.crt', 'x', 'z']);
    } finally {
      await informer.stop();
    }
  });
});
