import https from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiServer } from '../../src/api-server.js';
import { anonymous } from '../../src/authentication/anonymous.js';
import { alwaysAllow } from '../../src/authorization/always-allow.js';
import { type Listener, listen } from '../../src/http/index.js';
import { configMap } from '../../src/resources/core/index.js';
import { countEncodings } from '../support/count-encodings.js';

const WATCHERS = 20;
const namespace = 'default';
const path = '/api/v1/namespaces/default/configmaps';

const server = new ApiServer({ dialect: 'k8s', authentication: [anonymous()], authorization: [alwaysAllow()] });
const client = server.client();
let listener: Listener;
beforeAll(async () => {
  await server.start();
  listener = await listen(server);
});
afterAll(async () => {
  await listener.close({ graceMilliseconds: 300 });
  await server.close();
});

const get = (target: string, agent?: https.Agent, onData?: (text: string) => void) =>
  new Promise<string>((resolve, reject) => {
    const options = { ca: listener.certificateAuthority, ...(agent ? { agent } : {}) };
    const request = https.get(`${listener.url}${target}`, options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (data: string) => onData?.((text += data)));
      response.on('end', () => resolve(text));
    });
    request.on('error', reject);
  });

/** Leaves a watch when it has sent this number of lines, and resolves with them. */
const watchLines = (target: string, count: number, onData: () => void) =>
  new Promise<string>((resolve, reject) => {
    const request = https.get(`${listener.url}${target}`, { ca: listener.certificateAuthority }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (data: string) => {
        text += data;
        onData();
        if (text.split('\n').length <= count) return;
        resolve(text);
        request.destroy();
      });
    });
    request.on('error', reject);
  });

describe('data for many clients is encoded once', () => {
  it(`with one encoding and the same lines for ${WATCHERS} watchers over HTTPS`, async () => {
    await client.create(configMap, { metadata: { name: 'watched' }, data: { n: '0' } }, { namespace });
    const target = `${path}?watch=true&fieldSelector=metadata.name%3Dwatched`;
    let opened = () => {};
    const allOpen = new Promise<void>((resolve) => (opened = resolve));
    const started = new Set<number>();
    const told = Array.from({ length: WATCHERS }, (_, i) =>
      watchLines(target, 4, () => started.add(i).size === WATCHERS && opened()),
    );
    await allOpen;
    let texts: string[] = [];
    const encodings = await countEncodings('ConfigMap', async () => {
      for (const n of ['1', '2', '3'])
        await client.update(configMap, 'watched', (draft) => void (draft.data = { n }), { namespace });
      texts = await Promise.all(told);
    });
    expect(encodings).toBe(3);
    expect(new Set(texts).size).toBe(1);
    const events = texts[0]
      ?.trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events?.map(({ type, object }) => [type, object.data.n])).toEqual([
      ['ADDED', '0'],
      ['MODIFIED', '1'],
      ['MODIFIED', '2'],
      ['MODIFIED', '3'],
    ]);
  });

  it('so that a connection of HTTP/1.1 continues after a watch has ended', async () => {
    const agent = new https.Agent({ keepAlive: true, maxSockets: 1 });
    let sockets = 0;
    agent.on('free', () => sockets++);
    expect(await get(`${path}?watch=true&timeoutSeconds=1`, agent, () => {})).toContain('"ADDED"');
    expect(JSON.parse(await get(`${path}/watched`, agent, () => {}))).toMatchObject({ kind: 'ConfigMap' });
    expect(Object.values(agent.freeSockets).flat()).toHaveLength(1);
    expect(sockets).toBe(2);
    agent.destroy();
  });

  it('for a list that is read again without a write in between, but not after a write', async () => {
    const once = await client.list(configMap, { namespace });
    const again = await client.list(configMap, { namespace });
    expect(again.items).toBe(once.items);
    expect(Object.isFrozen(once.items)).toBe(true);
    await client.create(configMap, { metadata: { name: 'another' } }, { namespace });
    const later = await client.list(configMap, { namespace });
    expect(later.items).toHaveLength(once.items.length + 1);
    expect(later.metadata.resourceVersion).not.toBe(once.metadata.resourceVersion);
    const everywhere = await client.list(configMap);
    expect(everywhere.items.length).toBeGreaterThan(later.items.length);
    const texts = [await get(path, undefined, () => {}), await get(path, undefined, () => {})];
    expect(texts[0]).toBe(texts[1]);
    expect(JSON.parse(texts[0] ?? '').items).toHaveLength(later.items.length);
  });
});
