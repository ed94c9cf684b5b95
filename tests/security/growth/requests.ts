import type { ApiServer } from '../../../src/api-server.js';
import { tokenFile } from '../../../src/authentication/tokens/token-file.js';
import { webSocketToken } from '../../../src/authentication/tokens/websocket-token.js';
import { dialectOf } from '../../../src/meta/dialect.js';
import { parseQuery } from '../../../src/meta/query.js';
import { headersOf } from '../../../src/meta/request-headers.js';
import { warningHeaders } from '../../../src/requests/answers/respond.js';
import { parseRequestInfo } from '../../../src/requests/request-info.js';
import { EMPTY_SEGMENT } from '../../../src/requests/route.js';
import { readImpersonation } from '../../../src/requests/steps/impersonate.js';
import { type Question, requestOf } from '../../support/ask.js';
import { startServer } from '../../support/servers.js';
import { type GrowthRow, numbered, row } from './measure.js';

const NO_QUERY = parseQuery('');

let started: Promise<ApiServer> | undefined;
async function start(): Promise<ApiServer> {
  const server = await startServer({
    dialect: 'k8s',
    authentication: [tokenFile('t,admin,1,"system:masters"')],
    controllers: [],
    log: () => {},
  });
  await server.load([
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: 'default' } },
  ]);
  return server;
}

/** A row that sends a whole request, so that the cost of every step counts. */
const request = (name: string, n: number, make: (n: number) => Question): GrowthRow => ({
  name: `a request: ${name}`,
  n,
  prepare: async (size) => {
    const server = await (started ??= start());
    const question = make(size);
    const request = requestOf({ ...question, headers: { authorization: 'Bearer t', ...question.headers } });
    return async () => {
      const answer = await server.handle(request);
      if (answer.body.type === 'stream') answer.body.stream.close();
    };
  },
});

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const PODS = '/api/v1/namespaces/default/pods';
const DRY = 'dryRun=All';
const webSocket = webSocketToken(
  {
    name: 'none',
    authenticate: () => ({ outcome: 'skipped' }),
    authenticateToken: async () => ({ outcome: 'skipped' }),
  },
  'k8s.io',
);
const impersonation = (headers: Record<string, string | readonly string[]>) => () =>
  readImpersonation(headersOf(headers), dialectOf('k8s'));

/** Reads parameters, because a query is parsed only when a parameter is read. */
function readQuery(raw: string): void {
  const query = parseQuery(raw);
  for (const name of ['a', 'b', 'absent']) query.all(name);
}

