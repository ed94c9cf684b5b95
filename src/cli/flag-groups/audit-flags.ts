import type { FlagDefinition } from '../flag-definition.js';

const audit = { group: 'Audit' } as const;

/** Returns the flags that both audit sinks have. Their defaults depend on the sink. */
const sinkFlags = <const P extends 'audit-log' | 'audit-webhook'>(
  prefix: P,
  defaults: {
    readonly mode: string;
    readonly size: number;
    readonly wait: string;
    readonly throttle: boolean;
    readonly qps: number;
    readonly burst: number;
  },
) =>
  [
    {
      ...audit,
      name: `${prefix}-mode` as `${P}-mode`,
      type: 'string',
      default: defaults.mode,
      help: 'batch, blocking (requests wait), or blocking-strict (a failure refuses them)',
    },
    {
      ...audit,
      name: `${prefix}-version` as `${P}-version`,
      type: 'string',
      help: 'API version of the events; only audit/v1 of the dialect, which is the default',
    },
    {
      ...audit,
      name: `${prefix}-batch-buffer-size` as `${P}-batch-buffer-size`,
      type: 'integer',
      default: 10_000,
      help: 'mode batch: maximum number of waiting events; more are dropped',
    },
    {
      ...audit,
      name: `${prefix}-batch-max-size` as `${P}-batch-max-size`,
      type: 'integer',
      default: defaults.size,
      help: 'mode batch: maximum number of events in a batch',
    },
    {
      ...audit,
      name: `${prefix}-batch-max-wait` as `${P}-batch-max-wait`,
      type: 'duration',
      default: defaults.wait,
      help: 'mode batch: time after which an incomplete batch is written',
    },
    {
      ...audit,
      name: `${prefix}-batch-throttle-enable` as `${P}-batch-throttle-enable`,
      type: 'boolean',
      default: defaults.throttle,
      help: 'mode batch: limit the number of batches per second',
    },
    {
      ...audit,
      name: `${prefix}-batch-throttle-qps` as `${P}-batch-throttle-qps`,
      type: 'number',
      default: defaults.qps,
      help: 'mode batch: maximum average number of batches per second',
    },
    {
      ...audit,
      name: `${prefix}-batch-throttle-burst` as `${P}-batch-throttle-burst`,
      type: 'integer',
      default: defaults.burst,
      help: 'mode batch: maximum number of batches at once',
    },
    {
      ...audit,
      name: `${prefix}-truncate-enabled` as `${P}-truncate-enabled`,
      type: 'boolean',
      default: false,
      help: 'remove objects from events that are too large',
    },
    {
      ...audit,
      name: `${prefix}-truncate-max-event-size` as `${P}-truncate-max-event-size`,
      type: 'integer',
      default: 102_400,
      help: 'maximum bytes of an event',
    },
    {
      ...audit,
      name: `${prefix}-truncate-max-batch-size` as `${P}-truncate-max-batch-size`,
      type: 'integer',
      default: 10_485_760,
      help: 'maximum bytes of one write',
    },
  ] as const satisfies readonly FlagDefinition[];

/** Flags for audit events. */
export const AUDIT_FLAGS = [
  { ...audit, name: 'audit-policy-file', type: 'string', help: 'file with the audit Policy' },
  { ...audit, name: 'audit-log-path', type: 'string', help: 'file for audit events; - is stdout' },
  {
    ...audit,
    name: 'audit-log-format',
    type: 'string',
    default: 'json',
    help: 'format of a line, json or legacy',
  },
  {
    ...audit,
    name: 'audit-log-maxsize',
    type: 'integer',
    default: 0,
    help: 'megabytes of the file before it is rotated (0: 100)',
  },
  {
    ...audit,
    name: 'audit-log-maxage',
    type: 'integer',
    default: 0,
    help: 'days for which rotated files are kept (0: forever)',
  },
  {
    ...audit,
    name: 'audit-log-maxbackup',
    type: 'integer',
    default: 0,
    help: 'maximum number of rotated files (0: all)',
  },
  { ...audit, name: 'audit-log-compress', type: 'boolean', default: false, help: 'compress rotated files' },
  ...sinkFlags('audit-log', { mode: 'blocking', size: 1, wait: '0s', throttle: false, qps: 0, burst: 0 }),
  {
    ...audit,
    name: 'audit-webhook-config-file',
    type: 'string',
    help: 'kubeconfig of the server that receives audit events',
  },
  {
    ...audit,
    name: 'audit-webhook-initial-backoff',
    type: 'duration',
    default: '10s',
    help: 'time before the second attempt to send events',
  },
  ...sinkFlags('audit-webhook', { mode: 'batch', size: 400, wait: '30s', throttle: true, qps: 10, burst: 15 }),
] as const satisfies readonly FlagDefinition[];
