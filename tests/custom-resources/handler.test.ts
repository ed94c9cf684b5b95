import { beforeAll, describe, expect, it } from 'vitest';
import { customResourceDefinitions } from '../../src/controllers/custom-resources/custom-resource-definitions.js';
import { dialectOf, groupOf } from '../../src/meta/dialect.js';
import { requestsTo } from '../support/ask.js';
import { openSuiteServer } from '../support/servers.js';
import { everybody, manifest } from './support.js';

const V1 = '/apis/example.com/v1';
const THINGS = `${V1}/namespaces/default/things`;
const thing = (metadata: object, more: object = {}) => ({
  apiVersion: 'example.com/v1',
  kind: 'Thing',
  metadata,
  ...more,
});

describe.each(['k8s', 'orch'] as const)('the handler of custom resources, in %s', (name) => {
  const dialect = dialectOf(name);
  const server = openSuiteServer({
    dialect: name,
    controllers: [customResourceDefinitions],
    authentication: [everybody],
  });
  const { get, post, put, merge, send } = requestsTo(server);
  beforeAll(async () => {
    const version = { subresources: { status: {} } };
    const x = dialect.schemaExtensionPrefix;
    const embedded = { type: 'object', [`${x}embedded-resource`]: true, [`${x}preserve-unknown-fields`]: true };
    await server.install(manifest({ version, spec: { size: { type: 'integer' }, embedded } }));
    expect((await post(THINGS, thing({ name: 'a' }))).status).toBe(201);
  });

  describe('lists the resources of a version', () => {
    it.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('for %s', async (method) => {
      const { status, text } = await send(method, V1);
      expect([status, JSON.parse(text || '{}').kind]).toEqual([200, method === 'HEAD' ? undefined : 'APIResourceList']);
    });
    it('in a form that a wildcard or several parameters select, and refuses other forms with its own message', async () => {
      const forms = ['application/*', 'application/yaml;q=0.5,application/json;q=0.1', 'text/plain'];
      const answers = await Promise.all(forms.map((accept) => get(V1, { headers: { accept } })));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 406]);
      expect(answers.at(-1)?.message).toMatch(/^only the following media types are accepted: application\/json, /);
    });
  });

  describe('handles an empty segment of a path', () => {
    it('as an empty namespace: the list is that of all namespaces', async () => {
      const { status, value } = await get(`${V1}/namespaces//things`);
      expect([status, value.kind]).toEqual([200, 'ThingList']);
      expect((await post(`${V1}/namespaces//things`, thing({ name: 'b' }))).text).toBe('404 page not found\n');
    });
    it('as an empty name', async () => {
      expect(await get(`${THINGS}//a`)).toMatchObject({ status: 404, message: 'things.example.com "" not found' });
      expect(await put(`${THINGS}//status`, thing({ name: 'a' }))).toMatchObject({
        status: 400,
        message: 'name must be provided',
      });
      const unsupported = 'list is not supported on resources of kind "things.example.com"';
      expect(await get(`${THINGS}//status`)).toMatchObject({ status: 405, message: unsupported });
    });
    it('only after the version', async () => {
      for (const path of [`/${THINGS}`, '/apis//v1/things', THINGS.replace('/v1/', '//v1/')])
        expect(await get(path)).toMatchObject({ status: 404, text: '404 page not found\n' });
    });
  });

  it('has no proxy subresource', async () => {
    const { status, message } = await get(`${V1}/proxy/namespaces/default/things/a`);
    expect([status, message]).toEqual([405, 'proxy is not supported on resources of kind "things.example.com"']);
    expect((await get(`${V1}/proxy/things/a`)).text).toBe('404 page not found\n');
  });

  describe('decodes a body', () => {
    const unrecognized = 'the object provided is unrecognized (must be of type Thing): ';
    it('only with the exact field names kind and apiVersion', async () => {
      const body = '{"Kind":"Thing","ApiVersion":"example.com/v1","metadata":{"name":"b"}}';
      const { status, message } = await post(THINGS, body);
      expect([status, message]).toEqual([
        400,
        `${unrecognized}Object 'Kind' is missing in '${body}' ({"Kind":"Thing","ApiVersion":" ...)`,
      ]);
    });
    it('without a kind, and quotes the body at each level of validation', async () => {
      const type = 'application/yaml';
      expect((await post(THINGS, 'a: b', { type })).message).toBe(
        `${unrecognized}Object 'Kind' is missing in 'a: b' (613a2062)`,
      );
      expect((await post(`${THINGS}?fieldValidation=Ignore`, 'a: b', { type })).message).toBe(
        `Thing in version "v1" cannot be handled as a Thing: Object 'Kind' is missing in '{"a":"b"}'`,
      );
    });
    it('with another group, and prints its version without a slash', async () => {
      const { message } = await post(THINGS, { ...thing({ name: 'b' }), apiVersion: '/v1' });
      expect(message).toBe('the API version in the data (v1) does not match the expected API version (example.com/v1)');
    });
    it('with warnings about duplicate fields first, then unknown ones', async () => {
      const body =
        '{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"b","x":1,"x":2},"z":1,"spec":{"size":1,"size":2}}';
      const { headers } = await post(`${THINGS}?dryRun=All`, body);
      expect(headers['Warning']).toEqual(
        [
          'duplicate field "metadata.x"',
          'duplicate field "spec.size"',
          'unknown field "metadata.x"',
          'unknown field "z"',
        ]
          .map((text) => text.replaceAll('"', '\\"'))
          .map((text) => `299 - "${text}"`),
      );
    });
    it('with an empty kind of an embedded object, which is not a missing one', async () => {
      const embedded = { kind: '', apiVersion: '', metadata: {} };
      const { value } = await post(`${THINGS}?dryRun=All`, thing({ name: 'b' }, { spec: { embedded } }));
      expect(value.details.causes).toEqual(
        ['apiVersion', 'kind'].map((field) => ({
          reason: 'FieldValueInvalid',
          message: 'Invalid value: "": must not be empty',
          field: `spec.embedded.${field}`,
        })),
      );
    });
  });

  it('keeps the type of an object if its status is written with another type', async () => {
    const other = { kind: 'Other', status: { phase: 'x' } };
    expect(await merge(`${THINGS}/a/status`, other)).toMatchObject({ status: 200, value: { kind: 'Thing' } });
    const { value } = await get(`${THINGS}/a`);
    expect(await put(`${THINGS}/a/status`, { ...value, ...other })).toMatchObject({ status: 200 });
    expect(await put(`${THINGS}/a`, { ...value, ...other })).toMatchObject({ status: 422 });
    expect(await merge(`${THINGS}/a`, other)).toMatchObject({ status: 422 });
  });

  it('refuses a patch that removes the apiVersion', async () => {
    for (const apiVersion of [null, '', '/']) {
      const { status, message } = await merge(`${THINGS}/a`, { apiVersion });
      if (name === 'orch') expect(status).toBe(422);
      else
        expect([status, message]).toEqual([
          500,
          "Internal error occurred: Object 'apiVersion' is missing in 'object has no apiVersion field'",
        ]);
    }
  });

  it('counts an empty list of managedFields as absent, and an empty entry as a reset', async () => {
    const { value } = await post(`${THINGS}?fieldManager=first`, thing({ name: 'owned', labels: { a: 'b' } }));
    const managersAfter = async (managedFields: object[]) => {
      const { resourceVersion } = (await get(`${THINGS}/owned`)).value.metadata;
      const body = { ...value, metadata: { ...value.metadata, managedFields, resourceVersion } };
      const written = await put(`${THINGS}/owned?fieldManager=second`, body);
      return (written.value.metadata.managedFields ?? []).map(({ manager }: { manager: string }) => manager);
    };
    expect(await managersAfter([])).toEqual(['first']);
    expect(await managersAfter([{}])).not.toContain('first');
  });

  describe('returns metadata only', () => {
    const as = (kind: string, type = 'json') => ({
      headers: { accept: `application/${type};as=${kind};g=${groupOf(dialect, 'meta')};v=v1` },
    });
    it('of an empty list, with null for its items', async () => {
      const empty = `${THINGS}?labelSelector=none`;
      expect((await get(empty, as('PartialObjectMetadataList'))).value.items).toBeNull();
      expect((await get(`${empty}&pretty=1`, as('PartialObjectMetadataList'))).text).toContain('"items": null\n');
      expect((await get(empty, as('PartialObjectMetadataList', 'yaml'))).text).toMatch(/^items: null$/m);
      expect((await get(empty, as('Table'))).value.rows).toEqual([]);
    });
    it('and names the types that cannot be returned in this form', async () => {
      const list = `you requested PartialObjectMetadata, but the requested object is a list (*unstructured.UnstructuredList)`;
      expect(await get(THINGS, as('PartialObjectMetadata'))).toMatchObject({ status: 406, message: list });
      const single = await get(`${THINGS}/a`, as('PartialObjectMetadataList'));
      expect(single).toMatchObject({ status: name === 'k8s' ? 500 : 400, message: 'content is not a list' });
      const group = groupOf(dialect, 'rbac.authorization');
      const roles = await get(`/apis/${group}/v1/clusterroles`, as('PartialObjectMetadata'));
      expect(roles.message).toContain('(*rbac.ClusterRoleList)');
    });
  });
});

