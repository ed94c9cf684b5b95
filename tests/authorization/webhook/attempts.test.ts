import { describe, expect, it } from 'vitest';
import type { AuthorizationAttributes } from '../../../src/authorization/authorizer.js';
import { webhook } from '../../../src/authorization/webhook/webhook.js';
import type { Metrics } from '../../../src/metrics/metrics.js';
import { createFakeHost } from '../../../src/testing/fake-host.js';
import { passingTime } from '../../support/passing-time.js';

const jane: AuthorizationAttributes = {
  user: { username: 'jane' },
  verb: 'get',
  resourceRequest: true,
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: 'kittens',
  name: 'a',
  path: '',
};

/** Returns a webhook whose calls have these statuses, one after another, and what it counts. */
function asking(statuses: readonly number[], body: object = { status: { allowed: true } }) {
  let calls = 0;
  const counted: string[] = [];
  const host = createFakeHost({
    fetch: async () => Response.json(body, { status: statuses[Math.min(calls++, statuses.length - 1)] ?? 200 }),
  });
  const metrics: Metrics = {
    ...host.metrics,
    add: ({ name }, labels) => void counted.push([name.replace('apiserver_authorization_', ''), ...labels].join(' ')),
  };
  const connection = { server: 'https://webhook.example' };
  const authorizer = webhook({ connection, version: 'v1' })({ ...host, metrics });
  const decide = async (change: Partial<AuthorizationAttributes> = {}) =>
    (await passingTime(host.clock, Promise.resolve(authorizer.authorize({ ...jane, ...change })))).decision;
  return { decide, counted, calls: () => calls };
}

const one = (result: string) => `webhook_evaluations_total webhook ${result}`;
const open = (result: string) => `webhook_evaluations_fail_open_total webhook ${result}`;

describe('the calls of an authorization webhook', () => {
  it.each<[string, readonly number[], string, readonly string[]]>([
    ['that succeeds', [200], 'Allow', [one('success')]],
    ['that succeeds after two failures', [500, 429, 200], 'Allow', [one('error'), one('error'), one('success')]],
    ['that always fails', [500], 'NoOpinion', [...Array(5).fill(one('error')), open('error')].sort()],
    ['that takes too long', [504], 'NoOpinion', [...Array(5).fill(one('timeout')), open('timeout')].sort()],
    ['that is not repeated', [403], 'NoOpinion', [open('error'), one('error')]],
  ])('are counted each: one %s', async (_name, statuses, decision, expected) => {
    const { decide, counted } = asking(statuses);
    expect(await decide()).toBe(decision);
    expect(counted.toSorted()).toEqual([...expected].toSorted());
  });

  it('are counted as failed if the response has a member of a wrong type', async () => {
    const { decide, counted } = asking([200], { status: { allowed: 'yes' } });
    expect(await decide()).toBe('NoOpinion');
    expect(counted).toEqual([open('error'), one('error')]);
  });

  it('are repeated for a request whose attributes have 10,000 characters or more together', async () => {
    const long = Object.fromEntries(
      ['verb', 'group', 'version', 'resource', 'name'].map((member) => [member, member.charAt(0).repeat(2000)]),
    );
    const { decide, calls } = asking([200]);
    for (const [change, expected] of [
      [{}, 1],
      [long, 2],
      [long, 3],
      [{ ...long, namespace: '', name: 'n'.repeat(1999) }, 4],
      [{ ...long, namespace: '', name: 'n'.repeat(1999) }, 4],
    ] as const) {
      expect(await decide(change)).toBe('Allow');
      expect(calls()).toBe(expected);
    }
  });
});
