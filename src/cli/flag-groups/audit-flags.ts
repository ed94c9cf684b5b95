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
      help: 'batch, blocking (requests wait for it), blocking-strict (or are refused)',
    },
    {
      ...audit,
      name: `${prefix}-version` as `${P}-version`,
      type: 'string',
      help: "version of the events: the dialect's audit/v1, the only one and the default",
    },
    {
      ...audit,
      name: `${prefix}-batch-buffer-size` as `${P}-batch-buffer-size`,
      type: 'integer',
      default: 10_000,
      help: 'mode batch: events that wait at most; more are dropped',
    },
    {
      ...audit,
      name: `${prefix}-batch-max-size` as `${P}-batch-max-size`,
      type: 'integer',
      default: defaults.size,
      help: 'mode batch: events of a batch',
    },
    {
      ...audit,
      name: `${prefix}-batch-max-wait` as `${P}-batch-max-wait`,
      type: 'duration',
      default: defaults.wait,
      help: 'mode batch: time until a batch that is not full is written',
    },
    {
      ...audit,
      name: `${prefix}-batch-throttle-enable` as `${P}-batch-throttle-enable`,
      type: 'boolean',
      default: defaults.throttle,
      help: 'mode batch: bound the batches a second',
    },
    {
      ...audit,
      name: `${prefix}-batch-throttle-qps` as `${P}-batch-throttle-qps`,
      type: 'number',
      default: defaults.qps,
      help: 'mode batch: batches a second on average',
    },
    {
      ...audit,
      name: `${prefix}-batch-throttle-burst` as `${P}-batch-throttle-burst`,
      type: 'integer',
      default: defaults.burst,
      help: 'mode batch: batches that may come at once',
    },
    {
      ...audit,
      name: `${prefix}-truncate-enabled` as `${P}-truncate-enabled`,
      type: 'boolean',
      default: false,
      help: 'leave objects out of large events',
    },
    {
      ...audit,
      name: `${prefix}-truncate-max-event-size` as `${P}-truncate-max-event-size`,
      type: 'integer',
      default: 102_400,
      help: 'bytes of an event',
    },
    {
      ...audit,
      name: `${prefix}-truncate-max-batch-size` as `${P}-truncate-max-batch-size`,
      type: 'integer',
      default: 10_485_760,
      help: 'bytes that are written at once',
    },
  ] as const satisfies readonly FlagDefinition[];

/** Flags for audit events. */
export const AUDIT_FLAGS = [
  { ...audit, name: 'audit-policy-file', type: 'string', help: 'file of the policy: which requests are kept' },
  { ...audit, name: 'audit-log-path', type: 'string', help: 'file that events are written to; - is stdout' },
  {
    ...audit,
    name: 'audit-log-format',
    type: 'string',
    default: 'json',
    help: 'form of a line: json or legacy',
  },
  {
    ...audit,
    name: 'audit-log-maxsize',
    type: 'integer',
    default: 0,
    help: 'megabytes of the file before another takes its place (0: 100)',
  },
  { ...audit, name: 'audit-log-maxage', type: 'integer', default: 0, help: 'days that old files stay (0: for ever)' },
  { ...audit, name: 'audit-log-maxbackup', type: 'integer', default: 0, help: 'old files that stay (0: all)' },
  { ...audit, name: 'audit-log-compress', type: 'boolean', default: false, help: 'compress old files' },
  ...sinkFlags('audit-log', { mode: 'blocking', size: 1, wait: '0s', throttle: false, qps: 0, burst: 0 }),
  {
    ...audit,
    name: 'audit-webhook-config-file',
    type: 'string',
    help: 'kubeconfig of the server that events are posted to',
  },
  {
    ...audit,
    name: 'audit-webhook-initial-backoff',
    type: 'duration',
    default: '10s',
    help: 'time before the second try of a post',
  },
  ...sinkFlags('audit-webhook', { mode: 'batch', size: 400, wait: '30s', throttle: true, qps: 10, burst: 15 }),
] as const satisfies readonly FlagDefinition[];
