/** How the servers on one storage elect the one whose controllers run. The durations are in milliseconds. */
export interface LeaderElectionOptions {
  /** How long the others wait after the last renewal that they have seen before one of them takes over. Default 15 s. */
  readonly leaseDuration?: number;
  /** How long after the beginning of its last renewal the leader gives up and stops its controllers. Default 10 s. */
  readonly renewDeadline?: number;
  /** The pause between two attempts to become the leader, or to remain it. Default 2 s. */
  readonly retryPeriod?: number;
  /** The name of the Lease. Default `kube-controller-manager`. */
  readonly resourceName?: string;
  /** The namespace of the Lease. Default `kube-system`. */
  readonly resourceNamespace?: string;
}

export const ELECTION_DEFAULTS: Required<LeaderElectionOptions> = {
  leaseDuration: 15_000,
  renewDeadline: 10_000,
  retryPeriod: 2_000,
  resourceName: 'kube-controller-manager',
  resourceNamespace: 'kube-system',
};

/** A candidate waits one to 2.2 periods, so that several of them do not ask in step; the factor is client-go's. */
export const JITTER_FACTOR = 1.2;

/** Returns the options with the defaults for those that are absent. */
export function completeElection(options: LeaderElectionOptions): Required<LeaderElectionOptions> {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...ELECTION_DEFAULTS, ...Object.fromEntries(given) };
}

/** The unit in which a Lease counts its duration. */
const SECOND = 1_000;

/** Returns what is wrong with the options of an election, in terms of the members' names; undefined when nothing is. The rules are client-go's. */
export function problemOfElection(options: LeaderElectionOptions): string | undefined {
  const { leaseDuration, renewDeadline, retryPeriod, resourceName, resourceNamespace } = completeElection(options);
  const durations = { leaseDuration, renewDeadline, retryPeriod };
  for (const [name, value] of Object.entries(durations))
    if (typeof value !== 'number' || !(value > 0 && Number.isFinite(value)))
      return `${name} must be more than 0 milliseconds`;
  if (leaseDuration < SECOND)
    return `leaseDuration must be at least ${SECOND} milliseconds, because a Lease counts seconds`;
  if (leaseDuration <= renewDeadline) return 'leaseDuration must be greater than renewDeadline';
  if (renewDeadline <= retryPeriod * JITTER_FACTOR)
    return `renewDeadline must be greater than retryPeriod * ${JITTER_FACTOR}`;
  for (const [name, value] of Object.entries({ resourceName, resourceNamespace }))
    if (typeof value !== 'string' || value === '') return `${name} must be a name`;
  return undefined;
}
