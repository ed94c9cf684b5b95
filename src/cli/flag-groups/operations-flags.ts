import type { FlagDefinition } from '../flag-definition.js';

const ends = { group: 'Shutdown' } as const;

const logs = { group: 'Logs' } as const;

/** Flags for the start and the end of a server, and for its log. */
export const OPERATIONS_FLAGS = [
  {
    ...ends,
    name: 'shutdown-delay-duration',
    type: 'duration',
    default: '0s',
    help: 'time from the signal to the shutdown, in which only /readyz fails',
  },
  {
    ...ends,
    name: 'shutdown-send-retry-after',
    type: 'boolean',
    default: false,
    help: 'answer new requests with 429 until those in flight are answered, instead of not listening',
  },
  {
    ...ends,
    name: 'shutdown-watch-termination-grace-period',
    type: 'duration',
    default: '0s',
    help: 'time in which watches end one after the other (all at once unless given)',
  },
  {
    ...ends,
    name: 'shutdown-grace',
    type: 'duration',
    default: '10s',
    help: 'time for requests in flight at shutdown',
  },
  {
    ...ends,
    name: 'livez-grace-period',
    type: 'duration',
    default: '0s',
    help: 'time that start-up may take before /livez fails',
  },
  {
    group: 'Limits',
    name: 'http2-max-streams-per-connection',
    type: 'integer',
    default: 0,
    help: 'requests at once on one connection of HTTP/2; 0 for 250',
  },
  {
    ...logs,
    name: 'logging-format',
    type: 'string',
    default: 'text',
    help: 'form of the lines on stderr: text or json',
  },
  { ...logs, name: 'v', type: 'level', short: 'v', default: 0, help: 'how much is logged; from 3 on each request' },
  { ...logs, name: 'vmodule', type: 'string', default: '', help: 'the same by module: httplog=3 (text format only)' },
] as const satisfies readonly FlagDefinition[];
