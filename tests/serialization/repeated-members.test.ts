import { describe, expect, it } from 'vitest';
import { ask } from '../support/ask.js';
import { suiteServer } from '../support/servers.js';

const server = suiteServer({ dialect: 'k8s', controllers: [], authentication: [admin] });

function admin() {
  const user = { username: 'x', groups: ['system:masters'] };
  return { name: 'test', authenticate: () => ({ outcome: 'authenticated' as const, user }) };
}

const post = (path: string, body: string, query = 'dryRun=All') => ask(server, { method: 'POST', path, query, body });

const quotas = '/api/v1/namespaces/default/resourcequotas';
const quota = (members: string) => `{"metadata":{"name":"q"},${members}}`;

describe('a value that a later member of the same name replaces', () => {
  it.each([
    ['a time', 'Lease', '{"spec":{"renewTime":"","renewTime":null}}', 'parsing time ""'],
    ['a time, by another', 'Lease', '{"spec":{"renewTime":"x","renewTime":"y"}}', 'parsing time "x"'],
    ['base64', 'Secret', '{"data":{"a":"MQ==x","a":"MQ=="}}', 'illegal base64 data at input byte 4'],
    ['a quantity', 'ResourceQuota', '{"spec":{"hard":{"a":"x","a":"1"}}}', 'quantities must match'],
    ['a number', 'Service', '{"spec":{"ports":[{"port":1.5,"port":1}]}}', 'number 1.5 into Go struct field'],
    [
      'an item that a shorter list leaves out',
      'ServiceAccount',
      '{"secrets":[{"name":1}],"secrets":[]}',
      'ObjectReference.secrets.name',
    ],
    [
      'a member of a repeated struct',
      'Lease',
      '{"spec":{},"spec":{"renewTime":"","renewTime":null}}',
      'parsing time ""',
    ],
  ])('is refused if it cannot be decoded: %s', async (_, kind, body, message) => {
    const path =
      kind === 'Lease'
        ? '/apis/coordination.k8s.io/v1/namespaces/default/leases'
        : `/api/v1/namespaces/default/${kind.toLowerCase()}s`;
    const refused = await post(path, body);
    expect(refused).toMatchObject({ status: 400 });
    expect(refused.message).toContain(`${kind} in version "v1" cannot be handled as a ${kind}: `);
    expect(refused.message).toContain(message);
  });

  it('does not lend the literal of its number to the value that replaces it', async () => {
    const { status, value } = await post(quotas, quota('"spec":{"hard":{"cpu":1e2,"cpu":5}}'));
    expect(status).toBe(201);
    expect(value.spec.hard).toEqual({ cpu: '5' });
  });

  it('keeps the literal of a repeated number', async () => {
    const { value } = await post(quotas, quota('"spec":{"hard":{"cpu":5}},"spec":{"hard":{"cpu":1e3}}'));
    expect(value.spec.hard).toEqual({ cpu: '1e3' });
  });
});

describe('a repeated kind', () => {
  const wrong = (what: string) => `json parse error: json: cannot unmarshal ${what} into Go struct field .`;
  it.each([
    ['{"kind":1,"kind":"ConfigMap"}', `${wrong('number')}kind of type string`],
    ['{"apiVersion":true,"apiVersion":"v1"}', `${wrong('bool')}apiVersion of type string`],
    ['{"kind" : [],"kind":{}}', `${wrong('array')}kind of type string`],
  ])('has to be a string each time: %s', async (body, message) => {
    const refused = await post('/api/v1/namespaces/default/configmaps', body);
    expect(refused).toMatchObject({ status: 400, message: expect.stringContaining(message) });
  });

  it('may be null', async () => {
    const made = await post(
      '/api/v1/namespaces/default/configmaps',
      '{"kind":null,"kind":"ConfigMap","metadata":{"name":"a"}}',
    );
    expect(made.status).toBe(201);
  });
});

describe('a number beyond the range of a double', () => {
  it('is refused as a number, even if another one replaces it', async () => {
    const schema = '{"openAPIV3Schema":{"maximum":1e400,"maximum":1}}';
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const { message } = await post(path, `{"spec":{"versions":[{"schema":${schema}}]}}`);
    expect(message).toContain('cannot unmarshal number 1e400 into Go struct field JSONSchemaProps.');
  });

  it('is a quantity', async () => {
    const { status, value } = await post(quotas, quota('"spec":{"hard":{"cpu":1e400}}'));
    expect({ status, hard: value.spec.hard }).toEqual({ status: 201, hard: { cpu: '10e399' } });
  });

  it('is skipped in an unknown field', async () => {
    expect(await post(quotas, quota('"x":1e400'))).toMatchObject({ status: 201 });
    const strict = await post(quotas, quota('"x":1e400'), 'fieldValidation=Strict');
    expect(strict.message).toContain('strict decoding error: unknown field "x"');
  });

  it('is refused with the path of a field that is a number', async () => {
    const { message } = await post('/api/v1/namespaces/default/services', '{"spec":{"ports":[{"port":1e400}]}}');
    expect(message).toContain(
      'cannot unmarshal number 1e400 into Go struct field ServicePort.spec.ports.port of type int32',
    );
  });

  it.each([`${'9'.repeat(250)}e99`, '9'.repeat(309)])(
    'is refused in arbitrary JSON, however it is written',
    async (number) => {
      const owned = `{"metadata":{"managedFields":[{"fieldsV1":{"f:a":${number}}}]}}`;
      const { status, message } = await post('/api/v1/namespaces/default/configmaps', owned);
      expect({ status, message }).toMatchObject({ status: 400, message: expect.stringContaining('of type float64') });
    },
  );
});

describe('options of a deletion', () => {
  it('accepts no number that is not an integer as it is written', async () => {
    const { status, message } = await ask(server, {
      method: 'DELETE',
      path: '/api/v1/namespaces/default/configmaps/a',
      body: '{"gracePeriodSeconds":1.0}',
    });
    expect(status).toBe(500);
    expect(message).toContain(
      'cannot unmarshal number 1.0 into Go struct field DeleteOptions.gracePeriodSeconds of type int64',
    );
  });
});
