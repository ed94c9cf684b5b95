import type { FlagDefinition } from '../flag-definition.js';

const limits = { group: 'Limits' } as const;

/** Flags that limit the number of concurrent requests and connections, and their duration. */
export const LIMIT_FLAGS = [
  {
    ...limits,
    name: 'max-requests-inflight',
    type: 'integer',
    default: 400,
    help: 'maximum number of concurrent reading requests; 0 means no limit',
  },
  {
    ...limits,
    name: 'max-mutating-requests-inflight',
    type: 'integer',
    default: 200,
    help: 'maximum number of concurrent writing requests; 0 means no limit',
  },
  {
    ...limits,
    name: 'max-longrunning-requests',
    type: 'integer',
    default: 20_000,
    help: 'maximum number of watches and other long-running requests; 0 means no limit',
  },
  {
    ...limits,
    name: 'max-longrunning-requests-per-user',
    type: 'integer',
    default: 5_000,
    help: 'maximum number of them for one user; 0 means no limit',
  },
  {
    ...limits,
    name: 'max-longrunning-bytes',
    type: 'integer',
    default: 67_108_864,
    help: 'maximum bytes of their targets and headers in total; 0 means no limit',
  },
  {
    ...limits,
    name: 'max-longrunning-bytes-per-user',
    type: 'integer',
    default: 16_777_216,
    help: 'maximum bytes of their targets and headers for one user; 0 means no limit',
  },
  {
    ...limits,
    name: 'max-head-bytes',
    type: 'integer',
    default: 67_108_864,
    help: 'maximum bytes of all incomplete handshakes and request heads together',
  },
  {
    ...limits,
    name: 'max-pending-bytes',
    type: 'integer',
    default: 268_435_456,
    help: 'maximum bytes of all responses together that wait for their clients',
  },
  {
    ...limits,
    name: 'enable-priority-and-fairness',
    type: 'boolean',
    default: true,
    help: 'use priority and fairness to limit concurrent requests',
  },
  {
    ...limits,
    name: 'event-ttl',
    type: 'duration',
    default: '1h0m0s',
    help: 'time after its last write after which an event is deleted; 0 means never',
  },
  {
    ...limits,
    name: 'request-timeout',
    type: 'duration',
    default: '1m0s',
    help: 'maximum duration of a request that is not long-running',
  },
  {
    ...limits,
    name: 'min-request-timeout',
    type: 'integer',
    default: 1800,
    help: 'minimum duration of a watch in seconds',
  },
  {
    ...limits,
    name: 'goaway-chance',
    type: 'number',
    default: 0,
    help: 'probability that an HTTP/2 connection is closed by GOAWAY after a request, 0 to 0.02',
  },
  {
    ...limits,
    name: 'cors-allowed-origins',
    type: 'list',
    help: 'regular expressions of the origins from which browsers may send requests',
  },
  {
    ...limits,
    name: 'strict-transport-security-directives',
    type: 'list',
    help: 'directives of the header Strict-Transport-Security',
  },
  { ...limits, name: 'profiling', type: 'boolean', default: true, help: 'accepted without effect' },
] as const satisfies readonly FlagDefinition[];
