import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { expect, it } from 'vitest';
import { listen } from '../../src/http/index.js';
import { ApiServer, configMap } from '../../src/index.js';
import { createFakeClock } from '../../src/testing/index.js';

it.each(['1980-01-01T00:00:00Z', '2010-01-01T00:00:00Z', '2060-01-01T00:00:00Z'])(
  'serves clients over HTTPS while its clock is at %s',
  async (start) => {
    await using server = new ApiServer({ dialect: 'k8s', clock: createFakeClock(start) });
    await server.start();
    await server.client().create(configMap, { metadata: { name: 'a' } }, { namespace: 'default' });
    const listener = await listen(server);
    try {
      const config = new KubeConfig();
      config.loadFromString(await listener.kubeconfig());
      const read = await config.makeApiClient(CoreV1Api).readNamespacedConfigMap({ name: 'a', namespace: 'default' });
      expect(read.metadata?.creationTimestamp).toEqual(new Date(start));
    } finally {
      await listener.close({ graceMilliseconds: 0 });
    }
  },
);
