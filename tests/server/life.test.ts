import { describe, expect, it } from 'vitest';
import { ApiServer } from '../../src/api-server.js';
import type { ApiServerOptions } from '../../src/api-server-options.js';
import { tokenFile } from '../../src/authentication/tokens/token-file.js';
import { alwaysAllow } from '../../src/authorization/always-allow.js';
import { configMap } from '../../src/resources/core/index.js';
import { memory } from '../../src/store/memory.js';
import type { StorageFactory } from '../../src/store/storage-factory.js';
import { createFakeClock } from '../../src/testing/index.js';

/** A storage in memory that counts how often it is opened and closed. */
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
    'an admission plug-in that cannot be made': {
      admission: [
        () => {
          throw new TypeError('no such file');
        },
      ],
    },
    'a factory that was not called': { authorization: [alwaysAllow as never] },
    'two authorizers of one name': { authorization: [alwaysAllow(), alwaysAllow()] },
  };
  it('reports a function of the default plug-ins that returns no list', async () => {
    const server = new ApiServer({ admission: () => undefined as never });
    await expect(server.start()).rejects.toThrow('must return a list, as in (defaults) => [...defaults, mine]');
  });

  it.each(Object.entries(failures))('closes its storage once: %s', async (_, options) => {
    const { counted, storage } = countedStorage();
    const server = new ApiServer({ storage, ...options });
    await expect(server.start()).rejects.toThrow(TypeError);
    expect(counted).toEqual({ opened: 1, closed: 1 });
    await expect(server.start()).rejects.toThrow(TypeError);
    await server.close();
    expect(counted).toEqual({ opened: 1, closed: 1 });
    const get = async () => await server.client().get(configMap, 'a', { namespace: 'default' });
    await expect(get()).rejects.toThrow('the server is closed: create a new one');
  });

  it('reports its own error if the storage cannot be closed either, and that as well', async () => {
    const lines: string[] = [];
    const storage: StorageFactory = (wiring) => {
      const opened = memory()(wiring);
      opened.close = () => Promise.reject(new Error('the disk is gone'));
      return opened;
    };
    const server = new ApiServer({ storage, resources: [configMap, configMap], log: (line) => lines.push(line) });
    await expect(server.start()).rejects.toThrow('two definitions of configmaps');
    expect(lines).toEqual(['the storage could not be closed: Error: the disk is gone']);
  });
});

describe('a server that is not started, or closed', () => {
  it.each<[string, (server: ApiServer) => unknown]>([
    ['handle', (server) => server.fetch(new Request('https://server/version'))],
    ['client', (server) => server.client().list(configMap)],
    ['watch', (server) => server.client().watch(configMap).opened()],
    ['save', (server) => server.save()],
    ['install', (server) => server.install([])],
    ['settle', (server) => server.settle()],
    ['explainDecision', (server) => server.explainDecision({ username: 'a' }, { verb: 'get', path: '/' })],
  ])('reports that: %s', async (_, use) => {
    const server = new ApiServer();
    const tried = async () => await use(server);
    await expect(tried()).rejects.toThrow(new TypeError('the server has not been started: await server.start() first'));
    await server.start();
    await server.close();
    await expect(tried()).rejects.toThrow(new TypeError('the server is closed: create a new one'));
    await expect(server.start()).rejects.toThrow('the server is closed: create a new one');
  });

  it('can be neither started nor loaded after it was closed before its start', async () => {
    const server = new ApiServer();
    await server.close();
    await expect(server.load('')).rejects.toThrow('the server is closed');
    await expect(server.start()).rejects.toThrow('the server is closed');
  });
});

