import type { AuditBatchOptions, AuditSink, AuditTruncateOptions } from '../../audit/audit-sink.js';
import type { AuditOptions } from '../../audit/audit-trail.js';
import { messageOf } from '../../values/message-of.js';
import type { FlagValues } from '../flags.js';
import { selectedDialect } from '../selected-dialect.js';

/**
 * Returns the audit options that the flags describe, or undefined if no flag configures audit. @throws Error for files that cannot be used.
 */
export async function auditOptions(
  values: FlagValues,
  log: (message: string) => void,
): Promise<AuditOptions | undefined> {
  const file = values['audit-policy-file'];
  const path = values['audit-log-path'];
  const kubeconfig = values['audit-webhook-config-file'];
  if (!file) {
    for (const [name, sink] of [
      [path, 'log'],
      [kubeconfig, 'webhook'],
    ] as const)
      if (name) log(`No audit policy file provided, no events will be recorded for ${sink} backend`);
    return undefined;
  }
  const policy = await readPolicy(file, values, log);
  const sinks: AuditSink[] = [];
  if (path) {
    const { logSink } = await import('./log-sink.js');
    const { legacyLine } = await import('../../audit/legacy-line.js');
    const lineOf = values['audit-log-format'] === 'legacy' ? legacyLine : undefined;
    sinks.push({ ...(await logSink(path, values, lineOf, log)), ...sinkOptions('log', values) });
  }
  if (kubeconfig) {
    const { webhookSink } = await import('../../audit/audit-webhook.js');
    const { readWebhookConnection } = await import('../configuration/webhook-connection.js');
    const initialBackoff = values['audit-webhook-initial-backoff'];
    const connection = await readWebhookConnection(kubeconfig, values);
    sinks.push(webhookSink({ connection, initialBackoff, ...sinkOptions('webhook', values) }));
  }
  return { policy, sinks };
}

async function readPolicy(file: string, values: FlagValues, log: (message: string) => void) {
  const { readTextFile } = await import('../files.js');
  const { parseConfiguration } = await import('../configuration/read-configuration.js');
  const { readAuditPolicy } = await import('../../audit/audit-policy.js');
  const refuse = (problem: string, error: unknown): never => {
    throw new Error(`loading audit policy file: ${problem}`, { cause: error });
  };
  const text = await readTextFile(file).catch((error: unknown) =>
    refuse(`failed to read file path ${JSON.stringify(file)}: ${messageOf(error)}`, error),
  );
  try {
    const { value, problems } = await parseConfiguration(text).catch((error: unknown) => {
      throw new Error(`failed decoding: ${messageOf(error)}`, { cause: error });
    });
    const dialect = selectedDialect(values);
    return readAuditPolicy(value ?? {}, dialect, { typed: true, problems, warn: log });
  } catch (error) {
    return refuse(`${messageOf(error)}: from file ${file}`, error);
  }
}

function sinkOptions(sink: 'log' | 'webhook', values: FlagValues) {
  const batch: AuditBatchOptions = {
    bufferSize: values[`audit-${sink}-batch-buffer-size`],
    maxSize: values[`audit-${sink}-batch-max-size`],
    maxWait: values[`audit-${sink}-batch-max-wait`],
    ...(values[`audit-${sink}-batch-throttle-enable`]
      ? {
          throttle: {
            qps: values[`audit-${sink}-batch-throttle-qps`],
            burst: values[`audit-${sink}-batch-throttle-burst`],
          },
        }
      : {}),
  };
  const truncate: AuditTruncateOptions = {
    maxEventSize: values[`audit-${sink}-truncate-max-event-size`],
    maxBatchSize: values[`audit-${sink}-truncate-max-batch-size`],
  };
  return {
    // `checkAuditFlags` has validated the value, so the cast is safe.
    mode: values[`audit-${sink}-mode`] as NonNullable<AuditSink['mode']>,
    batch,
    ...(values[`audit-${sink}-truncate-enabled`] ? { truncate } : {}),
  };
}
