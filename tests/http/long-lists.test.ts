import http from 'node:http';
import { connect } from 'node:http2';
import https from 'node:https';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { listen } from '../../src/http/index.js';
import { configMap } from '../../src/resources/core/index.js';
import { everybodyIs, openServer } from '../support/servers.js';

const OBJECTS = 600;
const EACH = 2048;
const PATH = '/api/v1/namespaces/default/configmaps?resourceVersionMatch=Exact';

type Get = (path: string) => Promise<Readable>;

const get1 =
  (module: typeof http | typeof https, url: string): Get =>
  (path) =>
    new Promise((resolve, reject) => {
      module.get(`${url}${path}`, { agent: false, rejectUnauthorized: false }, resolve).on('error', reject);
    });
const get2 =
  (url: string): Get =>
  async (path) => {
    const session = connect(url, { rejectUnauthorized: false });
    const stream = session.request({ ':path': path });
    stream.once('close', () => stream.readableEnded || session.destroy());
    stream.once('end', () => session.close());
    return stream;
  };

/** Reads a body completely, slowly, or only its beginning. */
async function read(body: Readable, how: 'fast' | 'slow' | 'leaves'): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) {
    chunks.push(chunk as Buffer); // The stream has no encoding.
    if (how === 'leaves') break; // which destroys the body
    if (how === 'slow') await sleep(1);
  }
  return Buffer.concat(chunks).toString();
}

it('sends each page whole while other clients read slowly, or leave in the middle', { timeout: 60_000 }, async () => {
  await using server = await openServer({ authentication: [everybodyIs({ username: 'reader' })] });
  for (let n = 0; n < OBJECTS; n++) {
    const data = { a: `${n}-`.padEnd(EACH, String.fromCharCode(97 + (n % 26))) };
    await server.client().create(configMap, { metadata: { name: `c${n}` }, data }, { namespace: 'default' });
  }
  const encrypted = await listen(server);
  const plain = await listen(server, { tls: false });
  try {
    const first = get1(http, plain.url);
    const protocols = [first, get1(https, encrypted.url), get2(encrypted.url)];
    // The server itself writes occasionally, which changes the resourceVersion of a list without a given version.
    const { metadata } = await server.client().list(configMap, { namespace: 'default', limit: 1 });
    const pathOf = (limit: number) => `${PATH}&resourceVersion=${metadata.resourceVersion}&limit=${limit}`;
    const pages = new Map<number, string>();
    // The pages have different lengths, so that memory that is reused too early would be visible.
    for (const limit of [400, 500, 590]) pages.set(limit, await read(await first(pathOf(limit)), 'fast'));
    for (let round = 0; round < 4; round++) {
      const reading = protocols.flatMap((get, p) =>
        [...pages].flatMap(([limit, expected]) =>
          (['fast', 'slow', 'leaves', 'fast'] as const).map(async (how) => {
            const text = await read(await get(pathOf(limit)), how);
            if (how === 'leaves') expect(expected.startsWith(text), `${p} ${limit} ${how}`).toBe(true);
            else expect(text === expected, `${p} ${limit} ${how}`).toBe(true);
          }),
        ),
      );
      await Promise.all(reading);
    }
  } finally {
    await encrypted.close();
    await plain.close();
  }
});
