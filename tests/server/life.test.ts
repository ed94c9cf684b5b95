import { describe, expect, it } from 'vitest';
import { ApiServer } from '../../src/api-server.js';
import type { ApiServerOptions } from '../../src/api-server-options.js';
import { tokenFile } from '../../src/authentication/tokens/token-file.js';
import { configMap } from '../../src/resources/core/config-map.js';
import { memory } from '../../src/store/memory.js';
import type { StorageFactory } from '../../src/store/storage-factory.js';

/** A memory storage that counts how often it is closed. */
function countedStorage() {
  const counted = { opened: 0, closed: 0 };
  const make = memory();
  const storage: StorageFactory = (wiring) => {
    const opened = make(wiring);
    const close = opened.close.bind(opened);
    counted.opened++;
    opened.close = () => {
      counted.closed++;
      return close();
    };
    return opened;
  };
  return { counted, storage };
}

describe('a server whose start fails', () => {
  const failures: Readonly<Record<string, ApiServerOptions>> = {
    'two definitions of a kind': { resources: [configMap, configMap] },
    'a feature gate nobody knows': { featureGates: { Nonsense: true } },
    'an admission plug-in that cannot be made': {
      admission: [
        () => {
          throw new TypeError('no such file');
        },
      ],
    },
    'two controllers of one name': { controllers: (defaults) => [...defaults, ...defaults] },
    'an empty root authority': { rootCertificateAuthority: '' },
  };
  it.each(Object.entries(failures))('closes its storage once: %s', async (_, options) => {
    const { counted, storage } = countedStorage();
    const server = new ApiServer({ storage, ...options });
    await expect(server.start()).rejects.toThrow(TypeError);
    expect(counted).toEqual({ opened: 1, closed: 1 });
    await expect(server.start()).rejects.toThrow(TypeError);
    await server.close();
    expect(counted).toEqual({ opened: 1, closed: 1 });
    const get = async () => await server.client().get(configMap, 'a', { namespace: 'default' });
    await expect(get()).rejects.toThrow(/has not been started/);
  });

  it('fails for its own reason where the storage cannot be closed either, and says that too', async () => {
    const lines: string[] = [];
    const storage: StorageFactory = (wiring) => {
      const opened = memory()(wiring);
      opened.close = () => Promise.reject(new Error('the disk is gone'));
      return opened;
    };
    const server = new ApiServer({ storage, featureGates: { Nonsense: true }, log: (line) => lines.push(line) });
    await expect(server.start()).rejects.toThrow('unrecognized feature gate: Nonsense');
    expect(lines).toEqual(['the storage could not be closed: Error: the disk is gone']);
  });
});

describe('the events of a server', () => {
  it('come in order, once each, to who listens still', async () => {
    const { counted, storage } = countedStorage();
    const server = new ApiServer({ storage });
    const heard: string[] = [];
    const never = () => heard.push('never');
    for (const event of ['started', 'closing', 'closed'] as const) {
      server.on(event, () => heard.push(`${event}, storage closed ${counted.closed} times`));
      server.on(event, never).off(event, never);
    }
    server.once('started', () => heard.push('once'));
    await Promise.all([server.start(), server.start()]);
    await Promise.all([server.close(), server.close()]);
    expect(heard).toEqual([
      'started, storage closed 0 times',
      'once',
      'closing, storage closed 0 times',
      'closed, storage closed 1 times',
    ]);
  });
  it('cannot be made by others', () => {
    expect('emit' in new ApiServer()).toBe(false);
  });
});

describe('readiness', () => {
  it('waits for the default roles and the system namespaces', async () => {
    const answers: string[] = [];
    const server: ApiServer = new ApiServer({
      dialect: 'k8s',
      authentication: [tokenFile('t,admin,1,system:masters')],
      controllers: (defaults) => [
        {
          name: 'asks',
          follow: ({ queue }) => {
            queue.add('now');
            return () => {};
          },
          reconcile: async () => void answers.push(await readiness(server)),
        },
        ...defaults,
      ],
      admission: (defaults) => [
        ...defaults,
        () => ({
          name: 'Asks',
          handles: ({ operation, resource }) => operation === 'CREATE' && resource.resource === 'namespaces',
          validate: async () => void answers.push(await readiness(server)),
        }),
      ],
    });
    await server.start();
    expect(answers[0]).toMatch(/\[-\]poststarthook\/rbac\/bootstrap-roles failed/);
    expect(answers[0]).toMatch(/\[-\]poststarthook\/start-system-namespaces-controller failed/);
    expect(answers.at(-1)).toBe(await readiness(server));
    expect(await readiness(server)).toMatch(/readyz check passed/);
    await server.close();
  });
  const readiness = async (server: ApiServer) => {
    const headers = { authorization: 'Bearer t' };
    return await (await server.fetch(new Request('https://server/readyz?verbose', { headers }))).text();
  };
});
