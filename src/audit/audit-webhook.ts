import type { Host } from '../meta/host.js';
import { postToWebhook, refuseFailure, type WebhookConnection } from '../outbound/review-webhook.js';
import { auditVersion } from './audit-event.js';
import type { AuditBatchOptions, AuditSink } from './audit-sink.js';

export interface WebhookSinkOptions extends Pick<AuditSink, 'mode' | 'truncate'> {
  readonly connection: WebhookConnection;
  /** Milliseconds before the second attempt to send a batch; there are at most five attempts. Default 10,000. */
  readonly initialBackoff?: number;
  /**
   * How events are batched. Default: batches of up to 400 events that wait at most 30 seconds; at most 10 batches a second, with bursts of
   * 15.
   */
  readonly batch?: AuditBatchOptions;
}

const TIMEOUT = 30_000;
const BACKOFF = 10_000;
const BATCH: AuditBatchOptions = { maxWait: 30_000, throttle: { qps: 10, burst: 15 }, concurrency: 16 };

/** Makes a sink that posts lists of events to another server (spec 23.5). */
export function webhookSink({ connection, initialBackoff = BACKOFF, batch, ...more }: WebhookSinkOptions): AuditSink {
  const posts = new WeakMap<Host, ReturnType<typeof postToWebhook>>();
  return {
    ...more,
    name: 'webhook',
    batch: { ...BATCH, ...batch },
    async write(records, host) {
      let post = posts.get(host);
      if (!post) posts.set(host, (post = postToWebhook(connection, TIMEOUT, host, initialBackoff)));
      const items = records.map(({ item }) => item).join(',');
      const head = `{"kind":"EventList","apiVersion":"${auditVersion(host.dialect)}","metadata":{},"items":[`;
      refuseFailure(await post(`${head}${items}]}`));
    },
  };
}
