import type { ApiServer } from '../../src/api-server.js';
import type { ApiServerOptions } from '../../src/api-server-options.js';
import type { ServiceHandler } from '../../src/meta/services/service-routes.js';
import { apiService } from '../../src/resources/apiregistration/index.js';
import { startServer } from '../support/servers.js';

export const GROUP = 'far.example.com';
export const PATH = `/apis/${GROUP}/v1`;

/** The discovery documents of a server of version v1. */
export const LIST = {
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: `${GROUP}/v1`,
  resources: [
    {
      name: 'things',
      singularName: 'thing',
      namespaced: true,
      kind: 'Thing',
      verbs: ['get', 'list'],
      shortNames: ['th'],
    },
    { name: 'things/status', singularName: '', namespaced: true, kind: 'Thing', verbs: ['get'] },
  ],
};

export type Answer = (request: Request, url: URL) => Response | undefined | Promise<Response | undefined>;

/** A backend that serves its discovery documents, and otherwise the given response. `seen` contains the requests of callers. */
export function farServer(answer: Answer = () => undefined) {
  const seen: Request[] = [];
  const handler: ServiceHandler = {
    async fetch(request) {
      const url = new URL(request.url);
      const isOwn = /^system:(kube-)?aggregator$/.test(request.headers.get('x-remote-user') ?? '');
      if (!isOwn) seen.push(request.clone());
      const given = isOwn && url.pathname === PATH ? undefined : await answer(request, url);
      if (given) return given;
      return url.pathname === PATH ? Response.json(LIST) : new Response('not here', { status: 404 });
    },
  };
  return { handler, seen };
}

export const registration = (spec: object = {}) => ({
  metadata: { name: `v1.${GROUP}` },
  spec: {
    group: GROUP,
    version: 'v1',
    groupPriorityMinimum: 1000,
    versionPriority: 10,
    service: { namespace: 'default', name: 'far' },
    ...spec,
  },
});

/** A started server with a registered backend whose discovery was read. */
export async function frontServer(handler: ServiceHandler, options: ApiServerOptions = {}): Promise<ApiServer> {
  const server = await startServer({ dialect: 'k8s', ...options });
  server.services.set('default/far', handler);
  await server.client().create(apiService, registration());
  await server.settle();
  return server;
}

export const MASTER = { username: 'admin', groups: ['system:masters', 'system:authenticated'] };

/** Sends a request as a member of system:masters. */
export const asMaster = (server: ApiServer, path: string, init: RequestInit = {}, user = MASTER) =>
  server.fetch(new Request(`https://front.example${path}`, init), { user });

export const conditionOf = async (server: ApiServer, name = `v1.${GROUP}`) => {
  const { status } = await server.client().get(apiService, name);
  return status.conditions?.find(({ type }) => type === 'Available');
};
