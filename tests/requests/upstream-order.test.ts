import { beforeAll, describe, expect, it } from 'vitest';
import { requestsTo } from '../support/ask.js';
import { openSuiteServer } from '../support/servers.js';

// Rules from upstream's source that no record of the suite covers (k8s dialect).
const MAPS = '/api/v1/namespaces/default/configmaps';
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';
const APPLY = 'application/apply-patch+yaml';

const server = openSuiteServer();
beforeAll(async () => {
  await send('POST', LEASES, { metadata: { name: 'l' }, spec: { leaseDurationSeconds: 5 } });
});

const send = (method: string, target: string, body?: object | string, type = 'application/json', accept = '') =>
  requestsTo(server).send(method, target, body, { type, ...(accept && { headers: { accept } }) });
const answer = async (...call: Parameters<typeof send>) => {
  const { status, message } = await send(...call);
  return [status, message];
};

describe('numbers that are not written as integers', () => {
  const lease = `${LEASES}/l?dryRun=All`;
  const wrong = (text: string) =>
    `json: cannot unmarshal number ${text} into Go struct field LeaseSpec.spec.leaseDurationSeconds of type int32`;

  it.each(['20.0', '2e1', '4294967316'])('%s is refused in a string', async (text) => {
    const spec = `{"spec":{"leaseDurationSeconds":${text}}}`;
    const body = `{"metadata":{"name":"x"},${spec.slice(1)}`;
    expect(await answer('POST', `${LEASES}?dryRun=All`, body)).toEqual([
      400,
      `Lease in version "v1" cannot be handled as a Lease: ${wrong(text)}`,
    ]);
    const operation = `[{"op":"replace","path":"/spec/leaseDurationSeconds","value":${text}}]`;
    for (const [patch, type] of [
      [spec, MERGE],
      [operation, JSON_PATCH],
    ] as const) {
      const [status, message] = await answer('PATCH', lease, patch, type);
      expect(status).toBe(422);
      expect(message).toContain(`\\"spec\\":{\\"leaseDurationSeconds\\":${text}}`);
      expect(message).toMatch(wrong(text));
    }
  });

  it.each([
    ['20.0', 20],
    ['2e1', 20],
    ['4294967316', 20],
  ])('%s is %d after conversion', async (text, value) => {
    const spec = `"spec":{"leaseDurationSeconds":${text}}`;
    const applied = `{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"l"},${spec}}`;
    for (const patched of [
      await send('PATCH', lease, `{${spec}}`, STRATEGIC),
      await send('PATCH', `${lease}&fieldManager=m&force=true`, applied, APPLY),
    ]) {
      expect(patched.status).toBe(200);
      expect(patched.value.spec.leaseDurationSeconds).toBe(value);
    }
  });

  it('are not valid ports', async () => {
    const container = '{"name":"c","image":"i","livenessProbe":{"tcpSocket":{"port":80.0}}}';
    const pod = `{"metadata":{"name":"p"},"spec":{"containers":[${container}]}}`;
    const [status, message] = await answer('POST', '/api/v1/namespaces/default/pods', pod);
    expect([status, message]).toEqual([
      400,
      expect.stringMatching(/number 80\.0 into Go struct field \S+\.port of type int32$/),
    ]);
  });
});

describe('an apply that cannot be converted', () => {
  it.each([
    [
      'v1',
      'Secret',
      '/api/v1/namespaces/default/secrets',
      { data: { a: '!' } },
      /error decoding from json: illegal base64 data at input byte 0$/,
    ],
    [
      'coordination.k8s.io/v1',
      'Lease',
      LEASES,
      { spec: { leaseDurationSeconds: 2.5 } },
      /: cannot convert float64 to int32$/,
    ],
    [
      'coordination.k8s.io/v1',
      'Lease',
      LEASES,
      { spec: { renewTime: 5 } },
      /: json: cannot unmarshal number into Go value of type string$/,
    ],
    ['v1', 'ConfigMap', MAPS, { metadata: { name: 'l', creationTimestamp: 'x' } }, /: parsing time "x" as /],
  ])('%s %s', async (apiVersion, kind, path, fields, why) => {
    const body = { apiVersion, kind, metadata: { name: 'l' }, ...fields };
    const [status, message] = await answer('PATCH', `${path}/l?fieldManager=m&force=true`, body, APPLY);
    expect(status).toBe(500);
    const gvk = `${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${kind}`;
    expect(message).toMatch(
      `failed to convert new object (/l; ${gvk}) to proper version: unable to convert unstructured object to ${gvk}: `,
    );
    expect(message).toMatch(why);
  });
});

