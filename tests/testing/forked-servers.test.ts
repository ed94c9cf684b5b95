import { describe, expect, it } from 'vitest';
import { configMap, namespace, secret } from '../../src/resources/core/index.js';
import { createFakeClock } from '../../src/testing/index.js';
import { fleet, forkedServers } from '../../src/testing/servers.js';

const where = { namespace: 'default' };

describe('forkedServers', () => {
  it('runs the set-up once, and gives each fork that state', async () => {
    let times = 0;
    await using servers = forkedServers({
      setUp: async (server) => {
        times++;
        await server.client().create(configMap, { metadata: { name: 'common' } }, where);
      },
    });
    const [one, other] = await Promise.all([servers.fork(), servers.fork()]);
    await one.client.delete(configMap, 'common', where);
    expect(await other.client.get(configMap, 'common', where)).toBeDefined();
    await one.close();
    await one.close();
    await expect(one.kubeconfig()).rejects.toThrow('is closed');
    expect(times).toBe(1);
  });

  it('gives a fork a clock of its own', async () => {
    const clock = createFakeClock('2030-01-01T00:00:00Z');
    await using servers = forkedServers({ server: { clock } });
    const own = createFakeClock('2031-01-01T00:00:00Z');
    const { client } = await servers.fork({ clock: own });
    const made = await client.create(configMap, { metadata: { name: 'a' } }, where);
    expect(made.metadata.creationTimestamp).toBe('2031-01-01T00:00:00Z');
    expect(client.clock).toBe(own);
  });

  it('reports the error of the set-up, and closes what was open', async () => {
    const failing = forkedServers({ setUp: () => Promise.reject(new Error('no such shop')) });
    await expect(failing.fork()).rejects.toThrow('no such shop');
    await expect(failing.fork()).rejects.toThrow('no such shop');
    await failing.close();
    await expect(failing.fork()).rejects.toThrow('closed');

    const servers = forkedServers();
    const { client, server } = await servers.fork();
    await client.list(namespace);
    const closed = new Promise<void>((resolve) => void server.on('closed', () => resolve()));
    await servers.close();
    await closed;
    expect(() => forkedServers({ setup: () => {} } as object)).toThrow(TypeError);
    expect(() => forkedServers({ setUp: 1 as never })).toThrow('forkedServers: setUp must be a function, not 1');
  });
});

describe('fleet', () => {
  it('has Secrets with the kubeconfigs of the other servers, in a namespace that it creates', async () => {
    await using two = await fleet(2, { namespace: 'clusters' });
    const names = await Promise.all(
      two.clusters.map(async ({ client }) => (await client.list(secret, { namespace: 'clusters' })).items),
    );
    expect(names.map((items) => items.map(({ metadata }) => metadata.name))).toEqual([['cluster-2'], ['cluster-1']]);
  });

  it('closes what it has started if one server fails', async () => {
    const server = (index: number) => (index === 1 ? { controllers: { mode: 'wrong' as 'stepped' } } : {});
    await expect(fleet(2, { server })).rejects.toThrow(TypeError);
    await expect(fleet(0)).rejects.toThrow('a fleet has 1 to 100 servers, not 0');
    await expect(fleet(1, { size: 3 } as object)).rejects.toThrow(TypeError);
  });
});
