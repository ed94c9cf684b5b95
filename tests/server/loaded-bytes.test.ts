import { MemoryLevel } from 'memory-level';
import { describe, expect, it } from 'vitest';
import { anonymous } from '../../src/authentication/anonymous.js';
import { alwaysAllow } from '../../src/authorization/always-allow.js';
import { createCertificateAuthority } from '../../src/exports/pki.js';
import { level } from '../../src/exports/storage.js';
import { ApiServer, type ApiServerOptions } from '../../src/index.js';
import { fetchFrom } from '../support/ask.js';
import { definitionOf } from '../support/definitions.js';
import { startServer } from '../support/servers.js';

const authority = await createCertificateAuthority({ commonName: 'kept' });
const open: ApiServerOptions = {
  certificates: { authority: authority },
  dialect: 'k8s',
  authentication: [anonymous()],
  authorization: [alwaysAllow()],
};
const textOf = async (server: ApiServer, path: string, accept = 'application/json') => {
  const response = await fetchFrom(server, path, { headers: { accept } });
  expect(response.status, path).toBe(200);
  return Buffer.from(await response.arrayBuffer()).toString('latin1');
};
const send = async (server: ApiServer, method: string, path: string, body: object, type = 'application/json') => {
  const { status } = await fetchFrom(server, path, { method, headers: { 'content-type': type }, body });
  expect(status, path).toBeLessThan(300);
};

const NAMESPACED = '/api/v1/namespaces/default';
const THINGS = '/apis/example.com/v1/namespaces/default/things';

/** Creates objects whose JSON could easily change: members in any order, empty and absent ones, numbers, quantities, all of Unicode. */
async function fill(server: ApiServer): Promise<readonly string[]> {
  await send(server, 'POST', `${NAMESPACED}/configmaps`, {
    metadata: {
      name: 'map',
      labels: { z: '1', a: '', '10': 'x', '9': 'y' },
      annotations: { text: 'é😀\u2028\u0000"\\' },
    },
    data: { b: '1', a: '\n', '2': 'x', '1': 'y', __proto: 'z' },
    binaryData: { bytes: 'AAEC/w==' },
  });
  await send(server, 'POST', `${NAMESPACED}/pods`, {
    metadata: { name: 'pod', finalizers: ['example.com/held'] },
    spec: {
      containers: [
        { image: 'i', name: 'c', resources: { limits: { memory: '1024Mi', cpu: '0.5' } }, args: [], env: [] },
      ],
      nodeSelector: {},
    },
  });
  await send(server, 'POST', '/apis/apps/v1/namespaces/default/deployments', {
    metadata: { name: 'deployment' },
    spec: {
      selector: { matchLabels: { app: 'a' } },
      template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      strategy: { rollingUpdate: { maxSurge: '25%', maxUnavailable: 1 } },
    },
  });
  await send(server, 'DELETE', `${NAMESPACED}/pods/pod`, {});
  await send(
    server,
    'PATCH',
    `${NAMESPACED}/configmaps/map?fieldManager=one`,
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'map' }, data: { c: '3' } },
    'application/apply-patch+yaml',
  );
  await send(
    server,
    'POST',
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    definitionOf('things', 'Thing', { schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }),
  );
  await server.settle();
  await send(server, 'POST', THINGS, {
    apiVersion: 'example.com/v1',
    kind: 'Thing',
    zeta: { b: [1, 1.5, -0.25, 1e21, 12345678901, null, true], a: {} },
    alpha: [],
    metadata: { name: 'thing' },
    10: 'ten',
    9: 'nine',
  });
  await server.settle();
  return [
    `${NAMESPACED}/configmaps/map`,
    `${NAMESPACED}/pods/pod`,
    '/apis/apps/v1/namespaces/default/deployments/deployment',
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.example.com',
    `${THINGS}/thing`,
  ];
}

const answersOf = async (server: ApiServer, paths: readonly string[]) => {
  const answers: Record<string, string> = {};
  for (const path of paths) {
    answers[path] = await textOf(server, path);
    if (!path.startsWith(THINGS))
      answers[`${path} pb`] = await textOf(server, path, 'application/vnd.kubernetes.protobuf');
  }
  return answers;
};

describe('a server that starts with an earlier state returns the same bytes', () => {
  it('after save and load', async () => {
    await using before = await startServer(open);
    const paths = await fill(before);
    const answers = await answersOf(before, paths);
    await using after = new ApiServer(open);
    await after.load(await before.save());
    await after.start();
    await after.settle();
    expect(await answersOf(after, paths)).toEqual(answers);
  });

  it('after a restart on the same database, lists and watches included', async () => {
    const database = new MemoryLevel<string, string>();
    const options = { ...open, storage: level({ database }) };
    const before = await startServer(options);
    const version = JSON.parse(await textOf(before, `${NAMESPACED}/configmaps`)).metadata.resourceVersion;
    const paths = await fill(before);
    const exact = `${NAMESPACED}/configmaps?resourceVersion=${version}&resourceVersionMatch=Exact`;
    const first = JSON.parse(await textOf(before, `${NAMESPACED}/configmaps?limit=1`));
    const next = `${NAMESPACED}/configmaps?limit=1&continue=${first.metadata.continue}`;
    const events = `${NAMESPACED}/configmaps?watch=true&resourceVersion=${version}&timeoutSeconds=1`;
    const all = [...paths, exact, next];
    const read = async (server: ApiServer) => ({
      answers: await answersOf(server, all),
      events: await textOf(server, events),
    });
    const expected = await read(before);
    expect(expected.events.split('\n').length).toBeGreaterThan(2);
    await before.close();
    await using after = await startServer(options);
    await after.settle();
    expect(await read(after)).toEqual(expected);
  });

  it('and continues with higher versions if it loads a state after the restart', async () => {
    await using before = await startServer(open);
    const paths = await fill(before);
    const answers = await answersOf(before, paths);
    const database = new MemoryLevel<string, string>();
    for (let restart = 0; restart < 2; restart++) {
      const after = new ApiServer({ ...open, storage: level({ database }) });
      if (restart === 0) await after.load(await before.save());
      await after.start();
      await after.settle();
      expect(await answersOf(after, paths)).toEqual(answers);
      await after.close();
    }
  });
});
