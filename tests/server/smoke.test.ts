import { describe, expect, it } from 'vitest';
import { configMap } from '../../src/resources/core/index.js';
import { startServer } from '../support/servers.js';

describe('a server in process', () => {
  it('creates, lists, updates, watches and deletes', async () => {
    await using server = await startServer({ dialect: 'k8s' });
    const client = server.client();
    const made = await client.create(
      configMap,
      { metadata: { name: 'a' }, data: { k: 'v' } },
      { namespace: 'default' },
    );
    expect(made.metadata.resourceVersion).toMatch(/^\d+$/);
    expect(Object.isFrozen(made)).toBe(true);
    const watch = await client.watch(configMap, { namespace: 'default', fieldSelector: 'metadata.name=a' }).opened();
    const updated = await client.update(configMap, 'a', (draft) => void (draft.data = { k: 'w' }), {
      namespace: 'default',
    });
    expect(updated.data).toEqual({ k: 'w' });
    await client.delete(configMap, 'a', { namespace: 'default' });
    const types: string[] = [];
    for await (const event of watch) if (types.push(event.type) === 3) break;
    expect(types).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
    await server.settle();
    const response = await server.fetch(new Request('https://x/api/v1/namespaces'));
    expect(response.status).toBe(403);
  });
});
