import { isJsonObject, type JsonObject } from '../json/value.js';
import { type Clock, sleep } from '../meta/clock.js';
import type { Fetch, OutboundTls } from '../meta/fetch.js';
import type { Random } from '../meta/random.js';
import { readTypeMeta } from '../meta/type-meta.js';
import type { Metrics } from '../metrics/metrics.js';
import { decodeRecognized } from '../serialization/recognized.js';
import { durationOfMilliseconds, formatDuration } from '../values/duration.js';
import { authorizationHeader } from './authorization-header.js';
import { type BoundedAnswer, boundedRequest, RequestFailed } from './bounded-request.js';
import { emptyAnswer, failedStatusMessage, isSuccess } from './failed-status.js';
import { countWeakCertificates } from './weak-certificates.js';

/** The address of a webhook and the credentials for it, as in a kubeconfig. Certificates and keys are PEM. */
export interface WebhookConnection {
  /** The full URL of the webhook, with its path. */
  readonly server: string;
  /** The certificate authorities that are trusted. Default: those of the system. */
  readonly certificateAuthority?: string;
  /** The name that the server's certificate must have. Default: the host of the URL. */
  readonly tlsServerName?: string;
  /** Whether the server's certificate is not verified. Default false. */
  readonly insecureSkipTlsVerify?: boolean;
  /** A bearer token for the requests. */
  readonly token?: string;
  /** The user name for basic authentication. */
  readonly username?: string;
  /** The password for basic authentication. */
  readonly password?: string;
  /** A client certificate, as PEM. */
  readonly clientCertificate?: string;
  /** The client certificate's key, as PEM. */
  readonly clientKey?: string;
  /** Sends the requests, with credentials of its own in addition to those above. Default: the server's `fetch`. */
  readonly fetch?: Fetch;
}

/** The members of `Host` that a webhook client uses. */
export interface WebhookHost {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics?: Metrics;
}

/** The number of attempts, the delay before the second attempt in milliseconds, and the factor by which delays grow (spec 11.13). */
const TRIES = 5;
const FIRST_WAIT = 500;
const GROWTH = 1.5;
const JITTER = 0.2;
const MAX_ANSWER = 1024 * 1024;
const RETRIED = new Set([429, 500, 504]);

/** Observes the attempts to call a webhook, of which each has one beginning and one end. */
export interface AttemptObserver {
  began(): void;
  /** @param status the status of the response, if there was one. `error` is undefined for a successful attempt. */
  ended(error: unknown, status: number | undefined): void;
}

/** Sends a review to a webhook and returns the status of its response. */
export type ReviewWebhook = (
  review: JsonObject & { readonly apiVersion: string; readonly kind: string },
  observer?: AttemptObserver,
) => Promise<JsonObject>;

/**
 * Creates a function that sends reviews to a webhook and returns the `status` of the response, which must be a review of the same kind and
 * version. Each attempt may take `timeout` milliseconds. Lost connections and responses with a temporary failure are retried, the first
 * time after `firstWait`. The function throws Error with client-go's message.
 */
export function reviewWebhook(
  connection: WebhookConnection,
  timeout: number,
  host: WebhookHost,
  firstWait?: number,
): ReviewWebhook {
  const post = postToWebhook(connection, timeout, host, firstWait === undefined ? {} : { firstWait });
  return async (review, observer) => {
    const answer = await post(JSON.stringify(review), undefined, observer);
    try {
      const status = await readStatus(answer, review);
      observer?.ended(undefined, answer.status);
      return status;
    } catch (error) {
      observer?.ended(error, answer.status);
      throw error;
    }
  };
}

/** How often and when requests to a webhook are repeated. */
interface RetryOptions {
  /** Milliseconds before the second attempt. */
  readonly firstWait?: number;
  /** Returns whether there is another attempt after this outcome. Default: after temporary failures. */
  readonly isRetried?: (answer: BoundedAnswer | RequestFailed) => boolean;
}

/**
 * Creates a function that posts JSON strings to a webhook, with the time limit and the retries of {@link reviewWebhook}. The function's
 * signal ends all attempts. The observer is notified of every attempt except a last one that got a response: only the caller knows whether
 * that response is a success.
 */