describe('other requests of the same client', () => {
  const server = openSuiteServer({
    dialect: 'k8s',
    controllers: [customResourceDefinitions],
    authentication: [everybody],
  });
  const { get, remove } = requestsTo(server);
  const MAPS = '/api/v1/namespaces/default/configmaps';

  it('return the version as JSON, whatever else the Accept header lists', async () => {
    const accept = 'application/json;as=Table;g=meta.k8s.io;v=v1';
    expect(await get('/version', { headers: { accept } })).toMatchObject({ status: 200, value: { major: '1' } });
    expect((await get('/version', { headers: { accept: 'text/plain' } })).status).toBe(406);
  });
  it('select everything with a term that has neither a field nor a value', async () => {
    for (const term of ['=', '==', '!=', '=,metadata.name!=none'])
      expect((await get(`${MAPS}?fieldSelector=${term}`)).status).toBe(200);
    expect((await get(`${MAPS}?fieldSelector==x`)).status).toBe(400);
  });
  it.each([
    [{ rv: 'x' }, 'string into Go struct field continueToken.rv of type int64'],
    [{ rv: 1.5 }, 'number 1.5 into Go struct field continueToken.rv of type int64'],
    [{ start: 1 }, 'number into Go struct field continueToken.start of type string'],
    [{ v: {} }, 'object into Go struct field continueToken.v of type string'],
  ])('are refused with a continue token that has %j', async (member, why) => {
    const token = Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: 1, start: 'a', ...member })).toString(
      'base64url',
    );
    const { status, message } = await get(`${MAPS}?continue=${token}`);
    expect([status, message]).toEqual([
      400,
      `invalid continue token: continue key is not valid: json: cannot unmarshal ${why}`,
    ]);
  });
  it('return a definition with its fields in the order of upstream, and no Table of its status', async () => {
    const version = { deprecated: true, deprecationWarning: 'old' };
    await server.install(manifest({ names: { plural: 'others', kind: 'Other' }, version }));
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const { value } = await get(`${definitions}/others.example.com`);
    const order = ['name', 'served', 'storage', 'deprecated', 'deprecationWarning', 'schema'];
    expect(Object.keys(value.spec.versions[0])).toEqual(order);
    const table = { headers: { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' } };
    const [whole, status] = ['', '/status'].map((part) => get(`${definitions}/others.example.com${part}`, table));
    expect([(await whole)?.status, (await status)?.status]).toEqual([200, 406]);
    // A deletion adds a finalizer, which is also visible in a dry run.
    const deleted = await remove(`${definitions}/others.example.com?dryRun=All`);
    expect(Object.keys(deleted.value.metadata).slice(-2)).toEqual(['finalizers', 'managedFields']);
  });
});
