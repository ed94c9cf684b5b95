import { describe, expect, it } from 'vitest';
import { tokenFile } from '../../src/authentication/tokens/token-file.js';
import type { RequestRecord } from '../../src/requests/request-record.js';
import { createFakeClock } from '../../src/testing/index.js';
import { send } from '../support/ask.js';
import { startServer } from '../support/servers.js';

const TOKEN = 'a-token-that-nobody-may-see';
const MAPS = '/api/v1/namespaces/default/configmaps';

async function loggedServer(priorityAndFairness = false) {
  const records: RequestRecord[] = [];
  const lines: string[] = [];
  const clock = createFakeClock();
  const server = await startServer({
    dialect: 'k8s',
    clock,
    limits: { priorityAndFairness },
    authentication: [tokenFile(`${TOKEN},admin,1,"system:masters"`)],
    log: (line) => lines.push(line),
    logRequest: (record) => records.push(record),
  });
  const ask = (method: string, path: string, query = '', headers = {}, body?: object) =>
    send(server, {
      method,
      path,
      query,
      remoteAddress: '10.0.0.1',
      headers: { authorization: `Bearer ${TOKEN}`, 'user-agent': 'tests/1', ...headers },
      ...(body ? { body } : {}),
    });
  return { server, records, lines, clock, ask };
}

describe('requests are logged', () => {
  it('once they have a response, with their attributes', async () => {
    const { server, records, ask } = await loggedServer();
    await ask('GET', MAPS, 'limit=5', { 'audit-id': 'mine' });
    await ask('POST', MAPS, '', {}, { metadata: { name: 'a' } });
    await ask('GET', `${MAPS}/none`);
    const apply = { 'content-type': 'application/apply-patch+yaml' };
    await ask('PATCH', `${MAPS}/a`, 'fieldManager=me', apply);
    await ask('GET', '/version', '', { authorization: 'Bearer wrong-token' });
    expect(records.map(({ verb, uri, status }) => [verb, uri, status])).toEqual([
      ['LIST', `${MAPS}?limit=5`, 200],
      ['POST', MAPS, 201],
      ['GET', `${MAPS}/none`, 404],
      ['APPLY', `${MAPS}/a?fieldManager=me`, 400],
      ['GET', '/version', 401],
    ]);
    expect(records[0]).toMatchObject({ userAgent: 'tests/1', auditId: 'mine', sourceAddress: '10.0.0.1', latency: 0 });
    await server.close();
  });
  it('with the decision of priority and fairness, if there was one', async () => {
    const { server, records, ask } = await loggedServer(true);
    await ask('GET', MAPS);
    await ask('GET', MAPS, '', { authorization: 'Bearer wrong-token' });
    const seats = { initialSeats: 1, finalSeats: 0, additionalLatency: 0, executionTime: 0 };
    expect(records.map(({ flow }) => flow)).toEqual([
      { priorityLevel: 'exempt', flowSchema: 'exempt', ...seats },
      undefined,
    ]);
    await server.close();
  });
  it('when they end, if they are watches', async () => {
    const { server, records, clock, ask } = await loggedServer();
    const { body } = await ask('GET', MAPS, 'watch=1');
    expect(records).toEqual([]);
    clock.advance(250);
    if (body.type === 'stream') body.stream.close();
    expect(records).toMatchObject([{ verb: 'WATCH', latency: 250, status: 200 }]);
    await server.close();
  });
  it("unless they are from the server's own client", async () => {
    const { server, records } = await loggedServer();
    await server.settle();
    expect(records).toEqual([]);
    await server.close();
  });
});

it('no log line contains a credential', async () => {
  const { server, records, lines, ask } = await loggedServer();
  const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl';
  const secrets = [TOKEN, jwt, 'opensesame', 'c2VjcmV0LXZhbHVl', 'plain-secret'];
  await ask('GET', MAPS, `access_token=opensesame&limit=1`);
  await ask('GET', MAPS, `x=${TOKEN}`);
  await ask('GET', MAPS, `id%5Ftoken=opensesame&labelSelector=a`);
  await ask('GET', `${MAPS}/${jwt}`);
  await ask('GET', MAPS, '', { 'user-agent': `agent ${TOKEN} ${jwt}` });
  await ask('GET', MAPS, '', { authorization: `Bearer ${jwt}` });
  await ask(
    'POST',
    '/api/v1/namespaces/default/secrets',
    '',
    {},
    {
      metadata: { name: 's' },
      data: { password: 'c2VjcmV0LXZhbHVl' },
      stringData: { more: 'plain-secret' },
    },
  );
  await ask('POST', '/apis/authentication.k8s.io/v1/tokenreviews', '', {}, { spec: { token: jwt } });
  expect(records).toHaveLength(8);
  const told = JSON.stringify([records, lines]);
  for (const secret of secrets) expect(told).not.toContain(secret);
  expect(records[0]?.uri).toBe(`${MAPS}?access_token=<masked>&limit=1`);
  await server.close();
});