export function postToWebhook(
  connection: WebhookConnection,
  timeout: number,
  host: WebhookHost,
  { firstWait = FIRST_WAIT, isRetried = isPassing }: RetryOptions = {},
): (body: string, signal?: AbortSignal, observer?: AttemptObserver) => Promise<BoundedAnswer> {
  const { server, fetch = host.fetch } = connection;
  const parameter = `timeout=${encodeURIComponent(formatDuration(durationOfMilliseconds(timeout)))}`;
  const url = `${server}${server.includes('?') ? '&' : '?'}${parameter}`;
  const headers = headersFor(connection);
  const tls = tlsOf(connection);
  const onWeakCertificate = host.metrics && countWeakCertificates(host.metrics, 'webhooks');
  const once = (body: string, signal: AbortSignal | undefined) =>
    boundedRequest({ fetch, clock: host.clock }, url, {
      method: 'POST',
      headers,
      body,
      timeout,
      maxBytes: MAX_ANSWER,
      signal,
      ...(tls ? { tls } : {}),
      ...(onWeakCertificate ? { onWeakCertificate } : {}),
    });

  return async (body, signal, observer) => {
    let wait = firstWait;
    for (let left = TRIES - 1; ; left--) {
      observer?.began();
      const answer = await once(body, signal).catch((error: unknown) => {
        if (error instanceof RequestFailed) return error;
        throw error;
      });
      const isLast = left === 0 || !isRetried(answer);
      if (answer instanceof RequestFailed) {
        observer?.ended(answer, undefined);
        if (isLast) throw answer;
      } else if (isLast) return answer;
      else observer?.ended(new Error(answer.statusLine), answer.status);
      await sleep(host.clock, wait * (1 + JITTER * fraction(host.random)), signal, 'next try of a webhook');
      wait *= GROWTH;
    }
  };
}

function headersFor(connection: WebhookConnection): Record<string, string> {
  const authorization = authorizationHeader(connection);
  return {
    accept: 'application/json, */*',
    'content-type': 'application/json',
    ...(authorization === undefined ? {} : { authorization }),
  };
}

/**
 * Returns the TLS options, as one object for the lifetime of the webhook client so that connections are reused. Returns undefined when the
 * plain `fetch` suffices.
 */
function tlsOf(connection: WebhookConnection): OutboundTls | undefined {
  const { certificateAuthority, clientCertificate, clientKey, tlsServerName, insecureSkipTlsVerify } = connection;
  const tls: OutboundTls = {
    ...(certificateAuthority === undefined ? {} : { certificateAuthority }),
    ...(clientCertificate === undefined ? {} : { clientCertificate }),
    ...(clientKey === undefined ? {} : { clientKey }),
    ...(tlsServerName === undefined ? {} : { serverName: tlsServerName }),
    ...(insecureSkipTlsVerify ? { insecureSkipVerify: true } : {}),
  };
  return Object.keys(tls).length === 0 ? undefined : tls;
}

function isPassing(answer: BoundedAnswer | RequestFailed): boolean {
  if (answer instanceof RequestFailed) {
    const { cause } = answer;
    return cause instanceof Error && 'code' in cause && cause.code === 'ECONNRESET';
  }
  return RETRIED.has(answer.status) || (answer.status >= 400 && answer.headers.has('retry-after'));
}

const fraction = (random: Random): number => (random.fill(new Uint8Array(1))[0] ?? 0) / 256;

async function readStatus(
  { status, headers, text }: BoundedAnswer,
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
): Promise<JsonObject> {
  refuseFailure({ status, headers, text });
  if (text === '') throw emptyAnswer(status, headers.get('content-type') ?? '');
  const value = await decodeRecognized(text);
  const { status: decision } = value;
  const answered = readTypeMeta(value);
  // As in upstream, a response that leaves out `apiVersion` or `kind` has those of the review.
  if ((answered.apiVersion || apiVersion) !== apiVersion || (answered.kind || kind) !== kind)
    throw new Error(`the webhook received a ${kind} of ${apiVersion} and returned another object`);
  if (decision !== undefined && decision !== null && !isJsonObject(decision))
    throw new Error(`the status in the webhook's response is not an object`);
  return decision ?? {};
}

/** Checks that the webhook accepted the request. @throws Error for an unsuccessful response. */
export function refuseFailure({ status, headers, text }: Pick<BoundedAnswer, 'status' | 'headers' | 'text'>): void {
  if (!isSuccess(status)) throw new Error(failedStatusMessage(status, headers.get('content-type') ?? '', text));
}

/** Returns a string member of a status, or '' when it is absent. @throws Error for any other type. */
export function textOf(status: JsonObject, name: string): string {
  const value = status[name] ?? '';
  if (typeof value === 'string') return value;
  throw new Error(`${name} in the webhook's response is not a string`);
}

/** Returns a boolean member of a status, or false when it is absent. @throws Error for any other type. */
export function flagOf(status: JsonObject, name: string): boolean {
  const value = status[name] ?? false;
  if (typeof value === 'boolean') return value;
  throw new Error(`${name} in the webhook's response is not a boolean`);
}

/** Returns a member that is a list of strings, or [] when it is absent. @throws Error for any other type. */
export function textsOf(object: JsonObject, name: string): readonly string[] {
  const value = object[name] ?? [];
  const isTexts = (list: unknown): list is readonly (string | null)[] =>
    Array.isArray(list) && list.every((each) => each === null || typeof each === 'string');
  // As in upstream, null counts as an empty string.
  if (isTexts(value)) return value.map((each) => each ?? '');
  throw new Error(`${name} in the webhook's response is not a list of strings`);
}
