import { beforeAll, describe, expect, it } from 'vitest';
import { ask, requestsTo } from '../support/ask.js';
import { suiteServer } from '../support/servers.js';
import { everybody } from './support.js';

/* Facts of upstream's tests of the handler of custom resources: routes, decoding of bodies, and warnings. */

const server = suiteServer({ dialect: 'k8s', authentication: [everybody] });
const { get, post } = requestsTo(server);
type Version = readonly [name: string, served?: boolean, deprecated?: boolean];
const num = { type: 'object', properties: { num: { type: 'integer' } } };
const definition = (group: string, versions: readonly Version[], openAPIV3Schema: object = num) => ({
  metadata: { name: `widgets.${group}` },
  spec: {
    group,
    scope: 'Cluster',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: versions.map(([name, served = true, deprecated = false], i) => ({
      name,
      served,
      deprecated,
      storage: i === 0,
      schema: { openAPIV3Schema },
    })),
  },
});
beforeAll(async () => {
  await server.install(definition('custom.example.com', [['v1']]));
  await server.install(
    definition('loose.example.com', [['v1']], { ...num, 'x-kubernetes-preserve-unknown-fields': true }),
  );
});

describe('routing of a path', () => {
  const ACCEPT = {
    json: ['application/json', 'application/json'],
    yaml: ['application/yaml', 'application/yaml'],
    protobuf: ['application/vnd.kubernetes.protobuf, application/json', 'application/vnd.kubernetes.protobuf'],
    unknown: ['application/vnd.kubernetes.unknown', 'application/json'],
  } as const;
  const rows = Object.entries({
    '/apis/custom.example.com': 200,
    '/apis/custom.example.com/v1': 200,
    '/apis/other': 404,
    '/apis/other/v1': 404,
    '/apis/custom.example.com/v2': 404,
    '/apis/custom.example.com/v2/foos': 404,
    '/apis/custom.example.com/v1/foos': 404,
  }).flatMap(([path, status]) => Object.entries(ACCEPT).map(([name, types]) => [path, name, status, types] as const));
  it.each(rows)('%s for %s: %d', async (path, name, status, [accept, type]) => {
    const answer = await get(path, { headers: { accept } });
    expect(answer.status).toBe(status === 200 && name === 'unknown' ? 406 : status);
    if (status === 200) expect(answer.headers['Content-Type']).toBe(type);
  });
});

const JSON_BODY = (group: string) =>
  `{"apiVersion":"${group}/v1","kind":"Widget","metadata":{"name":"w"},"num":1,"num":2,"unknown":"foo"}`;
const YAML_BODY = (group: string) => `
apiVersion: ${group}/v1
kind: Widget
metadata:
  name: w
num: 1
num: 2
unknown: foo`;

describe('decoding of a body', () => {
  const [custom, loose] = ['custom.example.com', 'loose.example.com'];
  const twice = 'yaml: unmarshal errors:\n  line 7: key "num" already set in map';
  it.each<[string, string, boolean, string | undefined]>([
    [custom, 'json', true, 'duplicate field "num", unknown field "unknown"'],
    [custom, 'json', false, undefined],
    [loose, 'json', true, 'duplicate field "num"'],
    [loose, 'json', false, undefined],
    [custom, 'yaml', true, `${twice}, unknown field "unknown"`],
    [custom, 'yaml', false, undefined],
    [loose, 'yaml', true, twice],
    [loose, 'yaml', false, undefined],
  ])('for %s as %s, strictly: %s', async (group, format, strict, why) => {
    const answer = await post(
      `/apis/${group}/v1/widgets?dryRun=All&fieldValidation=${strict ? 'Strict' : 'Ignore'}`,
      (format === 'json' ? JSON_BODY : YAML_BODY)(group),
      { type: `application/${format}` },
    );
    if (why !== undefined) {
      expect(answer.status).toBe(400);
      expect(answer.value.message.split('strict decoding error: ')[1]).toBe(why);
      return;
    }
    expect(answer.status).toBe(201);
    const { apiVersion: _, kind: __, metadata, ...rest } = answer.value;
    expect(metadata.generation).toBe(1);
    expect(rest).toEqual(group === loose ? { num: 2, unknown: 'foo' } : { num: 2 });
  });
});

const ALL = ['v1alpha1', 'v1alpha2', 'v1beta1', 'v1beta2', 'v2', 'v2alpha1', 'v2alpha2', 'v2beta1', 'v2beta2'];
const UNSERVED = ['v3', 'v3alpha1', 'v3alpha2', 'v3beta1', 'v3beta2'];
it.each<[string, readonly Version[], string]>([
  [
    'no replacement',
    [
      ['v1', true, true],
      ['v2', true, true],
      ['v3', false],
    ],
    '',
  ],
  [
    'the best replacement',
    [['v1', true, true], ...ALL.map((name): Version => [name]), ...UNSERVED.map((name): Version => [name, false])],
    'v2',
  ],
  [
    'no less stable replacement',
    [['v2', true, true], ['v1'], ['v3', false], ['v3alpha1'], ['v3beta1'], ['v4', true, true]],
    '',
  ],
])('the warning about a deprecated version names %s', async (name, versions, better) => {
  const group = `${name.replaceAll(' ', '-')}.example.com`;
  await server.install(definition(group, versions));
  const [[old] = ['']] = versions;
  const { headers } = await get(`/apis/${group}/${old}/widgets`);
  const text = `${group}/${old} Widget is deprecated${better && `; use ${group}/${better} Widget`}`;
  expect(headers['Warning']).toEqual([`299 - "${text}"`]);
});

describe('unsupported requests for custom resources', () => {
  const warning = '299 - "odd.example.com/v1 Widget is deprecated"';
  const [BASE, MERGE] = ['/apis/odd.example.com/v1/widgets', 'application/merge-patch+json'];
  const cannot = (verb: string) => `${verb} is not supported on resources of kind "widgets.odd.example.com"`;
  beforeAll(async () => {
    const { metadata, spec } = definition('odd.example.com', [['v1', true, true]]);
    const versions = spec.versions.map((version) => ({ ...version, subresources: { status: {} } }));
    await server.install({ metadata, spec: { ...spec, versions } });
    const body = { apiVersion: 'odd.example.com/v1', kind: 'Widget', metadata: { name: 'a' } };
    expect((await post(BASE, body)).status).toBe(201);
  });

  it.each<[string, string, number, string | undefined, string?]>([
    ['PUT', '', 400, 'name must be provided'],
    ['PATCH', '', 400, 'name must be provided', MERGE],
    ['PATCH', '', 415, undefined, 'application/strategic-merge-patch+json'],
    ['OPTIONS', '', 405, cannot('')],
    ['OPTIONS', '/a', 405, cannot('')],
    ['BREW', '/a/status', 405, cannot('')],
    ['POST', '/a/status', 405, cannot('create')],
    ['DELETE', '/a/status', 405, cannot('delete')],
    ['GET', '/a/scale', 404, 'widgets.odd.example.com "a" not found'],
    ['GET', '/a/other', 404, 'widgets.odd.example.com "a" not found'],
    ['GET', '/a/status/of/what', 200, undefined],
  ])('%s %s: %d', async (method, path, status, message, type) => {
    const body = method === 'GET' ? {} : { body: {} };
    const headers = type === undefined ? {} : { 'content-type': type };
    const answer = await ask(server, { method, path: BASE + path, headers, ...body });
    expect(answer.status).toBe(status);
    if (message !== undefined) expect(answer.message).toBe(message);
    expect(answer.headers['Warning']).toEqual([warning]);
  });
});
