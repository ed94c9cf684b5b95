import { expect, it } from 'vitest';
import { checkFlags } from '../../src/cli/check-flags.js';
import { leaderElectionOptions } from '../../src/cli/leader-election-options.js';
import { parseFlags } from '../../src/cli/parse-flags.js';

const ETCD = '--etcd-servers=http://127.0.0.1:1';
const DEFAULTS = {
  leaseDuration: 15_000,
  renewDeadline: 10_000,
  retryPeriod: 2_000,
  resourceName: 'kube-controller-manager',
  resourceNamespace: 'kube-system',
};

it.each([
  [[], {}],
  [[ETCD], { leaderElection: DEFAULTS }],
  [[ETCD, '--leader-elect=false'], { leaderElection: false }],
  [['--leader-elect=false'], { leaderElection: false }],
  [['--leader-elect'], { leaderElection: DEFAULTS }],
  [
    [ETCD, '--leader-elect-lease-duration=1m', '--leader-elect-renew-deadline=40s', '--leader-elect-retry-period=5s'],
    { leaderElection: { ...DEFAULTS, leaseDuration: 60_000, renewDeadline: 40_000, retryPeriod: 5_000 } },
  ],
  [
    [ETCD, '--leader-elect-resource-name=a', '--leader-elect-resource-namespace=b'],
    { leaderElection: { ...DEFAULTS, resourceName: 'a', resourceNamespace: 'b' } },
  ],
])('%j become options', (flags, options) => {
  const parsed = parseFlags(flags);
  expect(checkFlags(parsed)).toEqual([]);
  expect(leaderElectionOptions(parsed.values)).toEqual(options);
});

it.each([
  [
    [ETCD, '--leader-elect-lease-duration=10s'],
    '--leader-elect-lease-duration must be greater than --leader-elect-renew-deadline',
  ],
  [
    [ETCD, '--leader-elect-retry-period=9s'],
    '--leader-elect-renew-deadline must be greater than --leader-elect-retry-period * 1.2',
  ],
  [[ETCD, '--leader-elect-retry-period=0s'], '--leader-elect-retry-period must be more than 0 milliseconds'],
  [[ETCD, '--leader-elect-resource-name='], '--leader-elect-resource-name must be a name'],
  [['--leader-elect-retry-period=3s'], '--leader-elect-retry-period is about --leader-elect: give both'],
])('%j are refused', (flags, message) => {
  expect(checkFlags(parseFlags(flags))).toEqual([message]);
});
