import { awaitedTimer, type Clock } from '../meta/clock.js';
import type { Fetch, FetchOptions } from '../meta/fetch.js';
import { transportMessage } from './transport-message.js';

export interface BoundedRequest {
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers with several values, each of which is sent as a separate header line. */
  readonly repeatedHeaders?: FetchOptions['repeatedHeaders'];
  readonly body?: string;
  readonly tls?: FetchOptions['tls'];
  readonly onWeakCertificate?: FetchOptions['onWeakCertificate'];
  /** The time limit in milliseconds for the whole exchange, including the response body. */
  readonly timeout: number;
  /** The error message after the time limit. Default: the message of a Go HTTP client with a timeout. */
  readonly timeoutMessage?: string;
  /** The maximum number of bytes of the response body; 0 means that it is not read. */
  readonly maxBytes: number;
  /** Gives the request up. */
  readonly signal?: AbortSignal | undefined;
}

export interface BoundedAnswer {
  readonly status: number;
  /** Status line without the version: `404 Not Found`. */
  readonly statusLine: string;
  readonly headers: Headers;
  readonly text: string;
}

const TIMEOUT_MESSAGE = 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)';

/**
 * The request failed or its response was incomplete. The message begins with `Get "<url>": ` or `Post "<url>": `, and `cause` is the
 * original error.
 */
export class RequestFailed extends Error {
  override readonly name = 'RequestFailed';
}

/**
 * Sends one request and reads the whole response, within the limits of time and size. Redirects are not followed, because only the operator
 * decides where a request goes.
 * @throws RequestFailed when there is no response within the limits.
 */
export async function boundedRequest(
  { fetch, clock }: { readonly fetch: Fetch; readonly clock: Clock },
  url: string,
  request: BoundedRequest,
): Promise<BoundedAnswer> {
  const {
    method,
    headers = {},
    repeatedHeaders,
    body,
    tls,
    onWeakCertificate,
    timeout,
    timeoutMessage: timeoutText = TIMEOUT_MESSAGE,
    maxBytes,
    signal,
  } = request;
  const abort = new AbortController();
  let cancel = () => {};
  // The promise rejects in addition to the signal, because a `fetch` may ignore the signal.
  const givenUp = new Promise<never>((_, reject) => {
    const giveUp = (error: Error) => {
      reject(error);
      abort.abort(error);
    };
    const onAbort = () => giveUp(new Error('context canceled'));
    const onTimeout = () => giveUp(new Error(timeoutText));
    const cancelTimer = awaitedTimer(clock, onTimeout, timeout, 'timeout of a request to another server');
    cancel = () => {
      cancelTimer();
      signal?.removeEventListener('abort', onAbort);
    };
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort);
  });
  const options: FetchOptions = {
    method,
    headers,
    signal: abort.signal,
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
    ...(tls ? { tls } : {}),
    ...(onWeakCertificate ? { onWeakCertificate } : {}),
    ...(repeatedHeaders ? { repeatedHeaders } : {}),
  };
  try {
    const answer = (async () => {
      abort.signal.throwIfAborted();
      const response = await fetch(url, options);
      const text = maxBytes === 0 ? '' : await readText(response, maxBytes, abort.signal);
      const statusLine = `${response.status}${response.statusText === '' ? '' : ` ${response.statusText}`}`;
      return { status: response.status, statusLine, headers: response.headers, text };
    })();
    // Once the request is given up, `answer` may still reject although nothing awaits it. The handler keeps this from being an unhandled
    // rejection.
    answer.catch(() => {});
    return await Promise.race([answer, givenUp]);
  } catch (error) {
    throw requestFailed(method, url, error);
  } finally {
    cancel();
    // If the response was not read to its end, its connection would stay in use. Aborting the request frees the connection.
    abort.abort();
  }
}

async function readText(response: Response, maxBytes: number, signal: AbortSignal): Promise<string> {
  if (!response.body) return '';
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.byteLength;
      if (size > maxBytes) throw new Error(`the response is longer than ${maxBytes} bytes`);
      signal.throwIfAborted();
      text += decoder.decode(part.value, { stream: true });
    }
    return text + decoder.decode();
  } catch (error) {
    reader.cancel().catch(() => {});
    throw error;
  }
}

/** Returns the error for a failed request, with client-go's message. */
export function requestFailed(method: FetchOptions['method'], url: string, error: unknown): RequestFailed {
  const word = `${method.charAt(0)}${method.slice(1).toLowerCase()}`;
  const cause = causeOf(error);
  return new RequestFailed(`${word} ${JSON.stringify(url)}: ${transportMessage(cause)}`, { cause });
}

/** Returns the underlying error, because the runtime's `fetch` wraps it in an error with the message `fetch failed`. */
function causeOf(error: unknown): unknown {
  return error instanceof TypeError && error.cause !== undefined ? error.cause : error;
}