export const rows: readonly GrowthRow[] = [
  row('the query: many parameters', 5_000, readQuery, (n) => 'a=b&'.repeat(n)),
  row('the query: names with escapes', 5_000, readQuery, (n) => '%61=b&'.repeat(n)),
  row('the query: values that do not decode', 5_000, readQuery, (n) => 'a=%&%61=%&'.repeat(n)),
  row('the query: a name as a value', 5_000, readQuery, (n) => 'c=a&'.repeat(n)),
  row('the query: escapes', 10_000, readQuery, (n) => `a=${'%41'.repeat(n)}`),
  row('the query: escapes one by one', 3_000, readQuery, (n) => `a=${'%41x'.repeat(n)}`),
  row('the query: percent signs', 50_000, readQuery, (n) => `a=${'%'.repeat(n)}`),
  row('the query: semicolons', 20_000, readQuery, (n) => 'a;b&'.repeat(n)),
  row(
    'a path: slashes',
    200_000,
    (path) => EMPTY_SEGMENT.test(path),
    (n) => `/a${'/'.repeat(n)}x${'/'.repeat(n)}`,
  ),
  row(
    'a path: segments',
    20_000,
    (path) => parseRequestInfo('GET', path, NO_QUERY),
    (n) => `/api/v1${'/a'.repeat(n)}`,
  ),
  row(
    'a path: a selector by name',
    3_000,
    (text) => parseRequestInfo('GET', '/api/v1/pods', parseQuery(`fieldSelector=${text}`)),
    (n) => numbered(n, (i) => `metadata.name%3Dx${i}`, ','),
  ),
  {
    name: 'a WebSocket handshake: commas',
    n: 50_000,
    prepare: (n) => {
      const headers = headersOf({ upgrade: 'websocket', connection: `${','.repeat(n)}x` });
      return () => webSocket.authenticate({ headers } as Parameters<typeof webSocket.authenticate>[0]);
    },
  },
  {
    name: 'a WebSocket handshake: protocols',
    n: 20_000,
    prepare: (n) => {
      const headers = headersOf({
        upgrade: 'websocket',
        connection: 'upgrade',
        'sec-websocket-protocol': numbered(n, (i) => `p${i}`, ', '),
      });
      return () => webSocket.authenticate({ headers } as Parameters<typeof webSocket.authenticate>[0]);
    },
  },
  {
    name: 'impersonation: many extras',
    n: 1_000,
    prepare: (n) =>
      impersonation({
        'impersonate-user': 'u',
        ...Object.fromEntries(Array.from({ length: n }, (_, i) => [`impersonate-extra-k${i}`, 'v'])),
      }),
  },
  {
    name: 'impersonation: many groups',
    n: 5_000,
    prepare: (n) => impersonation({ 'impersonate-user': 'u', 'impersonate-group': Array.from({ length: n }, String) }),
  },
  {
    name: 'warnings: many',
    n: 20_000,
    prepare: (n) => {
      const warnings = new Set(Array.from({ length: n }, (_, i) => `"${i}`));
      return () => warningHeaders(warnings);
    },
  },
  request('slashes behind a path', 100_000, (n) => ({
    method: 'POST',
    path: `/apis/authentication.k8s.io/v1/selfsubjectreviews${'/'.repeat(n)}x`,
    body: '{}',
  })),
  request('escapes in a path', 30_000, (n) => ({ path: `/api/v1/${'%2F'.repeat(n)}x` })),
  request('groups to act in', 500, (n) => ({
    path: '/version',
    headers: { 'impersonate-user': 'u', 'impersonate-group': Array.from({ length: n }, String) },
  })),
  request('one extra of many values', 500, (n) => ({
    path: '/version',
    headers: { 'impersonate-user': 'u', 'impersonate-extra-a': Array.from({ length: n }, String) },
  })),
  request('a continue token', 50_000, (n) => ({ path: CONFIG_MAPS, query: `limit=1&continue=${'e'.repeat(n)}` })),
  request('a label selector', 2_000, (n) => ({
    path: CONFIG_MAPS,
    query: `labelSelector=${numbered(n, (i) => `k${i}`, ',')}`,
  })),
  request('Accept of the discovery', 1_000, (n) => ({
    path: '/apis',
    headers: { accept: numbered(n, (i) => `a/b${i};as=x`, ',') },
  })),
  request('Accept of a list', 1_000, (n) => ({
    path: CONFIG_MAPS,
    headers: { accept: numbered(n, (i) => `application/json;as=Table;g=x${i};v=v1`, ',') },
  })),
  request('data', 1_000, (n) => ({
    method: 'POST',
    path: CONFIG_MAPS,
    query: DRY,
    body: `{"metadata":{"name":"c"},"data":{${numbered(n, (i) => `"k${i}":"v"`, ',')}}}`,
  })),
  request('labels that are none', 1_000, (n) => ({
    method: 'POST',
    path: CONFIG_MAPS,
    body: `{"metadata":{"name":"c","labels":{${numbered(n, (i) => `"-${i}":"-"`, ',')}}}}`,
  })),
  request('unknown fields', 1_000, (n) => ({
    method: 'POST',
    path: CONFIG_MAPS,
    query: 'fieldValidation=Strict',
    body: `{"metadata":{"name":"c"},${numbered(n, (i) => `"k${i}":"v"`, ',')}}`,
  })),
  request('containers without names', 500, (n) => ({
    method: 'POST',
    path: PODS,
    body: `{"metadata":{"name":"p"},"spec":{"containers":[${numbered(n, () => '{}', ',')}]}}`,
  })),
  request('odd numbers below a long key', 2_000, (n) => ({
    method: 'POST',
    path: PODS,
    body: `{"metadata":{"name":"p"},"spec":{"${'x'.repeat(n)}":[${numbered(n, () => '1.0', ',')}]}}`,
  })),
  request('DeleteOptions', 2_000, (n) => ({
    method: 'DELETE',
    path: `${CONFIG_MAPS}/none`,
    body: `{"dryRun":[${numbered(n, () => '"All"', ',')}]}`,
  })),
];
