import { expect, it } from 'vitest';
import { type AuthenticationResult, rejected } from '../../../src/authentication/authenticator.js';
import { tokenAuthenticator } from '../../../src/authentication/tokens/bearer-token.js';
import { cachedTokens } from '../../../src/authentication/tokens/token-cache.js';
import type { LabelValues, MetricFamily } from '../../../src/metrics/metrics.js';
import { noMetrics } from '../../../src/metrics/metrics.js';
import { fakeHost } from '../../support/hosts.js';

function setUp(answer?: () => AuthenticationResult) {
  const host = fakeHost();
  const asked: string[] = [];
  const inner = tokenAuthenticator('inner', async (token, audiences) => {
    asked.push([token, ...(audiences ?? [])].join());
    return answer?.() ?? { outcome: 'authenticated', user: { username: token } };
  });
  return { clock: host.clock, asked, cache: cachedTokens(inner, host) };
}

it('looks a token up once in ten seconds', async () => {
  const { clock, asked, cache } = setUp();
  const first = await cache.authenticateToken('a', undefined);
  clock.advance(9_999);
  expect(await cache.authenticateToken('a', undefined)).toBe(first);
  expect(asked).toEqual(['a']);
  clock.advance(1);
  await cache.authenticateToken('a', undefined);
  expect(asked).toEqual(['a', 'a']);
});

it('returns a cached result synchronously', async () => {
  const { cache } = setUp();
  const first = await cache.authenticateToken('a', undefined);
  expect(cache.authenticateToken('a', undefined)).toBe(first);
});

it('shares one lookup among concurrent requests', async () => {
  const { asked, cache } = setUp();
  await Promise.all([1, 2, 3].map(() => cache.authenticateToken('a', undefined)));
  expect(asked).toEqual(['a']);
});

it('caches by audience', async () => {
  const { asked, cache } = setUp();
  await cache.authenticateToken('a', undefined);
  await cache.authenticateToken('a', ['x']);
  await cache.authenticateToken('a', ['x', 'y']);
  await cache.authenticateToken('a', ['x']);
  expect(asked).toEqual(['a', 'a,x', 'a,x,y']);
});

it('distinguishes tokens that have the same end', async () => {
  const { cache } = setUp();
  const end = 'x'.repeat(100);
  const tokens = [`a${end}`, `b${end}`, end, `${end}["y"]`];
  for (const audiences of [undefined, ['y']])
    for (const token of [...tokens, ...tokens])
      expect(await cache.authenticateToken(token, audiences)).toMatchObject({ user: { username: token } });
  // The cache key of a short token is the whole token.
  await cache.authenticateToken('a', ['y']);
  expect(await cache.authenticateToken('a["y"]', undefined)).toMatchObject({ user: { username: 'a["y"]' } });
});

it('does not cache rejections or failures', async () => {
  let fail = false;
  const { asked, cache } = setUp(() => {
    if (fail) throw new Error('down');
    return rejected('bad');
  });
  await cache.authenticateToken('a', undefined);
  fail = true;
  await expect(cache.authenticateToken('a', undefined)).rejects.toThrow('down');
  await expect(cache.authenticateToken('a', undefined)).rejects.toThrow('down');
  expect(asked).toHaveLength(3);
});

it('keeps the newest 10,000 tokens', async () => {
  const { asked, cache } = setUp();
  const tokens = Array.from({ length: 10_001 }, (_, i) => `token-${i}`);
  for (const token of [...tokens, 'token-1', 'token-0']) await cache.authenticateToken(token, undefined);
  expect(asked).toEqual([...tokens, 'token-0']);
});

it('counts every request that waits for a lookup as blocked, including the one that started it', async () => {
  const counts = new Map<string, number>();
  const add = ({ name }: MetricFamily, [status = '']: LabelValues, amount = 1) => {
    if (name.endsWith('active_fetch_count')) counts.set(status, (counts.get(status) ?? 0) + amount);
  };
  const host = { ...fakeHost(), metrics: { ...noMetrics, add } };
  const inner = tokenAuthenticator('inner', async (token) => ({ outcome: 'authenticated', user: { username: token } }));
  const cache = cachedTokens(inner, host);
  const all = Promise.all([1, 2, 3].map(() => cache.authenticateToken('a', undefined)));
  expect([counts.get('blocked'), counts.get('in_flight')]).toEqual([3, 1]);
  await all;
  expect([counts.get('blocked'), counts.get('in_flight')]).toEqual([0, 0]);
});
