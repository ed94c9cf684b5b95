import type { FlagDefinition } from '../flag-definition.js';

const limits = { group: 'Limits' } as const;

/** Flags that limit the number of concurrent requests and connections, and their duration. */
export const LIMIT_FLAGS = [
  {
    ...limits,
    name: 'max-requests-inflight',
    type: 'integer',
    default: 400,
    help: 'reading requests served at once; 0 for any number',
  },
  {
    ...limits,
    name: 'max-mutating-requests-inflight',
    type: 'integer',
    default: 200,
    help: 'writing requests served at once; 0 for any number',
  },
  {
    ...limits,
    name: 'max-longrunning-requests',
    type: 'integer',
    default: 20_000,
    help: 'watches and other requests that last, at once; 0 for any number',
  },
  {
    ...limits,
    name: 'max-longrunning-requests-per-user',
    type: 'integer',
    default: 5_000,
    help: 'the same of one user',
  },
  {
    ...limits,
    name: 'max-longrunning-bytes',
    type: 'integer',
    default: 67_108_864,
    help: 'bytes of targets and headers of all requests that last; 0 for any number',
  },
  {
    ...limits,
    name: 'max-longrunning-bytes-per-user',
    type: 'integer',
    default: 16_777_216,
    help: 'the same of one user',
  },
  {
    ...limits,
    name: 'max-head-bytes',
    type: 'integer',
    default: 67_108_864,
    help: 'bytes of handshakes and request heads that are not complete, all together',
  },
  {
    ...limits,
    name: 'max-pending-bytes',
    type: 'integer',
    default: 268_435_456,
    help: 'bytes of large answers that wait for their clients, all together',
  },
  {
    ...limits,
    name: 'enable-priority-and-fairness',
    type: 'boolean',
    default: true,
    help: 'whether flow schemas decide which requests wait, and how many are served at once',
  },
  {
    ...limits,
    name: 'event-ttl',
    type: 'duration',
    default: '1h0m0s',
    help: 'time that events stay after they were last written; 0 for good',
  },
  {
    ...limits,
    name: 'request-timeout',
    type: 'duration',
    default: '1m0s',
    help: 'limit for a request other than a watch',
  },
  {
    ...limits,
    name: 'min-request-timeout',
    type: 'integer',
    default: 1800,
    help: 'shortest duration of a watch in seconds',
  },
  {
    ...limits,
    name: 'goaway-chance',
    type: 'number',
    default: 0,
    help: 'chance that a connection of HTTP/2 ends after a request: 0 to 0.02',
  },
  { ...limits, name: 'cors-allowed-origins', type: 'list', help: 'origins (patterns) that browsers may call from' },
  {
    ...limits,
    name: 'strict-transport-security-directives',
    type: 'list',
    help: 'directives of the header Strict-Transport-Security',
  },
  { ...limits, name: 'profiling', type: 'boolean', default: true, help: 'accepted for compatibility' },
] as const satisfies readonly FlagDefinition[];
