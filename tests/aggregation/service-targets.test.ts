import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttps, type Server as HttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ApiServer } from '../../src/api-server.js';
import { createCertificateAuthority, issueCertificate, type KeyPair } from '../../src/pki/certificate-authority.js';
import { apiService } from '../../src/resources/apiregistration/index.js';
import { startServer } from '../support/servers.js';
import { asMaster, conditionOf, farServer, GROUP, LIST, PATH, registration } from './far-server.js';
import { NS, withPod } from './pods.js';

const running: (Server | HttpsServer)[] = [];
afterEach(() => {
  for (const server of running.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});
async function portOf(server: Server | HttpsServer): Promise<number> {
  running.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const THINGS = `${PATH}/namespaces/default/things`;
const FAR = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'far', namespace: 'default' },
  spec: { type: 'ExternalName', externalName: 'localhost' },
};

async function front(spec: object = {}, options: object = {}) {
  const server = await startServer({ dialect: 'k8s', ...options });
  await server.client().create(apiService, registration(spec));
  await server.settle();
  return server;
}
const said = async (server: ApiServer) => {
  const { status, reason, message } = (await conditionOf(server)) ?? {};
  return [status, reason, message];
};

describe('a group version whose service has no target', () => {
  it('is unavailable like its Service; a target set later takes effect at once, and so does its removal', async () => {
    await using server = await front();
    const missing = ['False', 'ServiceNotFound', 'service/far in "default" is not present'];
    expect(await said(server)).toEqual(missing);
    expect((await asMaster(server, THINGS)).status).toBe(503);
    server.services.set('default/far', farServer(() => Response.json({ here: true })).handler);
    await server.settle();
    // The target replaces the lookup of Service and Endpoints.
    expect(await said(server)).toEqual(['True', 'Passed', 'all checks passed']);
    expect(await (await asMaster(server, THINGS)).json()).toEqual({ here: true });
    const { groups } = await (await asMaster(server, '/apis')).json();
    expect(groups.map(({ name }: { name: string }) => name)).toContain(GROUP);
    server.services.delete('default/far');
    await server.settle();
    expect(await said(server)).toEqual(missing);
    expect((await asMaster(server, THINGS)).status).toBe(503);
  });

  it('is not dialled without a network, and its condition says what to do', async () => {
    const asked: string[] = [];
    const fetch = async (url: string) => {
      asked.push(url);
      return Response.json(LIST);
    };
    await using server = await front({}, { fetch });
    await server.load([FAR]);
    await server.settle();
    expect(await said(server)).toEqual([
      'False',
      'FailedDiscoveryCheck',
      expect.stringContaining("server.services.set('default/far', handler)"),
    ]);
    expect(asked).toEqual([]);
  });

  it('stays unavailable while the target does not respond correctly', async () => {
    await using server = await front();
    server.services.set('default/far', () => Response.json({}, { status: 403 }));
    await server.settle();
    expect(await said(server)).toEqual(['False', 'FailedDiscoveryCheck', expect.stringContaining('bad status from')]);
    server.services.set('default/far', () => {
      throw new Error('out of order');
    });
    await server.settle();
    expect(await said(server)).toEqual([
      'False',
      'FailedDiscoveryCheck',
      `failing or missing response from https://far.default.svc:443${PATH}: Get "https://far.default.svc:443${PATH}": out of order`,
    ]);
  });

  it('serves the kinds of another target as soon as that is set', async () => {
    await using server = await front();
    const shown = async () => {
      const { resources } = await (await asMaster(server, PATH)).json();
      const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
      const { items } = await (await asMaster(server, '/apis', { headers: { accept } })).json();
      const group = items.find(({ metadata }: { metadata: { name: string } }) => metadata.name === GROUP);
      return [resources.length, group.versions[0].resources?.length];
    };
    server.services.set('default/far', farServer().handler);
    await server.settle();
    expect(await shown()).toEqual([2, 1]);
    server.services.set('default/far', (request) =>
      new URL(request.url).pathname === PATH
        ? Response.json({ ...LIST, resources: [] })
        : new Response('not here', { status: 404 }),
    );
    await server.settle();
    expect(await shown()).toEqual([0, undefined]);
  });
});

