import { describe, expect, it } from 'vitest';
import { skipped } from '../../../src/authentication/authenticator.js';
import { tokenAuthenticator } from '../../../src/authentication/tokens/bearer-token.js';
import { webSocketToken } from '../../../src/authentication/tokens/websocket-token.js';
import { headersOf } from '../../../src/meta/request-headers.js';

const tokens = tokenAuthenticator('t', (token) =>
  token === 'token' ? { outcome: 'authenticated', user: { username: 'jane' } } : skipped,
);
const authenticator = webSocketToken(tokens, 'k8s.io');
const NAME = 'base64url.bearer.authorization.k8s.io.';
const GOOD = `${NAME}dG9rZW4`;
const handshake = { upgrade: 'websocket', connection: 'Upgrade' };
const authenticate = (headers: Readonly<Record<string, string | readonly string[]>>) =>
  authenticator.authenticate({ headers: headersOf(headers) });
const withProtocols = (...values: string[]) => authenticate({ ...handshake, 'sec-websocket-protocol': values });

describe('a token in a WebSocket handshake', () => {
  it.each([[[`${GOOD}, dummy`]], [[`dummy,${GOOD}`]], [[GOOD, 'dummy']]])('is accepted: %j', async (protocols) => {
    expect(await withProtocols(...protocols)).toMatchObject({ user: { username: 'jane' } });
  });

  it.each<[string, string[], string]>([
    ['unknown', [`${NAME}eA, dummy`], 'invalid bearer token'],
    ['twice', [`${GOOD}, ${GOOD}, dummy`], 'multiple base64.bearer.authorization tokens specified'],
    ['padded', [`${NAME}dG9rZQ==, dummy`], 'invalid base64.bearer.authorization token encoding'],
    ['not base64url', [`${NAME}a+b/, dummy`], 'invalid base64.bearer.authorization token encoding'],
    ['not UTF-8', [`${NAME}_w, dummy`], 'invalid base64.bearer.authorization token'],
    ['alone', [GOOD], 'missing additional subprotocol'],
    ['empty and alone', [NAME], 'missing additional subprotocol'],
  ])('is refused: %s', async (_name, protocols, message) => {
    expect(await withProtocols(...protocols)).toMatchObject({ outcome: 'rejected', error: { message } });
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ['no upgrade', { 'sec-websocket-protocol': `${GOOD}, dummy` }],
    ['another upgrade', { upgrade: 'h2c', connection: 'upgrade', 'sec-websocket-protocol': `${GOOD}, dummy` }],
    ['no connection', { upgrade: 'websocket', 'sec-websocket-protocol': `${GOOD}, dummy` }],
    [
      'another connection',
      { upgrade: 'websocket', connection: 'no-upgrade', 'sec-websocket-protocol': `${GOOD}, dummy` },
    ],
    ['no token', { ...handshake, 'sec-websocket-protocol': 'dummy' }],
    ['an empty token', { ...handshake, 'sec-websocket-protocol': `${NAME}, dummy` }],
    [
      'another domain',
      { ...handshake, 'sec-websocket-protocol': 'base64url.bearer.authorization.orch.io.dG9rZW4, dummy' },
    ],
  ])('is ignored: %s', async (_name, headers) => {
    expect(await authenticate(headers)).toEqual({ outcome: 'skipped' });
  });

  it("is found in any case and position of the header's values", async () => {
    const protocols = { 'sec-websocket-protocol': `${GOOD}, dummy` };
    for (const connection of ['upgrade', 'Keep-Alive, Upgrade', 'UPGRADE , x'])
      expect(await authenticate({ ...protocols, upgrade: 'WebSocket', connection })).toMatchObject({
        outcome: 'authenticated',
      });
  });
});
