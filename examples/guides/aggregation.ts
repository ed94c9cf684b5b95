import { ApiServer } from 'orch-apiserver';
import { apiService } from 'orch-apiserver/kinds';

const group = 'weather.example.com';
const root = `/apis/${group}/v1`;

/** The discovery document of the backend. Clients find its kinds in it, and it shows that the backend is available. */
const resources = {
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: `${group}/v1`,
  resources: [{ name: 'reports', singularName: 'report', namespaced: false, kind: 'Report', verbs: ['get'] }],
};

/** A backend without a library. The server has authenticated and authorized the caller, and headers name it. */
function answer(request: Request): Response {
  const { pathname } = new URL(request.url);
  if (pathname === root) return Response.json(resources);
  const [, name] = /\/reports\/([^/]+)$/.exec(pathname) ?? [];
  if (name === undefined) return new Response('not here', { status: 404 });
  const reader = request.headers.get('x-remote-user');
  return Response.json({ apiVersion: `${group}/v1`, kind: 'Report', metadata: { name }, sky: 'blue', reader });
}

/** Starts a server that forwards the group `weather.example.com` to the backend. `state.up` switches the backend on and off. */
export async function startWeather() {
  const state = { up: true };
  const server = new ApiServer();
  await server.start();
  server.services.set('default/weather', {
    fetch: async (request) => (state.up ? answer(request) : new Response('down', { status: 500 })),
  });
  const service = { namespace: 'default', name: 'weather' };
  const spec = { group, version: 'v1', groupPriorityMinimum: 1000, versionPriority: 10, service };
  await server.client().create(apiService, { metadata: { name: `v1.${group}` }, spec });
  await server.settle();
  return { server, state };
}
