import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ApiServer } from '../../../src/api-server.js';
import type { AuthorizationAttributes } from '../../../src/authorization/authorizer.js';
import { Reader } from '../../../src/registry/reads/read.js';
import type { Selection } from '../../../src/registry/reads/selection.js';
import { ResourceStore } from '../../../src/registry/resource-store.js';
import { ask, requestsTo } from '../../support/ask.js';
import { allowing, everybodyIs, startServer } from '../../support/servers.js';

/** The calls of a resource's store and of its reader. */
interface Executed {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  /** The selected name of a collection. */
  readonly name: string;
}

type At = { readonly namespace: string; readonly name: string; readonly subresource: string };

let server: ApiServer;
const { get } = requestsTo(() => server);
let asked: AuthorizationAttributes[] = [];
let executed: Executed[] = [];
let allowed = true;

/** Records every call of the verbs of a store and of its reader; nested calls of the same request are internal to the store. */
function record(): void {
  const note =
    (verb: string, at: (args: readonly unknown[]) => Partial<At>) => (original: (...args: never[]) => unknown) =>
      function (this: ResourceStore | Reader, ...args: never[]) {
        const { gvr } = this.resource;
        const place = { namespace: '', name: '', subresource: '', ...at(args) };
        executed.push({ verb, group: gvr.group, resource: gvr.resource, ...place });
        return original.apply(this, args);
      };
  const named = (args: readonly unknown[]) => args[1] as At;
  const ofList = (parameters: unknown) => {
    const { namespace, selection } = parameters as { readonly namespace: string; readonly selection: Selection };
    return { namespace, name: selection.name ?? '' };
  };
  const reads = {
    get: note('get', ([namespace, name]) => ({ namespace: namespace as string, name: name as string })),
    list: note('list', ([parameters]) => ofList(parameters)),
  };
  const others = {
    watch: note('watch', ([, parameters]) => ofList(parameters)),
    create: note('create', ([, namespace]) => ({ namespace: namespace as string })),
    replace: note('update', named),
    patch: note('patch', named),
    apply: note('patch', named),
    createSubresource: note('create', named),
    delete: note('delete', ([, namespace, name]) => ({ namespace: namespace as string, name: name as string })),
    deleteCollection: note('deletecollection', ([, parameters]) => ofList(parameters)),
  };
  for (const [{ prototype }, notes] of [[Reader, reads] as const, [ResourceStore, others] as const])
    for (const [method, wrap] of Object.entries(notes)) {
      const called = prototype as unknown as Record<string, (...args: never[]) => unknown>;
      const original = called[method];
      if (!original) throw new TypeError(`there is no method ${method}`);
      vi.spyOn(called, method).mockImplementation(wrap(original) as never);
    }
}

beforeAll(async () => {
  record();
  server = await startServer({
    dialect: 'k8s',
    authentication: [everybodyIs({ username: 'bob' })],
    authorization: [
      allowing((attributes) => {
        asked.push(attributes);
        return allowed;
      }),
    ],
    // The server's own writes, such as those of its Lease, belong to no request.
    controllers: { definitions: [], mode: 'stepped' },
  });
  // Objects that the server creates when a kind is first used belong to no request.
  for (const kind of [
    'apis/apiregistration.k8s.io/v1/apiservices',
    'api/v1/services',
    'api/v1/endpoints',
    'api/v1/configmaps',
    'apis/discovery.k8s.io/v1/endpointslices',
    'apis/coordination.k8s.io/v1/leases',
    'apis/flowcontrol.apiserver.k8s.io/v1/flowschemas',
  ])
    await get(`/${kind}`);
  await server.settle();
});
afterAll(async () => {
  vi.restoreAllMocks();
  await server.close();
});
beforeEach(() => {
  allowed = true;
});

const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'CONNECT',
  'get',
  'POST ',
  'list',
  'watch',
  'deletecollection',
  'proxy',
  'constructor',
  '__proto__',
  'toString',
  '',
];

async function send(method: string, path: string, query: string): Promise<number> {
  asked = [];
  executed = [];
  const { status } = await ask(server, {
    method,
    path,
    query,
    headers: method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : {},
    ...(method === 'GET' || method === 'HEAD' ? {} : { body: {} }),
  });
  return status;
}

