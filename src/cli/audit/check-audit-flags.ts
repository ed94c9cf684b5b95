import { auditVersion } from '../../audit/audit-event.js';
import { quote } from '../../values/quote.js';
import type { Flags, FlagValues } from '../flags.js';
import { selectedDialect } from '../selected-dialect.js';

type Sink = 'log' | 'webhook';
const MODES = ['batch', 'blocking', 'blocking-strict'];
const FORMATS = ['legacy', 'json'];

/** Returns the errors in the audit flags, in upstream's words. The flags of a sink that is not used are not checked. */
export function checkAuditFlags({ values }: Flags): readonly string[] {
  const errors: string[] = [];
  if (values['audit-log-path']) {
    errors.push(...checkSink('log', values));
    const format = values['audit-log-format'];
    if (!FORMATS.includes(format))
      errors.push(`invalid audit log format ${format}, allowed formats are ${quote(FORMATS.join(','))}`);
    for (const name of ['maxage', 'maxbackup', 'maxsize'] as const)
      if (values[`audit-log-${name}`] < 0)
        errors.push(`--audit-log-${name} ${values[`audit-log-${name}`]} can't be a negative number`);
  }
  if (values['audit-webhook-config-file']) errors.push(...checkSink('webhook', values));
  return errors;
}

function checkSink(sink: Sink, values: FlagValues): string[] {
  const version = auditVersion(selectedDialect(values));
  const { [`audit-${sink}-version` as const]: sinkVersion = version } = values;
  return [
    ...checkBatch(sink, values),
    ...checkTruncate(sink, values),
    ...(sinkVersion === version ? [] : [`invalid group version, allowed versions are [${quote(version)}]`]),
  ];
}

/** Returns the first error in the batch flags of a sink, or [] if there is no error. */
function checkBatch(sink: Sink, values: FlagValues): string[] {
  const mode = values[`audit-${sink}-mode`];
  if (!MODES.includes(mode)) return [`invalid audit ${sink} mode ${mode}, allowed modes are ${quote(MODES.join(','))}`];
  if (mode !== 'batch') return [];
  const checks: readonly (readonly [string, number])[] = [
    ['buffer size', values[`audit-${sink}-batch-buffer-size`]],
    ['max batch size', values[`audit-${sink}-batch-max-size`]],
    ...(values[`audit-${sink}-batch-throttle-enable`]
      ? ([
          ['throttle QPS', values[`audit-${sink}-batch-throttle-qps`]],
          ['throttle burst', values[`audit-${sink}-batch-throttle-burst`]],
        ] as const)
      : []),
  ];
  const wrong = checks.find(([, value]) => value <= 0);
  return wrong ? [`invalid audit batch ${sink} ${wrong[0]} ${wrong[1]}, must be a positive number`] : [];
}

function checkTruncate(sink: Sink, values: FlagValues): string[] {
  const event = values[`audit-${sink}-truncate-max-event-size`];
  const batch = values[`audit-${sink}-truncate-max-batch-size`];
  if (event <= 0) return [`invalid audit truncate ${sink} max event size ${event}, must be a positive number`];
  return batch < event
    ? [`invalid audit truncate ${sink} max batch size ${batch}, must be greater than max event size (${event})`]
    : [];
}
