import { beforeAll, describe, expect, it } from 'vitest';
import { tokenFile } from '../../../src/authentication/tokens/token-file.js';
import { requestOf, textOf } from '../../support/ask.js';
import { suiteServer } from '../../support/servers.js';

/** A refusal is cheap and short, however many errors there are. */
const server = suiteServer({
  dialect: 'k8s',
  authentication: [tokenFile('t,admin,1,"system:masters"')],
  controllers: [],
});
beforeAll(async () => {
  await server.load([
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: 'default' } },
  ]);
});

const NAMESPACED = '/api/v1/namespaces/default';

async function post(path: string, body: string | Uint8Array, type = 'application/json', method = 'POST', query = '') {
  const request = requestOf({
    method,
    path,
    query,
    headers: { authorization: 'Bearer t', 'content-type': type },
    body,
  });
  const before = process.cpuUsage();
  const answer = await server.handle(request);
  const { user, system } = process.cpuUsage(before);
  const text = textOf(answer.body);
  const warnings = [answer.headers['Warning'] ?? []].flat();
  return {
    status: answer.status,
    size: text.length,
    seconds: (user + system) / 1e6,
    warnings,
    value: JSON.parse(text),
  };
}

const HALF_MEGABYTE = 512 * 1024;
const pod = (spec: string) => `{"metadata":{"name":"p"},"spec":{${spec}}}`;
const repeated = (item: string, times: number) => Array.from({ length: times }, () => item).join(',');
const numbered = (times: number, member: (index: number) => string) =>
  Array.from({ length: times }, (_, index) => member(index)).join(',');

describe('the response for an object with very many errors', () => {
  it.each([
    ['containers', `${NAMESPACED}/pods`, pod(`"containers":[${repeated('{}', 400_000)}]`)],
    [
      'ports of a container',
      `${NAMESPACED}/pods`,
      pod(`"containers":[{"name":"a","ports":[${repeated('{}', 400_000)}]}]`),
    ],
    ['volumes', `${NAMESPACED}/pods`, pod(`"volumes":[${repeated('{}', 400_000)}]`)],
    ['tolerations', `${NAMESPACED}/pods`, pod(`"tolerations":[${repeated('{"operator":"x"}', 100_000)}]`)],
    [
      'labels',
      `${NAMESPACED}/configmaps`,
      `{"metadata":{"name":"c","labels":{${numbered(100_000, (i) => `"-${i}":"-"`)}}}}`,
    ],
    [
      'annotations',
      `${NAMESPACED}/configmaps`,
      `{"metadata":{"name":"c","annotations":{${numbered(100_000, (i) => `"-${i}":""`)}}}}`,
    ],
    ['finalizers', `${NAMESPACED}/configmaps`, `{"metadata":{"name":"c","finalizers":[${repeated('"-"', 400_000)}]}}`],
    [
      'owners',
      `${NAMESPACED}/configmaps`,
      `{"metadata":{"name":"c","ownerReferences":[${numbered(50_000, (i) => `{"controller":true,"uid":"${i}"}`)}]}}`,
    ],
    [
      'keys',
      `${NAMESPACED}/configmaps`,
      `{"metadata":{"name":"c"},"data":{${numbered(100_000, (i) => `"/${i}":""`)}}}`,
    ],
    [
      'keys of a secret',
      `${NAMESPACED}/secrets`,
      `{"metadata":{"name":"c"},"data":{${numbered(100_000, (i) => `"/${i}":""`)}}}`,
    ],
    ['taints', '/api/v1/nodes', `{"metadata":{"name":"n"},"spec":{"taints":[${repeated('{}', 400_000)}]}}`],
    [
      'rules',
      '/apis/rbac.authorization.k8s.io/v1/clusterroles',
      `{"metadata":{"name":"r"},"rules":[${repeated('{}', 400_000)}]}`,
    ],
    [
      'subjects',
      '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
      `{"metadata":{"name":"b"},"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"r"},"subjects":[${repeated('{}', 400_000)}]}`,
    ],
    ['characters of a name', `${NAMESPACED}/configmaps`, `{"metadata":{"name":"${'%'.repeat(2_900_000)}"}}`],
    [
      'characters of a label',
      `${NAMESPACED}/configmaps`,
      `{"metadata":{"name":"c","labels":{"a":"${'\\u0001'.repeat(400_000)}"}}}`,
    ],
    [
      'characters of a key',
      `${NAMESPACED}/configmaps`,
      `{"metadata":{"name":"c"},"data":{"${'/'.repeat(2_900_000)}":""}}`,
    ],
  ])('is small for %s', async (_, path, body) => {
    const { status, size, seconds, value } = await post(path, body);
    expect(status).toBe(422);
    expect(size).toBeLessThan(2 * HALF_MEGABYTE);
    expect(value.details.causes.length).toBeLessThanOrEqual(100);
    expect(seconds).toBeLessThan(5);
  });

  it('reports at least how many more there are, and the first ones in full', async () => {
    const { value } = await post(`${NAMESPACED}/pods`, pod(`"containers":[${repeated('{}', 1000)}]`));
    expect(value.message).toMatch(
      /^Pod "p" is invalid: \[spec\.containers\[0\]\.name: Required value, .*, and at least \d+ more\]$/,
    );
    expect(value.details.causes).toHaveLength(100);
    expect(value.details.causes[0]).toEqual({
      reason: 'FieldValueRequired',
      message: 'Required value',
      field: 'spec.containers[0].name',
    });
  });

  it('reports a few errors completely', async () => {
    const { value } = await post(`${NAMESPACED}/pods`, pod(`"containers":[${repeated('{}', 10)}]`));
    expect(value.message).not.toContain('more');
    expect(value.details.causes.length).toBeGreaterThanOrEqual(20);
  });

  it('is small in protobuf, too', async () => {
    // `containers` is field 2 of the spec, which is field 2 of the pod: 700,000 empty ones.
    const containers = new Uint8Array(1_400_000).map((_, i) => (i % 2 === 0 ? 0x12 : 0));
    const message = (field: number, content: Uint8Array) => {
      const length: number[] = [];
      for (let left = content.length; ; left >>>= 7) {
        length.push((left & 0x7f) | (left > 0x7f ? 0x80 : 0));
        if (left <= 0x7f) break;
      }
      return Buffer.concat([Uint8Array.of((field << 3) | 2, ...length), content]);
    };
    const encode = (text: string) => new TextEncoder().encode(text);
    const object = Buffer.concat([message(1, message(1, encode('p'))), message(2, containers)]);
    const type = Buffer.concat([message(1, encode('v1')), message(2, encode('Pod'))]);
    const unknown = Buffer.concat([encode('k8s\0'), message(1, type), message(2, object)]);
    const { status, size, seconds } = await post(`${NAMESPACED}/pods`, unknown, 'application/vnd.kubernetes.protobuf');
    expect(status).toBe(422);
    expect(size).toBeLessThan(HALF_MEGABYTE);
    expect(seconds).toBeLessThan(8);
  });

  it('is small if an apply conflicts with very many fields, or does not match the schema', async () => {
    const made = await post(
      `${NAMESPACED}/configmaps`,
      `{"metadata":{"name":"shared"},"data":{${numbered(20_000, (i) => `"k${i}":"a"`)}}}`,
    );
    expect(made.status).toBe(201);
    const apply = (data: string) =>
      post(
        `${NAMESPACED}/configmaps/shared`,
        `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"shared"},"data":{${data}}}`,
        'application/apply-patch+yaml',
        'PATCH',
        'fieldManager=other',
      );
    const conflict = await apply(numbered(20_000, (i) => `"k${i}":"b"`));
    expect(conflict.value).toMatchObject({ code: 409, reason: 'Conflict' });
    expect(conflict.value.message).toMatch(/^Apply failed with 20000 conflicts: .*and 19900 more$/s);
    expect(conflict.size).toBeLessThan(HALF_MEGABYTE);
    const misfit = await apply(numbered(20_000, (i) => `"k${i}":1`));
    expect(misfit.value.message).toMatch(/^failed to create typed patch object/);
    expect(misfit.size).toBeLessThan(HALF_MEGABYTE);
  });
});

