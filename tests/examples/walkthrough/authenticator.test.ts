import { ApiServer } from 'orch-apiserver';
import { headersOf } from 'orch-apiserver/authentication';
import { createFakeHost } from 'orch-apiserver/testing';
import { runAuthenticatorContract } from 'orch-apiserver/testing/vitest';
import { expect, it } from 'vitest';
import { robotKey } from '../../../examples/walkthrough/authenticator.js';

const withKey = (key: string) => ({ headers: headersOf({ 'x-robot-key': key }) });

// The requirements for every authenticator: it accepts no hostile input, never throws, and returns frozen users.
runAuthenticatorContract('robotKey', () => ({
  authenticator: robotKey('r2', 'secret')(createFakeHost()),
  good: withKey('secret'),
  user: { username: 'robot:r2', groups: ['robots'] },
  bad: { 'another key': withKey('Secret'), 'a longer key': withKey('secrets'), 'an empty key': withKey('') },
}));

it('is called by a server besides the default authenticators', async () => {
  await using server = new ApiServer({ authentication: (defaults) => [...defaults, robotKey('r2', 'secret')] });
  await server.start();
  const ask = async (headers: Record<string, string>) =>
    (await server.fetch(new Request('https://server/version', { headers }))).status;
  expect(await ask({ 'x-robot-key': 'secret' })).toBe(200);
  expect(await ask({ 'x-robot-key': 'guess' })).toBe(401);
});
