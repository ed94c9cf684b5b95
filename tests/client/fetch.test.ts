import { expect, it } from 'vitest';
import { requestFrom } from '../../src/client/fetch.js';
import type { RequestBody } from '../../src/requests/api-request.js';

/** The body of a request whose stream breaks after one chunk. */
function brokenBody(): Extract<RequestBody, { type: 'bytes' }> {
  const chunks = [new TextEncoder().encode('{')];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks.shift();
      if (chunk) controller.enqueue(chunk);
      else controller.error(new Error('broken'));
    },
  });
  const init = { method: 'POST', body, duplex: 'half' } as const;
  const request = requestFrom(new Request('https://server/api', init));
  if (request.body?.type !== 'bytes') throw new Error('the request has no bytes');
  return request.body;
}

it('reports a request body that breaks off as a disconnected client, however the body is read', async () => {
  const gone = { name: 'CallerGoneError' };
  await expect(brokenBody().read(100)).rejects.toMatchObject(gone);
  await expect(new Response(brokenBody().stream?.().bytes).text()).rejects.toMatchObject(gone);
});
