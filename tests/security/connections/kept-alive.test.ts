import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { type Listener, listen } from '../../../src/http/listener.js';
import type { ApiRequest, RequestBody } from '../../../src/requests/api-request.js';
import { answering, text } from '../../http/stub-server.js';

const REQUESTS = 20;
const BODY = 200_000;
const ANSWER = 'x'.repeat(200_000);

let listener: Listener | undefined;
afterEach(() => listener?.close({ graceMilliseconds: 0 }));

/** A client in a thread of its own: it reads an answer and sends the next request while the server is busy. */
const CLIENT = `
const { parentPort, workerData } = require('node:worker_threads');
const https = require('node:https');
const agent = new https.Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });
const send = () => new Promise((resolve) => {
  const request = https.request(workerData.url, { method: 'POST', agent, headers: { 'content-length': workerData.size } }, (answer) => {
    answer.resume();
    answer.on('end', () => resolve(String(answer.statusCode)));
    answer.on('error', (error) => resolve(error.code));
  });
  request.on('error', (error) => resolve(error.code));
  request.end('y'.repeat(workerData.size));
});
(async () => {
  const answers = [];
  for (let i = 0; i < workerData.count; i++) answers.push(await send());
  agent.destroy();
  parentPort.postMessage(answers);
})();
`;

function answersTo(url: string): Promise<string[]> {
  const worker = new Worker(CLIENT, { eval: true, workerData: { url, size: BODY, count: REQUESTS } });
  return new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
}

type BytesBody = Extract<RequestBody, { type: 'bytes' }>;
const reads: Record<string, (body: BytesBody) => Promise<unknown>> = {
  whole: (body) => body.read(1_000_000),
  'chunk by chunk': async (body) => {
    const reader = body.stream?.().bytes.getReader();
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read())
      await new Promise((resolve) => setImmediate(resolve));
  },
  'not at all': async () => undefined,
};

describe('a kept connection whose next request arrives before Node reports that the response was sent', () => {
  it.each(Object.keys(reads))('continues if bodies are read %s', async (how) => {
    const read = reads[how] as (body: BytesBody) => Promise<unknown>;
    const handler = answering(async ({ body }: ApiRequest) => {
      if (body?.type === 'bytes') await read(body);
      // Node marks a response as sent in the turn after it was written; the next request arrives before that.
      await new Promise<void>((resolve) => {
        setImmediate(resolve);
        setImmediate(busy);
      });
      return text(ANSWER, 422);
    });
    listener = await listen(handler);
    expect(await answersTo(listener.url)).toEqual(Array(REQUESTS).fill('422'));
  });
});

/** Blocks the event loop for as long as the client needs to read a response and send a request. */
function busy(): void {
  const end = performance.now() + 30;
  while (performance.now() < end);
}
