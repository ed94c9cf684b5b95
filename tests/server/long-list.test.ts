import { expect, it, vi } from 'vitest';
import { configMap } from '../../src/resources/core/index.js';
import { send } from '../support/ask.js';
import { reachableMegabytes } from '../support/collect-garbage.js';
import { openServer } from '../support/servers.js';

const OBJECTS = 3000;
const EACH = 40 * 1024;
/** The megabytes that a list may occupy while it is sent, which is far less than its size. */
const HELD = 50;

it('a list of 120 MB is sent from its beginning, without being held in memory', { timeout: 120_000 }, async () => {
  await using server = await openServer();
  // All objects share one string, so the stored objects are small and only the response is long.
  const data = { a: 'x'.repeat(EACH) };
  for (let n = 0; n < OBJECTS; n++)
    await server.client().create(configMap, { metadata: { name: `c${n}` }, data }, { namespace: 'default' });

  for (const query of ['', 'pretty=true', 'includeObject=Object']) {
    const table = { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' };
    const before = reachableMegabytes();
    const stringify = vi.spyOn(JSON, 'stringify');
    const { body } = await send(server, {
      path: '/api/v1/configmaps',
      query,
      headers: query.startsWith('include') ? table : {},
    });
    if (body.type !== 'stream') throw new Error('not a stream');
    const first = body.stream.take();
    // The first bytes are available before most objects are encoded.
    expect(stringify.mock.calls.length, query).toBeLessThan(200);
    stringify.mockRestore();
    let bytes = first.reduce((sum, { length }) => sum + length, 0);
    let most = 0;
    for (let pieces = 0; !body.stream.ended; pieces++) {
      for (const { length } of body.stream.take()) bytes += length;
      if (pieces % 100 === 0) most = Math.max(most, reachableMegabytes() - before);
    }
    expect(bytes, query).toBeGreaterThan(OBJECTS * EACH);
    // Only the beginning of the list is kept, for the next reader, with the encodings of its objects.
    expect(most, query).toBeLessThan(HELD);
  }
});
