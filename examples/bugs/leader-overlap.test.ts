import { type Client, isConflict } from 'orch-apiserver';
import { lease } from 'orch-apiserver/kinds';
import type { FakeClock } from 'orch-apiserver/testing';
import { describe, expect } from 'vitest';
import { catches, where } from './stage.js';

const DURATION = 15_000;

/** Takes part in an election with an existing lease. Each call tries to lead, and returns whether this candidate leads. */
function candidate(client: Client, holderIdentity: string, clock: FakeClock, bug: boolean): () => Promise<boolean> {
  let leads = false;
  let renewed = Number.NEGATIVE_INFINITY;
  let seen = { version: '', at: 0 };
  return async () => {
    const now = clock.monotonic();
    try {
      const current = await client.get(lease, 'leader', where);
      const { resourceVersion: version = '' } = current.metadata;
      if (seen.version !== version) seen = { version, at: now };
      const isFree = current.spec.holderIdentity === undefined || now - seen.at >= DURATION;
      if (current.spec.holderIdentity !== holderIdentity && !isFree) return (leads = false);
      const spec = { ...current.spec, holderIdentity, leaseTransitions: (current.spec.leaseTransitions ?? 0) + 1 };
      await client.replace(lease, { ...current, spec }, where);
      renewed = now;
      return (leads = true);
    } catch (error) {
      if (isConflict(error)) return (leads = false);
      // The renewal failed. This candidate keeps leading for a while, but stops before others may take the lease.
      return leads && (bug || now - renewed < (DURATION * 2) / 3);
    }
  };
}

describe('two leaders at the same time', () => {
  catches(async ({ server, clock, faults, user }, bug) => {
    await user.create(lease, { metadata: { name: 'leader' }, spec: {} }, where);
    const [a, b] = (['a', 'b'] as const).map((name) =>
      candidate(server.client({ userAgent: name }), name, clock, bug),
    ) as [() => Promise<boolean>, () => Promise<boolean>];
    expect([await a(), await b()]).toEqual([true, false]);

    faults.on({ userAgent: 'a' }).partition('break');
    const leaders: number[] = [];
    for (let second = 0; second < 20; second++) {
      clock.advance(1_000);
      leaders.push([await a(), await b()].filter(Boolean).length);
    }

    expect(Math.max(...leaders)).toBe(1);
    expect(leaders.at(-1)).toBe(1);
  });
});
