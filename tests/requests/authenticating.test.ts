import { expect, it } from 'vitest';
import type { AuthenticatorFactory } from '../../src/authentication/authenticator.js';
import { ask } from '../support/ask.js';
import { openServer } from '../support/servers.js';

/** Authenticates callers with the token `known` at once, and never responds for others. */
const slow: AuthenticatorFactory = () => ({
  name: 'slow',
  authenticate: ({ headers }) =>
    headers.get('authorization') === 'Bearer known'
      ? { outcome: 'authenticated', authenticator: 'slow', user: { username: 'a', groups: [] } }
      : new Promise(() => undefined),
});

it('lets one address use half of the slots for unauthenticated callers', async () => {
  await using server = await openServer({
    authentication: [slow],
    limits: { maxRequestsInFlight: 4, maxMutatingRequestsInFlight: 2 },
  });
  const leaving = new AbortController();
  const from = (remoteAddress: string, token: string, signal?: AbortSignal) =>
    ask(server, {
      path: '/version',
      remoteAddress,
      headers: { authorization: `Bearer ${token}` },
      ...(signal && { signal }),
    });
  for (let i = 0; i < 3; i++) void from('192.0.2.1', `junk-${i}`, leaving.signal).catch(() => undefined);
  expect((await from('192.0.2.1', 'known')).status).toBe(429);
  expect((await from('192.0.2.2', 'known')).status).toBe(200);
  // Otherwise the server would wait for them before it closes.
  leaving.abort();
});
