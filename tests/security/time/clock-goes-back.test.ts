import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ApiServer } from '../../../src/api-server.js';
import { type AuthenticationResult, skipped } from '../../../src/authentication/authenticator.js';
import { tokenAuthenticator } from '../../../src/authentication/tokens/bearer-token.js';
import { cachedTokens } from '../../../src/authentication/tokens/token-cache.js';
import { type Clock, isYoung, reading, systemClock } from '../../../src/meta/clock.js';
import type { TokenRequest } from '../../../src/resources/authentication/authentication-v1.types.js';
import { serviceAccount } from '../../../src/resources/core/index.js';
import { createFakeClock, type FakeClock } from '../../../src/testing/fake-clock.js';
import { whoIs } from '../../support/ask.js';
import { fakeHost } from '../../support/hosts.js';
import { startServer } from '../../support/servers.js';

/* Nothing lives longer because the time of day was set back. */
const where = { namespace: 'default' };
const START = Date.parse('2026-11-21T12:00:00Z');
const HOUR = 3_600_000;
const SECOND = 1000;

/** A clock of somebody who has only the time of day. */
const withoutMonotonic = ({ now, setTimer }: Clock): Clock => ({ now, setTimer });

describe.each([
  ['a monotonic reading', (clock: FakeClock): Clock => clock],
  ['the time of day only', withoutMonotonic],
])('a clock with %s', (_, kindOf) => {
  let clock: FakeClock;
  let revoked: boolean;
  let asked: number;
  const ask = (host: Pick<ReturnType<typeof fakeHost>, 'lister' | 'metrics'> & { readonly clock: Clock }) => {
    const inner = tokenAuthenticator('elsewhere', async (): Promise<AuthenticationResult> => {
      asked++;
      return revoked ? skipped : { outcome: 'authenticated', user: { username: 'jane' } };
    });
    const cache = cachedTokens(inner, host);
    return async () => (await cache.authenticateToken('t', undefined)).outcome;
  };
  beforeEach(() => {
    clock = createFakeClock(START);
    revoked = false;
    asked = 0;
  });

  it('expires caches after ten seconds, whatever the time of day', async () => {
    const outcome = ask({ ...fakeHost(), clock: kindOf(clock) });
    expect(await outcome()).toBe('authenticated');
    clock.set(START - HOUR);
    revoked = true;
    clock.advance(10 * SECOND);
    expect(await outcome()).toBe('skipped');
  });
  it('expires caches if it is set back again and again', async () => {
    const outcome = ask({ ...fakeHost(), clock: kindOf(clock) });
    await outcome();
    revoked = true;
    for (let i = 0; i < 5; i++) {
      clock.advance(3 * SECOND);
      clock.set(START - i * HOUR);
    }
    expect(await outcome()).toBe('skipped');
  });
  it('keeps caches while it stands still', async () => {
    const outcome = ask({ ...fakeHost(), clock: kindOf(clock) });
    await outcome();
    clock.advance(9_999);
    await outcome();
    expect(asked).toBe(1);
  });
  it('does not treat old entries as new', () => {
    const given = kindOf(clock);
    const since = reading(given);
    clock.advance(5);
    expect([isYoung(given, since, 6), isYoung(given, since, 5)]).toEqual([true, false]);
    expect(isYoung(given, since + HOUR, 6)).toBe(false);
  });
});

describe('a server', () => {
  let clock: FakeClock;
  let server: ApiServer;
  beforeEach(async () => {
    clock = createFakeClock(START);
    server = await startServer({ dialect: 'k8s', clock });
  });
  afterEach(() => server.close());
  it('accepts no token of a deleted account after its clock was set back', async () => {
    const { status } = await server
      .client()
      .createSubresource<TokenRequest>(serviceAccount, 'default', 'token', { spec: {} } as object, where);
    const who = () => whoIs(server, { headers: { authorization: `Bearer ${status.token}` } });
    for (let i = 0; i < 3; i++) expect(await who()).toBe('system:serviceaccount:default:default');
    clock.set(START - 30 * SECOND);
    await server.client().delete(serviceAccount, 'default', where);
    for (const minutes of [0, 1, 30]) {
      clock.advance(minutes * 60 * SECOND);
      expect(await who()).toBe(401);
    }
  });
});

it("the machine's clock has a monotonic reading", () => {
  const before = reading(systemClock);
  expect(systemClock.monotonic).toBeDefined();
  expect(reading(systemClock)).toBeGreaterThanOrEqual(before);
});

describe('the fake clock', () => {
  it('has a monotonic reading that never goes back', () => {
    const clock = createFakeClock(START);
    clock.advance(100);
    clock.set(START - HOUR);
    expect([clock.now(), clock.monotonic()]).toEqual([START - HOUR, 100]);
    clock.advance(50);
    expect([clock.now(), clock.monotonic()]).toEqual([START - HOUR + 50, 150]);
  });
  it('lets timers wait as long as they were asked to', () => {
    const clock = createFakeClock(START);
    const fired: number[] = [];
    clock.setTimer(() => fired.push(clock.now()), 100);
    clock.set(START - HOUR);
    clock.advance(99);
    expect(fired).toEqual([]);
    clock.advance(1);
    expect(fired).toEqual([START - HOUR + 100]);
  });
});
