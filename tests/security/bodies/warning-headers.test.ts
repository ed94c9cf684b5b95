// However many warnings there are, every client must be able to read the response. Node has the smallest limits.

import http from 'node:http';
import http2 from 'node:http2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mutatingWebhookConfiguration } from '../../../src/exports/kinds.js';
import { type Listener, listen } from '../../../src/http/index.js';
import { reviewHandler } from '../../../src/outbound/review-handler.js';
import { warningHeaders } from '../../../src/requests/answers/respond.js';
import { openSuiteServer } from '../../support/servers.js';

const many = (count: number, text: (i: number) => string) => Array.from({ length: count }, (_, i) => text(i));
const HOSTILE: readonly (readonly [string, readonly string[]])[] = [
  ['many short warnings', many(20_000, (i) => `w${i}`)],
  ['characters of four bytes', many(5_000, (i) => `${'\u{1f600}'.repeat(200)}${i}`)],
  ['characters that are escaped', many(5_000, (i) => `${'"'.repeat(250)}${i}`)],
];

describe('a very large number of warnings', () => {
  it.each(HOSTILE)('is sent in few and short headers: %s', (_, warnings) => {
    const lines = warningHeaders(warnings);
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.length).toBeLessThanOrEqual(100);
    expect(lines.reduce((bytes, line) => bytes + Buffer.byteLength(line) + 11, 0)).toBeLessThanOrEqual(8192);
  });

  const server = openSuiteServer();
  let listener: Listener;
  let warnings: readonly string[] = [];
  const body = () => JSON.stringify({ metadata: { generateName: 'a' } });
  const headers = { 'content-type': 'application/json' };
  beforeAll(async () => {
    server.services.set(
      'default/warns',
      reviewHandler(() => ({ allowed: true, warnings })),
    );
    await server.client().create(mutatingWebhookConfiguration, {
      metadata: { name: 'warns' },
      webhooks: [
        {
          name: 'warns.example.com',
          clientConfig: { service: { namespace: 'default', name: 'warns' } },
          rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
        },
      ],
    });
    listener = await listen(server);
  });
  afterAll(() => listener.close());
  const path = '/api/v1/namespaces/default/configmaps';

  it.each(HOSTILE)('does not prevent Node from sending the response over HTTP/1.1: %s', async (_, hostile) => {
    warnings = hostile;
    const plain = await listen(server, { tls: false });
    const status = await new Promise((resolve, reject) => {
      const request = http.request(`${plain.url}${path}`, { method: 'POST', headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      request.on('error', reject).end(body());
    });
    const fetched = await fetch(`${plain.url}${path}`, { method: 'POST', headers, body: body() });
    await plain.close();
    expect([status, fetched.status]).toEqual([201, 201]);
  });

  it.each(HOSTILE)('does not prevent Node from sending the response over HTTP/2: %s', async (_, hostile) => {
    warnings = hostile;
    const session = http2.connect(listener.url, { rejectUnauthorized: false });
    const status = await new Promise((resolve, reject) => {
      const stream = session.request({ ':method': 'POST', ':path': path, ...headers });
      stream.on('response', (answer) => resolve(answer[':status'])).on('error', reject);
      stream.resume().end(body());
    }).finally(() => session.destroy());
    expect(status).toBe(201);
  });
});