/** Every resource in discovery: `pods`, `pods/status`, its path, and whether it is namespaced. */
async function resources() {
  const groups = (await get('/apis')).value.groups as { versions: { groupVersion: string }[] }[];
  const roots = ['/api/v1', ...groups.flatMap(({ versions }) => versions.map((each) => `/apis/${each.groupVersion}`))];
  const found: { root: string; name: string; namespaced: boolean }[] = [];
  for (const root of roots)
    for (const { name, namespaced } of (await get(root)).value.resources) found.push({ root, name, namespaced });
  return found;
}

/** Subresources that relay a request, whatever its method. They only read their object. */
const RELAYED = new Set(['log', 'exec', 'attach', 'portforward', 'proxy']);
const COLLECTIONS = new Set(['list', 'watch', 'deletecollection']);

/** Checks that the executed operation is the first one that was authorized (PUT and PATCH may authorize more afterwards). */
function expectSame(what: string): void {
  for (const { verb } of asked) expect(typeof verb, what).toBe('string');
  const [ran] = executed;
  if (!ran) return;
  const [attributes] = asked;
  if (!attributes) throw new Error(`${what}: nobody was asked`);
  const { verb } = ran;
  const { group, resource, subresource } = attributes;
  expect({ what, group, resource }).toEqual({ what, group: ran.group, resource: ran.resource });
  if (verb !== 'get' || !RELAYED.has(subresource)) expect(attributes.verb, what).toBe(verb);
  if (ran.verb !== 'get') expect(subresource, what).toBe(ran.subresource);
  // A Namespace object is authorized with its own name as the namespace.
  if (resource !== 'namespaces') expect(attributes.namespace, what).toBe(ran.namespace);
  // A collection may be authorized as a whole, or by the one selected name.
  if (attributes.name !== '' || !COLLECTIONS.has(ran.verb)) expect(attributes.name, what).toBe(ran.name);
}

describe('the executed operation is the authorized one', () => {
  it('for every route, method, scope and unusual form of a path', async () => {
    const statuses = new Map<string, Set<number>>();
    let ran = 0;
    for (const { root, name: full } of await resources()) {
      const [resource = '', subresource] = full.split('/');
      for (const special of ['', '/watch', '/proxy'])
        for (const scope of ['', '/namespaces/default'])
          for (const tail of subresource ? [`/x/${subresource}`] : ['', '/x', '/x/nothing', '/x/status/more'])
            for (const form of ['', '/', '//', '?watch=1', '?fieldSelector=metadata.name%3Dx'])
              for (const method of METHODS) {
                const [suffix = '', query = ''] = form.split('?');
                const path = `${root}${special}${scope}/${resource}${tail}${suffix}`;
                const what = `${method} ${path}?${query}`;
                const status = await send(method, path, query);
                expectSame(what);
                if (special === '/proxy' && status !== 500) expect({ what, status }).toEqual({ what, status: 404 });
                if (executed.length > 0) ran++;
                const known = statuses.get(method) ?? new Set();
                statuses.set(method, known.add(status));
              }
    }
    expect(ran).toBeGreaterThan(500);
    for (const method of METHODS.slice(6)) {
      for (const status of statuses.get(method) ?? []) expect([404, 405, 500], method).toContain(status);
    }
  }, 120_000);

  it('and for /proxy/, which does not exist: 403 for unauthorized callers, 404 for others', async () => {
    for (const path of ['/api/v1/proxy/nodes/n', '/api/v1/proxy/nodes', '/apis/apps/v1/proxy/nodes/n']) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        allowed = false;
        expect(await send(method, path, '')).toBe(403);
        expect(asked[0]).toMatchObject({ verb: 'proxy', resource: 'nodes' });
        allowed = true;
        expect(await send(method, path, '')).toBe(404);
        expect(executed).toEqual([]);
      }
    }
  });

  it('and for methods named like inherited members: the verb is the empty string', async () => {
    for (const method of ['constructor', '__proto__', 'toString', 'valueOf', 'hasOwnProperty']) {
      expect(await send(method, '/api/v1/nodes', '')).toBe(405);
      expect(asked.map(({ verb }) => verb)).toEqual(['']);
    }
  });
});