describe('warnings of one response', () => {
  const REVIEWS = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  const length = (warnings: readonly string[]) => warnings.reduce((sum, text) => sum + text.length, 0);
  it.each([
    ['duplicate keys in YAML', 'a: 1\n'.repeat(15_000), 'application/yaml'],
    ['duplicate keys in JSON', `{${repeated('"a":1', 200_000)}}`, 'application/json'],
    ['unknown fields with long names', `{${numbered(300, (i) => `"${'x'.repeat(5_000)}${i}":1`)}}`, 'application/json'],
    [
      'unknown fields under a long name',
      `{"metadata":{"${'x'.repeat(1_000_000)}":1},"spec":{${numbered(50_000, (i) => `"u${i}":1`)}}}`,
      'application/json',
    ],
  ])('have a few thousand characters at most: %s', async (_, body, type) => {
    const { status, warnings, seconds } = await post(REVIEWS, body, type);
    expect(status).toBe(201);
    expect(warnings.length).toBeGreaterThan(0);
    expect(length(warnings)).toBeLessThan(10_000);
    expect(seconds).toBeLessThan(3);
  });

  it('are complete while they are few', async () => {
    const { warnings } = await post(REVIEWS, `{${numbered(20, (i) => `"u${i}":1`)}}`);
    expect(warnings).toHaveLength(20);
    expect(warnings[19]).toBe('299 - "unknown field \\"u19\\""');
  });

  it('are each truncated if they are too long together', async () => {
    const { warnings } = await post(REVIEWS, `{${numbered(40, (i) => `"${'x'.repeat(400)}${i}":1`)}}`);
    // 16 times 256 characters are 4,096.
    expect(warnings).toHaveLength(16);
    expect(warnings[0]?.length).toBeLessThan(300);
  });
});
