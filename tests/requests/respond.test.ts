import { describe, expect, it } from 'vitest';
import { lazyBody } from '../../src/requests/answers/respond.js';
import type { ApiResponse } from '../../src/requests/api-request.js';
import { configMap } from '../../src/resources/core/index.js';
import { encodePretty, encodePrettyList } from '../../src/serialization/json/encode.js';
import { send } from '../support/ask.js';
import { openServer } from '../support/servers.js';

const KIB = 1024;
const text = (chunks: readonly Uint8Array[]) => Buffer.concat(chunks).toString();

describe('lazyBody', () => {
  it('has a length up to 128 KiB', () => {
    const body = lazyBody([new Uint8Array(100 * KIB), new Uint8Array(28 * KIB)]);
    expect(body).toMatchObject({ type: 'bytes', length: 128 * KIB });
    expect(lazyBody([new Uint8Array(100 * KIB), new Uint8Array(29 * KIB)])).toMatchObject({ type: 'stream' });
  });
  it('produces more only when it is read, and nothing after close', () => {
    let made = 0;
    function* pieces() {
      for (; made < 100; made++) yield new Uint8Array(25 * KIB);
    }
    const body = lazyBody(pieces());
    if (body.type !== 'stream') throw new Error('not a stream');
    expect([body.finite, made]).toEqual([true, 5]);
    expect([body.stream.take().length, made]).toEqual([6, 5]);
    expect([body.stream.take().length, made]).toEqual([1, 6]);
    body.stream.close();
    expect([body.stream.take(), body.stream.ended, made]).toEqual([[], true, 6]);
  });
});

describe('encodePrettyList', () => {
  const head = { kind: 'L', metadata: { a: '<&\u2028>' } };
  it.each([
    [[]],
    [[{}]],
    [[{ a: { b: [1, 'x\ny'] } }, {}]],
    [Array.from({ length: 3000 }, (_, n) => ({ n, text: '\u2029'.repeat(50) }))],
  ])('writes the same as encodePretty', (items) => {
    const pieces = [...encodePrettyList(head, 'items', items)];
    const whole = Buffer.from(encodePretty({ ...head, items: [] })).toString();
    expect(text(pieces)).toBe(items.length === 0 ? whole : Buffer.from(encodePretty({ ...head, items })).toString());
  });
});

describe('a large list', () => {
  async function bodies(query: string, count = 2, headers = {}): Promise<ApiResponse['body'][]> {
    const server = await openServer();
    for (let n = 0; n < 8; n++) {
      const data = { a: 'x'.repeat(300 * KIB) };
      await server.client().create(configMap, { metadata: { name: `c${n}` }, data }, { namespace: 'default' });
    }
    const path = '/api/v1/namespaces/default/configmaps';
    const answers = Array.from({ length: count }, () => send(server, { path, query, headers }));
    return (await Promise.all(answers)).map(({ body }) => body);
  }
  function read(body: ApiResponse['body'] | undefined): Uint8Array[] {
    if (body?.type !== 'stream') throw new Error('not a stream');
    const chunks: Uint8Array[] = [];
    while (!body.stream.ended) chunks.push(...body.stream.take());
    return chunks;
  }
  it('shares one buffer among all who read the same state', async () => {
    const both = await bodies('');
    const [one, two] = both.map(read);
    expect(JSON.parse(text(one ?? [])).items).toHaveLength(8);
    expect(text(one ?? []).endsWith('}\n')).toBe(true);
    expect(one?.slice(0, -1).every((chunk, i) => chunk === two?.[i])).toBe(true);
  });
  it.each(['pretty=true', 'labelSelector=%21a', 'limit=7'])('is sent in pieces with %s', async (query) => {
    const [body] = await bodies(query, 1);
    const chunks = read(body);
    expect(chunks.length).toBeGreaterThan(4);
    expect(JSON.parse(text(chunks)).items).toHaveLength(query === 'limit=7' ? 7 : 8);
  });
  it.each(['', 'pretty=true'])('is sent as a table in pieces (%s)', async (pretty) => {
    const table = { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' };
    const [body] = await bodies(`includeObject=Object&${pretty}`, 1, table);
    const chunks = read(body);
    expect(chunks.length).toBeGreaterThan(4);
    expect(JSON.parse(text(chunks)).rows).toHaveLength(8);
  });
});
