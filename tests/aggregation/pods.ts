import type { ApiServer } from '../../src/api-server.js';
import type { ApiServerOptions } from '../../src/api-server-options.js';
import type { Fetch } from '../../src/meta/fetch.js';
import { systemFetch } from '../../src/outbound/system-fetch.js';
import { ask } from '../support/ask.js';
import { openServer } from '../support/servers.js';

export const NS = '/api/v1/namespaces/default';
export const IP = '10.0.0.7';

/** The network of the tests, in which the address of the pod is a port of this machine. */
export const podFetch = (port: number): Fetch => {
  const here = (url: string) => url.replace(/\/\/10\.0\.0\.7(:\d+)?/, `//127.0.0.1:${port}`);
  const { upgrade, upload } = systemFetch;
  return Object.assign<Fetch, Pick<Fetch, 'upgrade' | 'upload'>>((url, options) => systemFetch(here(url), options), {
    ...(upgrade && { upgrade: (url, options) => upgrade(here(url), options) }),
    ...(upload && { upload: (url, options, body) => upload(here(url), options, body) }),
  });
};

/** A server with a service whose endpoint is a pod. */
export async function withPod(
  fetch: Fetch,
  ip = IP,
  options: ApiServerOptions = { services: 'network' },
): Promise<ApiServer> {
  const server = await openServer({ dialect: 'k8s', fetch, ...options });
  const targetRef = { kind: 'Pod', name: 'p', namespace: 'default' };
  await server.load([
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: 'default' } },
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p', namespace: 'default' },
      spec: { containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 8080 }] }] },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'a', namespace: 'default' },
      spec: { ports: [{ name: 'web', port: 80 }] },
    },
    {
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: { name: 'a', namespace: 'default' },
      subsets: [{ addresses: [{ ip, targetRef }], ports: [{ name: 'web', port: 8080 }] }],
    },
  ]);
  await ask(server, {
    method: 'PATCH',
    path: `${NS}/pods/p/status`,
    headers: { 'content-type': 'application/merge-patch+json' },
    body: { status: { podIP: IP, podIPs: [{ ip: IP }] } },
  });
  return server;
}
