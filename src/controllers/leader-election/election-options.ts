/**
 * Options of the leader election, which decides which of the servers on one storage runs the controllers. Durations are in milliseconds.
 */
export interface LeaderElectionOptions {
  /** How long the other servers wait after the last renewal that they observed before one of them acquires the Lease. Default 15 s. */
  readonly leaseDuration?: number;
  /** How long after the start of its last successful renewal the leader stops its controllers and gives up leadership. Default 10 s. */
  readonly renewDeadline?: number;
  /** The pause between two attempts to acquire or renew the Lease. Default 2 s. */
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

/**
 * Client-go's jitter factor: a candidate waits 1 to 2.2 retry periods, so that several candidates do not send their requests at the same
 * time.
 */
export const JITTER_FACTOR = 1.2;

/** Returns the options with defaults for absent ones. */
export function completeElection(options: LeaderElectionOptions): Required<LeaderElectionOptions> {
  const present = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...ELECTION_DEFAULTS, ...Object.fromEntries(present) };
}

/** The number of milliseconds in a second, the unit of a Lease's duration. */
const SECOND = 1_000;

/**
 * Returns an error message for the first invalid option of an election; undefined when all options are valid. The rules are client-go's.
 */
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
