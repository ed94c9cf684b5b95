import { once } from 'node:events';
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { OpenAnswers } from '../../src/http/open-answers.js';
import { writeResponse } from '../../src/http/response-writer.js';
import type { ApiResponse } from '../../src/requests/api-request.js';
import { collectGarbage } from '../support/collect-garbage.js';

const ANSWER: ApiResponse = {
  status: 200,
  headers: {},
  body: { type: 'bytes', chunks: [Buffer.from('text')], length: 4 },
};

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

it.each(['GET', 'HEAD', 'DELETE'])('keeps no completed response to a %s over HTTP/2', async (method) => {
  const open = new OpenAnswers();
  const answered: WeakRef<object>[] = [];
  const server = http2.createServer();
  server.on('stream', (stream) => {
    answered.push(new WeakRef(stream));
    writeResponse(stream, method, ANSWER, { open, onFault: () => {} });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const session = http2.connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  closing.push(
    () => session.destroy(),
    () => server.close(),
  );
  for (let i = 0; i < 20; i++) await once(session.request({ ':method': method, ':path': '/' }).resume(), 'close');
  await expect
    .poll(() => {
      collectGarbage();
      return answered.filter((each) => each.deref() !== undefined).length;
    })
    .toBeLessThan(3);
  expect(open.pendingBytes).toBe(0);
});
