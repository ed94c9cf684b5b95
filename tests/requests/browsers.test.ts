import { afterEach, describe, expect, it } from 'vitest';
import type { ApiServerOptions } from '../../src/api-server-options.js';
import type { ApiServer } from '../../src/index.js';
import { headersOf } from '../../src/meta/request-headers.js';
import { everybodyIs, openServer } from '../support/servers.js';

const MAPS = '/api/v1/namespaces/default/configmaps';
const ORIGIN = 'https://app.example.com';

let server: ApiServer | undefined;
afterEach(() => server?.close());

async function asking(options: ApiServerOptions) {
  const opened = await openServer(options);
  server = opened;
  return async (headers: Record<string, string> = {}, { method = 'GET', path = MAPS, http2 = false } = {}) =>
    await opened.handle({ method, path, query: '', headers: headersOf(headers), http2 });
}
const ours = (origin: string) => origin === ORIGIN;

describe('a page of an allowed origin', () => {
  it('may read responses', async () => {
    const ask = await asking({ browsers: { allowOrigin: ours } });
    const { status, headers } = await ask({ origin: ORIGIN });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'Access-Control-Allow-Origin': ORIGIN,
      'Access-Control-Allow-Methods': 'POST, GET, OPTIONS, PUT, DELETE, PATCH',
      'Access-Control-Allow-Credentials': 'true',
      'Access-Control-Expose-Headers': 'Date',
    });
  });

  it('may send a preflight request, whoever the user is', async () => {
    const ask = await asking({ browsers: { allowOrigin: ours }, authentication: [] });
    const preflight = await ask({ origin: ORIGIN, 'access-control-request-method': 'POST' }, { method: 'OPTIONS' });
    expect(preflight).toMatchObject({ status: 204, body: { type: 'none' } });
    expect(preflight.headers).toMatchObject({
      'Access-Control-Allow-Origin': ORIGIN,
      'Access-Control-Allow-Headers':
        'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since',
    });
    const refused = await ask({ origin: ORIGIN });
    expect(refused.status).toBe(401);
    expect(refused.headers['Access-Control-Allow-Origin']).toBe(ORIGIN);
  });

  it('must match the configured origins', async () => {
    const ask = await asking({ browsers: { allowOrigin: ours } });
    for (const headers of [{}, { origin: '' }, { origin: 'https://app.example.com.evil.org' }]) {
      const answer = await ask(headers);
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('Access-Control'))).toEqual([]);
    }
    expect((await ask({ origin: 'https://evil.org' }, { method: 'OPTIONS' })).status).toBe(405);
  });
});

it('sends Strict-Transport-Security, on refusals as well', async () => {
  const ask = await asking({ browsers: { strictTransportSecurity: 'max-age=31536000; preload' } });
  for (const path of [MAPS, '/nowhere', '/livez'])
    expect((await ask({}, { path })).headers['Strict-Transport-Security']).toBe('max-age=31536000; preload');
});

it.each<[ApiServerOptions, string]>([
  [{ limits: { goawayChance: 0.5 } }, 'goawayChance must be at most 0.02'],
  [{ limits: { goawayChance: -1 } }, 'goawayChance must be a number of at least 0'],
  [{ browsers: { strictTransportSecurity: 'a\r\nb: c' } }, 'strictTransportSecurity must be directives'],
  [{ browsers: { allowOrigin: ['x'] as never } }, 'allowOrigin must be a function'],
])('refuses %j', async (options, problem) => {
  await expect(openServer(options)).rejects.toThrow(problem);
});

describe('a connection of HTTP/2', () => {
  const known: NonNullable<ApiServerOptions['authentication']> = [
    () => ({
      name: 'known',
      authenticate: () => ({ outcome: 'authenticated', authenticator: 'known', user: { username: 'ann' } }),
    }),
  ];
  const closes = async (ask: Awaited<ReturnType<typeof asking>>, http2 = true) =>
    (await ask({}, { http2 })).headers['Connection'] === 'close';

  it('ends sometimes, if GOAWAY is configured', async () => {
    let byte = 0;
    const random = { fill: <T extends Uint8Array>(bytes: T) => bytes.fill(byte) };
    const ask = await asking({ authentication: known, limits: { goawayChance: 0.02 }, random });
    expect(await closes(ask)).toBe(true);
    expect(await closes(ask, false)).toBe(false);
    byte = 200;
    expect(await closes(ask)).toBe(false);
  });

  it('ends after a request of an unauthenticated user, unless the gate is off', async () => {
    expect(await closes(await asking({}))).toBe(true);
    await server?.close();
    expect(await closes(await asking({}), false)).toBe(false);
    await server?.close();
    expect(await closes(await asking({ authentication: [] }))).toBe(true);
    await server?.close();
    expect(await closes(await asking({ authentication: known }))).toBe(false);
    await server?.close();
    const ofNobody = everybodyIs({ username: '', groups: ['system:unauthenticated'] });
    expect(await closes(await asking({ authentication: [ofNobody] }))).toBe(true);
    await server?.close();
    expect(await closes(await asking({ featureGates: { UnauthenticatedHTTP2DOSMitigation: false } }))).toBe(false);
  });
});