describe('of several errors, the response reports', () => {
  it('an absent object before a patch that cannot be parsed', async () => {
    for (const type of [MERGE, STRATEGIC, JSON_PATCH])
      expect((await answer('PATCH', `${MAPS}/none`, '{', type))[0]).toBe(404);
    expect((await answer('PATCH', '/api/v1/namespaces/none/status?fieldManager=m', '{', APPLY))[0]).toBe(404);
    expect((await answer('PATCH', `${MAPS}/none?fieldManager=m`, '{', APPLY))[0]).toBe(400);
  });

  it('the kind of an applied body before its uid', async () => {
    const body = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'none', uid: 'u' } };
    expect(await answer('PATCH', `${MAPS}/none?fieldManager=m`, body, APPLY)).toEqual([
      400,
      'invalid object type: /v1, Kind=Secret',
    ]);
  });

  it('an invalid name, for every verb', async () => {
    const refusal = [400, `Name parameter invalid: "a%": may not contain '%'`];
    const body = { metadata: { name: 'a%' } };
    expect(await answer('GET', `${MAPS}/a%25`)).toEqual(refusal);
    expect(await answer('DELETE', `${MAPS}/a%25`)).toEqual(refusal);
    expect(await answer('PUT', `${MAPS}/a%25`, body)).toEqual(refusal);
    expect(await answer('PATCH', `${MAPS}/a%25`, {}, MERGE)).toEqual(refusal);
    expect((await answer('PUT', `${MAPS}/a%25`, { metadata: { name: 'b' } }))[1]).toContain(
      'does not match the name on the URL',
    );
    expect((await answer('GET', `${MAPS}/%2e%2e`))[1]).toBe(`Name parameter invalid: "..": may not be '..'`);
    expect((await answer('GET', `${MAPS}/a%22b`))[1]).toBe('configmaps "a\\"b" not found');
  });

  it('an option of a PUT before its media type, but the media type of a POST before its options', async () => {
    const accepted = 'the body of the request was in an unknown format - accepted media types include: ';
    expect((await answer('PUT', `${LEASES}/l?dryRun=x`, 'x', 'text/plain'))[0]).toBe(422);
    expect((await answer('PUT', `${LEASES}/l`, 'x', 'text/plain'))[1]).toContain(accepted);
    expect((await answer('POST', `${LEASES}?dryRun=x`, 'x', 'text/plain'))[1]).toContain(accepted);
  });

  it('a selector that cannot be parsed, before options that exclude each other, before a field that is not selectable', async () => {
    const bad = 'resourceVersionMatch=Exact';
    for (const method of ['GET', 'DELETE']) {
      expect((await answer(method, `${MAPS}?${bad}&labelSelector=a%20b`))[0]).toBe(400);
      expect((await answer(method, `${MAPS}?${bad}&fieldSelector=a`))[0]).toBe(400);
      expect((await answer(method, `${MAPS}?${bad}&fieldSelector=a%3Db`))[0]).toBe(422);
    }
  });

  it('of an old path to watch, what the parameter watch asks for', async () => {
    const old = '/api/v1/watch/namespaces/default/configmaps';
    expect((await send('GET', `${old}?resourceVersion=1&resourceVersionMatch=NotOlderThan`)).status).toBe(200);
    expect((await answer('GET', `${old}?watch=1&resourceVersion=1&resourceVersionMatch=NotOlderThan`))[0]).toBe(422);
    expect((await answer('GET', `${old}?sendInitialEvents=true`))[1]).toContain(
      'sendInitialEvents is forbidden for list',
    );
    expect((await send('GET', `${old}/a%3Db,c%5Cd?timeoutSeconds=1`)).status).toBe(200);
    const everything = `${MAPS}?resourceVersion=1&resourceVersionMatch=NotOlderThan&dryRun=All`;
    expect((await answer('DELETE', everything))[0]).toBe(200);
    expect((await answer('DELETE', `${everything}&watch=1`))[0]).toBe(422);
  });

  it('a kind in another version as known', async () => {
    const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
    const old = 'rbac.authorization.k8s.io/v1beta1';
    expect(await answer('POST', roles, { apiVersion: old, kind: 'ClusterRole', metadata: { name: 'r' } })).toEqual([
      400,
      `the API version in the data (${old}) does not match the expected API version (rbac.authorization.k8s.io/v1)`,
    ]);
    expect((await answer('POST', roles, { apiVersion: old, kind: 'Role', metadata: { name: 'r' } }))[1]).toBe(
      'Role in version "v1beta1" cannot be handled as a ClusterRole: converting (v1beta1.Role) to (rbac.ClusterRole): unknown conversion',
    );
  });
});

it('merges duplicate members of a body', async () => {
  const twice =
    '{"metadata":{"name":"twice","labels":{"a":"1"}},"data":{"a":"1"},"metadata":{"labels":{"b":"2"}},"data":{"a":"3","b":"2"},"metadata":null}';
  for (const level of ['Warn', 'Ignore']) {
    const { status, value } = await send('POST', `${MAPS}?dryRun=All&fieldValidation=${level}`, twice);
    expect([status, value.metadata?.name, value.metadata?.labels, value.data]).toEqual([
      201,
      'twice',
      { a: '1', b: '2' },
      { a: '3', b: '2' },
    ]);
  }
  expect((await send('POST', `${MAPS}?fieldValidation=Strict`, twice)).status).toBe(400);
});

