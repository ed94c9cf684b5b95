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
    help: 'time after the signal during which requests are served and only /readyz fails',
  },
  {
    ...ends,
    name: 'shutdown-send-retry-after',
    type: 'boolean',
    default: false,
    help: 'during shutdown, keep listening and respond with 429 until the requests in flight have ended',
  },
  {
    ...ends,
    name: 'shutdown-watch-termination-grace-period',
    type: 'duration',
    default: '0s',
    help: 'time during which watches end one after the other (default: all at once)',
  },
  {
    ...ends,
    name: 'shutdown-grace',
    type: 'duration',
    default: '10s',
    help: 'time for requests in flight at the shutdown',
  },
  {
    ...ends,
    name: 'livez-grace-period',
    type: 'duration',
    default: '0s',
    help: 'time that the start may take before /livez fails',
  },
  {
    group: 'Limits',
    name: 'http2-max-streams-per-connection',
    type: 'integer',
    default: 0,
    help: 'maximum number of concurrent streams per HTTP/2 connection; 0 means 250',
  },
  {
    ...logs,
    name: 'logging-format',
    type: 'string',
    default: 'text',
    help: 'format of the log on stderr, text or json',
  },
  { ...logs, name: 'v', type: 'level', short: 'v', default: 0, help: 'log level; 3 and higher log every request' },
  { ...logs, name: 'vmodule', type: 'string', default: '', help: 'log level by module, httplog=3 (text format only)' },
] as const satisfies readonly FlagDefinition[];