describe('options', () => {
  it.each<[object, string]>([
    [{ dialect: 'kube' }, "ApiServer: option dialect: must be 'orch' or 'k8s'"],
    [{ dialekt: 'k8s' }, 'ApiServer: there is no option dialekt; did you mean "dialect"?'],
    [{ nonsense: 1 }, 'ApiServer: there is no option nonsense'],
    [
      { controllers: { run: ['*', 'garbage-collector'] } },
      'controllers: there is no controller with the name "garbage-collector"; did you mean "garbagecollector"?',
    ],
    [{ controllers: { run: '*' } }, "option controllers: run must be a list of names, such as ['*']"],
    [
      { controllers: { definitions: [], run: ['tokencleaner'] } },
      'there is no controller with the name "tokencleaner"',
    ],
    [{ controllers: (defaults: readonly object[]) => [...defaults, ...defaults] }, 'two controllers have the name'],
    [{ controllers: { mode: 'manual' } }, "option controllers: mode must be 'automatic' or 'stepped'"],
    [{ featureGates: { Nonsense: true } }, 'option featureGates: unrecognized feature gate: Nonsense'],
    [{ featureGates: { WatchList: 'yes' } }, 'option featureGates: WatchList must be true or false'],
    [{ runtimeConfig: { 'api/all': 'perhaps' } }, 'invalid value api/all=perhaps'],
    [{ reportedVersion: 131 }, "option reportedVersion: must be a version, such as 'v1.31.0-custom'"],
    [{ reportedVersion: 'v1.31' }, 'option reportedVersion: could not parse "v1.31" as version'],
    [{ storage: {} }, 'option storage: must be a function that creates a storage, such as memory()'],
    [{ admission: 'all' }, 'option admission: must be a list, or a function that receives the default list'],
    [{ admission: ['AlwaysPullImages'] }, 'option admission: must be a list of functions, such as alwaysPullImages'],
    [
      { controllers: ['*'] },
      'option controllers: must be a list of controllers, or { definitions, run, mode }, where run selects controllers',
    ],
    [{ resources: ['pods'] }, 'option resources: must be a list of definitions, which defineResource() returns'],
    [
      { limits: { maxRequestInFlight: 1 } },
      'option limits: has no member maxRequestInFlight; did you mean "maxRequestsInFlight"?',
    ],
    [{ shutdown: 5 }, 'option shutdown: must be an object'],
    [{ clock: Date }, 'option clock: must have now(), setTimer()'],
    [{ limits: { requestTimeout: '5s' } }, 'option limits: requestTimeout must be a number of at least 0'],
    [{ limits: { maxRequestsInFlight: -1 } }, 'option limits: maxRequestsInFlight must be a number of at least 0'],
    [
      { certificates: { root: '' } },
      'option certificates: root is empty: give a certificate, or false to publish none',
    ],
    [{ certificates: { root: 'ca.pem' } }, 'option certificates: root must be PEM text'],
    [
      { certificates: { authority: { certificate: 'x' } } },
      'option certificates: authority must have a certificate and its key',
    ],
    [{ certificates: { signing: { lifetime: 1 } } }, 'option certificates: signing has no member lifetime'],
    [
      { certificates: { signing: { duration: 0 } } },
      'option certificates: signing duration must be more than 0 milliseconds',
    ],
    [
      { serviceAccountTokens: { issuer: 'x' } },
      'option serviceAccountTokens: has no member issuer; did you mean "issuers"?',
    ],
    ...['http://keys.example.com', '/keys', '', 5].map((jwksUri): [object, string] => [
      { serviceAccountTokens: { jwksUri } },
      'option serviceAccountTokens: jwksUri must be an https URL',
    ]),
  ])('are validated when the server is created: %j', (options, message) => {
    const make = () => new ApiServer(options as ApiServerOptions);
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
  });

  it('that are undefined are absent', () => {
    const absent = { dialect: undefined, storage: undefined } as unknown as ApiServerOptions;
    expect(new ApiServer(absent).dialect.name).toBe('orch');
  });

  it('of a storage are validated as well', () => {
    expect(() => memory({ nonsense: 1 } as never)).toThrow(new TypeError('memory(): there is no option nonsense'));
    expect(() => memory({ history: { maxEvent: 1 } as never })).toThrow('did you mean "maxEvents"?');
  });
});

describe('the events of a server', () => {
  it('are sent in order, once each, to the remaining listeners', async () => {
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
  it('cannot be sent by others', () => {
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
    expect(answers.at(-1)).toMatch(/\[\+\]poststarthook\/start-system-namespaces-controller ok/);
    expect(answers.at(-1)).toMatch(/\[-\]poststarthook\/bootstrap-controller failed/);
    expect(await readiness(server)).toMatch(/readyz check passed/);
    await server.close();
  });
  const readiness = async (server: ApiServer) => {
    const headers = { authorization: 'Bearer t' };
    return await (await server.fetch(new Request('https://server/readyz?verbose', { headers }))).text();
  };
});

it.each<[string, (watch: AsyncIterable<unknown>) => void]>([
  ['nobody reads', () => {}],
  [
    'somebody reads',
    async (watch) => {
      for await (const _ of watch);
    },
  ],
])('a closed server leaves no timer behind, with a watch that %s', async (_, read) => {
  const clock = createFakeClock();
  const server = new ApiServer({ clock });
  await server.start();
  const where = { namespace: 'default' };
  const options = { ...where, resourceVersion: '0', allowWatchBookmarks: true };
  await server.client().create(configMap, { metadata: { name: 'a' } }, where);
  read(await server.client().watch(configMap, options).opened());
  read(await server.client().watch(configMap, where).opened());
  await server.close();
  expect(clock.pendingTimers).toBe(0);
});
