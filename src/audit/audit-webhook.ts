import type { Host } from '../meta/host.js';
import { type BoundedAnswer, RequestFailed } from '../outbound/bounded-request.js';
import { isSuccess } from '../outbound/failed-status.js';
import { postToWebhook, refuseFailure, type WebhookConnection } from '../outbound/review-webhook.js';
import { auditVersion } from './audit-event.js';
import type { AuditBatchOptions, AuditSink } from './audit-sink.js';

/** The options of `webhookSink`. */
export interface WebhookSinkOptions extends Pick<AuditSink, 'mode' | 'truncate'> {
  /** The connection to the webhook. */
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

/**
 * Every failure is retried, even a refusal such as 400: hardly any failure is certain to last, and events that are not sent again are lost.
 */
const hasFailed = (answer: BoundedAnswer | RequestFailed): boolean =>
  answer instanceof RequestFailed || !isSuccess(answer.status);

/** Makes a sink that posts lists of events to another server (spec 23.5). @throws TypeError without a connection. */
export function webhookSink(options: WebhookSinkOptions): AuditSink {
  if (typeof options?.connection !== 'object') throw new TypeError('webhookSink(): connection must be an object');
  const { connection, initialBackoff = BACKOFF, batch, ...more } = options;
  const senders = new WeakMap<Host, Sender>();
  return {
    ...more,
    name: 'webhook',
    batch: { ...BATCH, ...batch },
    async write(records, host) {
      let sender = senders.get(host);
      if (!sender) {
        sender = {
          post: postToWebhook(connection, TIMEOUT, host, { firstWait: initialBackoff, isRetried: hasFailed }),
          inProgress: new Set(),
        };
        senders.set(host, sender);
      }
      const items = records.map(({ item }) => item).join(',');
      const head = `{"kind":"EventList","apiVersion":"${auditVersion(host.dialect)}","metadata":{},"items":[`;
      const { post, inProgress } = sender;
      const attempts = new AbortController();
      inProgress.add(attempts);
      try {
        refuseFailure(await post(`${head}${items}]}`, attempts.signal));
      } finally {
        inProgress.delete(attempts);
      }
    },
    // The server has counted the events that are not sent yet as lost, so no attempt to send them may outlive it.
    close(host) {
      for (const attempts of senders.get(host)?.inProgress ?? []) attempts.abort();
    },
  };
}

/** Sends the events of one server. */
interface Sender {
  readonly post: ReturnType<typeof postToWebhook>;
  /** One for each batch that is being sent. */
  readonly inProgress: Set<AbortController>;
}
