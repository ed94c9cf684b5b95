import type { ControllerOptions } from '../api-server-options.js';
import { type LeaderElectionOptions, problemOfElection } from '../controllers/leader-election/election-options.js';
import type { Flags, FlagValues } from './flags.js';

/** The flags about leader election, by the name of the option that each sets. */
const FLAG_OF = {
  leaseDuration: 'leader-elect-lease-duration',
  renewDeadline: 'leader-elect-renew-deadline',
  retryPeriod: 'leader-elect-retry-period',
  resourceName: 'leader-elect-resource-name',
  resourceNamespace: 'leader-elect-resource-namespace',
} as const satisfies { readonly [Option in keyof LeaderElectionOptions]-?: keyof FlagValues };

const settingsOf = (values: FlagValues): Required<LeaderElectionOptions> => ({
  leaseDuration: values[FLAG_OF.leaseDuration],
  renewDeadline: values[FLAG_OF.renewDeadline],
  retryPeriod: values[FLAG_OF.retryPeriod],
  resourceName: values[FLAG_OF.resourceName],
  resourceNamespace: values[FLAG_OF.resourceNamespace],
});

/**
 * Returns the errors in the flags about leader election. As in upstream, the other flags are not checked if `--leader-elect=false` is
 * given.
 */
export function checkLeaderElectionFlags({ values, setFlags }: Flags): readonly string[] {
  if (values['leader-elect'] === false) return [];
  if (!elects(values)) {
    const lonely = Object.values(FLAG_OF).find((name) => setFlags.has(name));
    return lonely === undefined ? [] : [`--${lonely} is about --leader-elect: give both`];
  }
  const problem = problemOfElection(settingsOf(values));
  if (problem === undefined) return [];
  const named = Object.entries(FLAG_OF).reduce((text, [option, flag]) => text.replaceAll(option, `--${flag}`), problem);
  return [named];
}

/**
 * Returns the option `leaderElection`. It is absent if neither `--leader-elect` nor `--etcd-servers` is given; the server's default then
 * applies.
 */
export function leaderElectionOptions(values: FlagValues): Pick<ControllerOptions, 'leaderElection'> {
  if (values['leader-elect'] === false) return { leaderElection: false };
  return elects(values) ? { leaderElection: settingsOf(values) } : {};
}

const elects = (values: FlagValues): boolean => values['leader-elect'] ?? values['etcd-servers'] !== undefined;