describe('a target that is a URL', () => {
  let authority: KeyPair;
  let serving: KeyPair;
  let caBundle: string;
  beforeAll(async () => {
    authority = await createCertificateAuthority({ commonName: 'far' });
    serving = await issueCertificate(authority, {
      commonName: 'far',
      dnsNames: ['far.default.svc'],
      usages: ['serverAuth'],
    });
    caBundle = Buffer.from(authority.certificate).toString('base64');
  });
  const answer = (seen: unknown[]) => (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const own = /aggregator$/.test(String(incoming.headers['x-remote-user']));
    if (!own) seen.push([incoming.url, incoming.headers['x-remote-user'], (incoming.socket as TLSSocket).servername]);
    outgoing.setHeader('content-type', 'application/json');
    if (incoming.url === PATH) outgoing.end(JSON.stringify(LIST));
    else outgoing.writeHead(own ? 404 : 200).end('{}');
  };

  it('with https must present the certificate of the service', async () => {
    const seen: unknown[] = [];
    const port = await portOf(createHttps({ key: serving.key, cert: serving.certificate }, answer(seen)));
    const services = { 'default/far': `https://127.0.0.1:${port}` };
    await using server = await front({ caBundle }, { services });
    expect(await said(server)).toEqual(['True', 'Passed', 'all checks passed']);
    expect((await asMaster(server, THINGS)).status).toBe(200);
    expect(seen).toEqual([[THINGS, 'admin', 'far.default.svc']]);

    await using stranger = await front({}, { services });
    expect(await said(stranger)).toEqual(['True', 'Passed', 'all checks passed']);
    const refused = await asMaster(stranger, THINGS);
    expect([refused.status, await refused.text()]).toEqual([
      503,
      'error trying to reach service: tls: failed to verify certificate: x509: certificate signed by unknown authority\n',
    ]);
    expect(seen).toHaveLength(1);
  });

  it('with http is requested without TLS', async () => {
    const seen: unknown[] = [];
    const port = await portOf(createServer(answer(seen)));
    await using server = await front({ caBundle }, { services: { 'default/far': `http://127.0.0.1:${port}` } });
    expect((await asMaster(server, THINGS)).status).toBe(200);
    expect(seen).toEqual([[THINGS, 'admin', undefined]]);
  });
});

describe('the proxy of a Service', () => {
  it('uses the target of the Service, by port number and by port name', async () => {
    const refused = () => Promise.reject(new Error('dialled'));
    await using server = await withPod(refused);
    server.services.set('default/a', (request, { user }) => new Response(`${request.url} ${user?.username}`));
    server.services.set('default/a:80', () => new Response('eighty'));
    const answered = async (id: string) => (await asMaster(server, `${NS}/services/${id}/proxy/x?y=z`)).text();
    expect(await answered('a:80')).toBe('eighty');
    expect(await answered('a:web')).toBe('eighty');
    expect(await answered('a:other')).toBe('http://a.default.svc/x?y=z admin');
    expect(await answered('a:99999')).toContain('address 99999: invalid port');
    expect(await answered('https:a:8443')).toBe('https://a.default.svc:8443/x?y=z admin');
    expect(await answered('a')).toBe('http://a.default.svc/x?y=z admin');
    expect(await answered('b:web')).toContain('services \\"b\\" not found');
  });

  it('reaches this host if a target says so, but not if only an object does', async () => {
    const port = await portOf(createServer((incoming, outgoing) => void outgoing.end(incoming.url)));
    await using server = await startServer({ dialect: 'k8s', services: { 'default/a': `http://127.0.0.1:${port}` } });
    const answer = await asMaster(server, `${NS}/services/a:web/proxy/x?y=z`);
    expect([answer.status, await answer.text()]).toEqual([200, '/x?y=z']);
  });

  it('does not dial if there is no network', async () => {
    await using server = await withPod(() => Promise.reject(new Error('dialled')), undefined, {});
    const answer = await asMaster(server, `${NS}/services/a:web/proxy/x`);
    expect(answer.status).toBe(503);
    expect((await answer.json()).message).toMatch(/^error trying to reach service: this server dials no addresses/);
  });
});