describe('a duplicate member of a body', () => {
  const read = async (members: string, path = MAPS) =>
    send('POST', `${path}?dryRun=All&fieldValidation=Ignore`, `{"metadata":{"name":"again"},${members}}`);

  it('clears maps, lists and pointers as null, but not structs', async () => {
    const { value } = await read(
      '"data":{"a":"1"},"data":null,"immutable":true,"immutable":null,"metadata":{"labels":{"a":"1"},"finalizers":["x.io/y"]},' +
        '"metadata":{"labels":null,"finalizers":null}',
    );
    expect([
      value.data,
      value.immutable,
      value.metadata.name,
      value.metadata.labels,
      value.metadata.finalizers,
    ]).toEqual([undefined, undefined, 'again', undefined, undefined]);
    const { value: lease } = await read(
      '"spec":{"holderIdentity":"a"},"spec":{"holderIdentity":null},"spec":null',
      LEASES,
    );
    expect(lease.spec).toEqual({});
  });

  it('replaces the entries of a map, also by null', async () => {
    const { value } = await read('"data":{"a":"1","b":"2"},"data":{"a":null,"c":"3"}');
    expect(value.data).toEqual({ a: '', b: '2', c: '3' });
    expect((await read('"data":{"a":"1","a":null}')).value.data).toEqual({ a: '' });
  });

  it('is refused if the first value has a wrong type', async () => {
    expect((await read('"data":5,"data":{"a":"1"}')).message).toBe(
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ' +
        'ConfigMap.data of type map[string]string',
    );
  });

  it('merges the options of a deletion', async () => {
    const path = `${MAPS}/with-options`;
    await send('POST', MAPS, { metadata: { name: 'with-options' } });
    const options = '{"preconditions":{"uid":"none"},"preconditions":{"resourceVersion":"1"}}';
    expect((await answer('DELETE', path, options))[1]).toContain('the UID in the precondition (none)');
    expect((await answer('DELETE', path, '{"preconditions":{"uid":"none"},"preconditions":null}'))[0]).toBe(200);
  });
});

it('accepts an Accept header for watches, or with the version of the server, for an object', async () => {
  const lease = `${LEASES}/l`;
  for (const accept of ['application/json;stream=watch', 'application/json;sv=v1'])
    expect((await send('GET', lease, undefined, undefined, accept)).status).toBe(200);
  expect((await send('GET', lease, undefined, undefined, 'application/json;sv=v2')).status).toBe(406);
  expect((await send('GET', `${LEASES}/none`, undefined, undefined, 'application/json;stream=watch')).text).toMatch(
    /^\{"kind":"Status"/,
  );
});

it('opens no connection in a dry run, whatever its target', async () => {
  const pods = '/api/v1/namespaces/default/pods';
  for (const path of [`${pods}/none/exec`, `${pods}/none/proxy/a`, '/api/v1/namespaces/default/services/none/proxy'])
    for (const query of ['dryRun=All', 'dryRun='])
      expect(await answer('GET', `${path}?${query}`)).toEqual([400, 'dryRun is not supported']);
  expect((await answer('GET', `${pods}/none/log?dryRun=All`))[0]).toBe(404);
});

it('reports each owner reference that was dropped', async () => {
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: 'u' };
  const body = { metadata: { name: 'owned', ownerReferences: [owner, owner, owner] } };
  const { headers, value } = await send('POST', `${MAPS}?dryRun=All`, body);
  expect(headers['Warning']).toEqual([expect.stringMatching(/duplicate UID\(s\) observed: u, u"$/)]);
  expect(value.metadata.ownerReferences).toEqual([owner]);
});

it('parses versions of 64 bits, with leading zeros or beyond', async () => {
  expect((await answer('GET', `${MAPS}?resourceVersion=00001`))[0]).toBe(200);
  expect((await answer('GET', `${MAPS}?resourceVersion=18446744073709551615&timeout=1ms`))[1]).toMatch(
    /^Timeout: Too large resource version: 18446744073709551615, current: /,
  );
  expect((await answer('GET', `${LEASES}/l?resourceVersion=18446744073709551616`))[1]).toBe(
    'resourceVersion: Invalid value: "18446744073709551616": strconv.ParseUint: parsing "18446744073709551616": value out of range',
  );
  const stale = { metadata: { name: 'l', resourceVersion: '99999999999999999999' } };
  expect((await answer('PUT', `${LEASES}/l`, stale))[1]).toBe(
    'strconv.ParseUint: parsing "99999999999999999999": value out of range',
  );
});

it.each(['AAAA', 'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiJhXFx1MDAwMCJ9'])(
  'validates the version next to a continue token before the token: %s',
  async (token) => {
    expect(await answer('GET', `${MAPS}?continue=${token}&resourceVersion=abc`)).toEqual([
      400,
      'invalid resource version: resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
    ]);
  },
);

it('returns a review as its metadata only, but not as a table', async () => {
  const reviews = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  const as = (kind: string) => `application/json;as=${kind};g=meta.k8s.io;v=v1`;
  const { status, value } = await send('POST', reviews, {}, 'application/json', as('PartialObjectMetadata'));
  expect([status, value.kind]).toEqual([201, 'PartialObjectMetadata']);
  expect((await send('POST', reviews, {}, 'application/json', as('Table'))).status).toBe(406);
});
