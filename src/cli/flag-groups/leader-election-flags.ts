import { ELECTION_DEFAULTS } from '../../controllers/leader-election/election-options.js';
import type { FlagDefinition } from '../flag-definition.js';

const controllers = { group: 'Controllers' } as const;

/** Flags for the leader election among servers; the controllers run in the elected server. */
export const LEADER_ELECTION_FLAGS = [
  {
    ...controllers,
    name: 'leader-elect',
    type: 'boolean',
    help: 'run controllers in one server at a time (default: true with --etcd-servers, otherwise false)',
  },
  {
    ...controllers,
    name: 'leader-elect-lease-duration',
    type: 'duration',
    default: '15s',
    help: 'time without a renewal after which another server takes over',
  },
  {
    ...controllers,
    name: 'leader-elect-renew-deadline',
    type: 'duration',
    default: '10s',
    help: 'time without a renewal after which the leader stops its controllers',
  },
  {
    ...controllers,
    name: 'leader-elect-retry-period',
    type: 'duration',
    default: '2s',
    help: 'time between two attempts to become or stay the leader',
  },
  {
    ...controllers,
    name: 'leader-elect-resource-name',
    type: 'string',
    default: ELECTION_DEFAULTS.resourceName,
    help: 'name of the Lease',
  },
  {
    ...controllers,
    name: 'leader-elect-resource-namespace',
    type: 'string',
    default: ELECTION_DEFAULTS.resourceNamespace,
    help: 'namespace of the Lease',
  },
] as const satisfies readonly FlagDefinition[];
