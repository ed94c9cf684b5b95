import { describe, expect, it } from 'vitest';
import { ask, fetchFrom } from '../../support/ask.js';
import { openSuiteServer } from '../../support/servers.js';

/*
 * A large body does not block other requests: it is processed in separate turns, and no write overtakes another one because of it.
 */
const path = '/api/v1/namespaces/default/configmaps';
const server = openSuiteServer();
let turns = 0;

const pause = (): Promise<void> => {
  turns++;
  return new Promise((resolve) => setImmediate(resolve));
};

async function send(method: string, target: string, type: string, body: string, query = ''): Promise<number> {
  turns = 0;
  const { status } = await ask(server, { method, path: target, query, pause, headers: { 'content-type': type }, body });
  return status;
}
const keys = (count: number) => Array.from({ length: count }, (_, n) => [`key-${n}`, 'value'] as const);
const json = (name: string, count: number) =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: Object.fromEntries(keys(count)) });
const yaml = (name: string, count: number) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n${keys(count)
    .map(([key, value]) => `  ${key}: ${value}\n`)
    .join('')}`;

describe('processing of a body', () => {
  it('is synchronous if it is small', async () => {
    expect(await send('POST', path, 'application/json', json('small', 100))).toBe(201);
    expect(turns).toBe(0);
  });
  it('takes several turns if it is large: a create, a replacement, an apply', async () => {
    expect(await send('POST', path, 'application/json', json('large', 10_000))).toBe(201);
    expect(turns).toBeGreaterThanOrEqual(4);
    expect(await send('PUT', `${path}/large`, 'application/json', json('large', 12_000))).toBe(200);
    expect(turns).toBeGreaterThanOrEqual(5);
    const apply = 'application/apply-patch+yaml';
    expect(await send('PATCH', `${path}/applied`, apply, json('applied', 10_000), 'fieldManager=m')).toBe(201);
    expect(turns).toBeGreaterThanOrEqual(3);
  });
  it('of an apply takes turns for validation, merge, removal, ownership and decoding', async () => {
    const apply = 'application/apply-patch+yaml';
    expect(await send('PATCH', `${path}/again`, apply, json('again', 10_000), 'fieldManager=m')).toBe(201);
    expect(turns).toBeGreaterThanOrEqual(9);
    expect(await send('PATCH', `${path}/again`, apply, json('again', 9_999), 'fieldManager=m')).toBe(200);
    expect(turns).toBeGreaterThanOrEqual(9);
    const found = await fetchFrom(server, `${path}/again`);
    expect(Object.keys(((await found.json()) as { data: object }).data)).toHaveLength(9_999);
  });
  it('takes many turns for YAML', async () => {
    expect(await send('POST', path, 'application/yaml', yaml('text', 10_000))).toBe(201);
    expect(turns).toBeGreaterThanOrEqual(8);
  });
  it('refuses invalid bodies as usual', async () => {
    expect(await send('POST', path, 'application/yaml', `${yaml('bad', 10_000)}\n]`)).toBe(400);
    expect(await send('POST', path, 'application/json', json('bad', 10_000).slice(1))).toBe(400);
    expect(await send('POST', path, 'application/json', json('large', 10_000))).toBe(409);
  });
});

describe('writes in between', () => {
  it('are not lost, and a large update succeeds though they never stop', async () => {
    expect(await send('POST', path, 'application/json', json('raced', 10_000))).toBe(201);
    let writing = true;
    let writes = 0;
    const others = (async () => {
      for (; writing; writes++) {
        const { status } = await ask(server, {
          method: 'PATCH',
          path: `${path}/raced`,
          headers: { 'content-type': 'application/merge-patch+json' },
          body: { metadata: { annotations: { [`w${writes}`]: '' } } },
        });
        expect(status).toBe(200);
        await new Promise<void>((resolve) => setImmediate(resolve));
      }
    })();
    const data = Object.fromEntries(keys(11_000));
    const type = 'application/merge-patch+json';
    expect(await send('PATCH', `${path}/raced`, type, JSON.stringify({ data }))).toBe(200);
    writing = false;
    await others;
    const found = await fetchFrom(server, `${path}/raced`);
    const object = (await found.json()) as { metadata: { annotations: object }; data: object };
    expect(Object.keys(object.metadata.annotations)).toHaveLength(writes);
    expect(Object.keys(object.data)).toHaveLength(11_000);
  });
});
