import type { JsonObject } from '../json/value.js';
import type { Fetch, OutboundTls } from '../meta/fetch.js';
import type { Host } from '../meta/host.js';
import { decodeRecognized } from '../serialization/recognized.js';
import { decodeBase64Text } from '../values/base64.js';
import { messageOf } from '../values/message-of.js';
import { quote } from '../values/quote.js';
import { authorizationHeader } from './authorization-header.js';
import { boundedRequest, RequestFailed } from './bounded-request.js';
import { emptyAnswer, FailedStatusError, isSuccess } from './failed-status.js';
import { urlToDial } from './ip-address.js';
import { resolveSegments } from './path-segments.js';
import { requireAuthorities } from './required-authorities.js';
import { routeToService } from './service-address.js';
import { sendToHandler } from './service-handlers.js';
import { transportMessage } from './transport-message.js';
import { countWeakCertificates } from './weak-certificates.js';

/** The address of a webhook (`clientConfig`); all kinds of webhooks have this field. */
interface WebhookClientConfig {
  readonly url?: string;
  readonly service?: {
    readonly namespace: string;
    readonly name: string;
    readonly path?: string;
    readonly port?: number;
  };
  /** The certificate authorities, as PEM in base64. */
  readonly caBundle?: string;
}

/** The fields of a webhook that a call needs. */
interface Called {
  readonly clientConfig: WebhookClientConfig;
  readonly timeoutSeconds?: number | undefined;
  /** The milliseconds until the deadline of the request. The call ends after this time or the webhook's own timeout, whichever is shorter. */
  readonly remaining?: number | undefined;
}

const DEFAULT_TIMEOUT = 10;
const DEFAULT_PORT = 443;
/** The maximum number of bytes of a webhook's response. It allows a patch that is as large as the largest object. */
const MAX_ANSWER = 8 * 1024 * 1024;

type Annotate = (key: string, value: string) => void;

/** The server's credentials for a webhook. Certificates and keys are PEM. */
export interface WebhookCredentials {
  /** A bearer token. */
  readonly token?: string | undefined;
  /** The user name for basic authentication. */
  readonly username?: string | undefined;
  /** The password for basic authentication. */
  readonly password?: string | undefined;
  /** A client certificate, as PEM. */
  readonly clientCertificate?: string | undefined;
  /** The client certificate's key, as PEM. */
  readonly clientKey?: string | undefined;
  /** Further headers, for example for impersonation. */
  readonly headers?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** The options of admission plug-ins that call webhooks. */
export interface WebhookClientOptions {
  /** Returns the credentials for a webhook by its host and port: `hook.example.com:443`, `<service>.<namespace>.svc:443`. Default: none. */
  readonly credentials?: (server: string) => WebhookCredentials | undefined | Promise<WebhookCredentials | undefined>;
}

/** The URL to which a review is sent, and the `fetch` that sends it. */
interface Destination {
  readonly url: string;
  readonly fetch: Fetch;
  /** The value of the Host header when it differs from the URL's host. */
  readonly host?: string;
}

/** Sends reviews to webhooks. Connections are reused as long as the webhook's configuration is unchanged. */
export class WebhookClient {
  readonly #host: Host;
  readonly #credentials: WebhookClientOptions['credentials'];
  readonly #tls = new WeakMap<WebhookClientConfig, OutboundTls>();

  constructor(host: Host, { credentials }: WebhookClientOptions = {}) {
    this.#host = host;
    this.#credentials = credentials;
  }

  /**
   * Sends a review and returns the review in the webhook's response.
   * @param annotate adds annotations to the audit event of the request
   * @throws Error with client-go's message; AuthoritiesError for an unreadable CA bundle; FailedStatusError for a response whose status
   * reports a failure.
   */
  post(hook: Called, review: JsonObject, annotate?: Annotate): Promise<JsonObject> {
    return this.send(hook, review, JSON.stringify(review), MAX_ANSWER, annotate);
  }

  /**
   * Sends a review that is already serialized.
   * @param review the apiVersion and kind of the review
   * @param body the serialized review
   * @param maxBytes the maximum number of bytes of the response
   */
  async send(
    { clientConfig, timeoutSeconds = DEFAULT_TIMEOUT, remaining = Number.POSITIVE_INFINITY }: Called,
    review: JsonObject,
    body: string,
    maxBytes: number,
    annotate?: Annotate,
  ): Promise<JsonObject> {
    const parameter = `timeout=${Math.min(timeoutSeconds, Math.ceil(remaining / 1000))}s`;
    const named = urlOf(clientConfig);
    const url = `${named}${named.includes('?') ? '&' : '?'}${parameter}`;
    let to: Destination = { url, fetch: this.#host.fetch };
    let server: string;
    try {
      // Credentials are selected by the normalized host that is dialed, not by the host as the URL spells it.
      server = serverOf(urlToDial(named));
      if (clientConfig.service) to = this.#destinationOf(clientConfig.service, url);
    } catch (error) {
      throw new Error(`Post ${quote(url)}: ${messageOf(error)}`);
    }
    const credentials = (await this.#credentials?.(server)) ?? {};
    const authorization = authorizationHeader(credentials);
    const tls = to.url.startsWith('http:') ? undefined : this.#tlsOf(clientConfig, credentials);
    // A handler in this process needs no certificate.
    if (tls && to.fetch === this.#host.fetch) await requireAuthorities(tls);
    const { metrics, dialect, clock } = this.#host;
    const noted = annotate && { domain: dialect.labelDomain, url, add: annotate };
    try {
      const answer = await boundedRequest({ fetch: to.fetch, clock }, to.url, {
        method: 'POST',
        headers: {
          ...(to.host === undefined ? {} : { host: to.host }),
          ...(authorization === undefined ? {} : { authorization }),
          accept: 'application/json, */*',
          'content-type': 'application/json',
          'user-agent': `${dialect.apiServerName}-admission`,
        },
        body,
        timeout: timeoutSeconds * 1000,
        timeoutMessage: 'context deadline exceeded',
        maxBytes,
        onWeakCertificate: countWeakCertificates(metrics, 'webhooks', noted),
        ...(tls ? { tls } : {}),
        ...(credentials.headers ? { repeatedHeaders: credentials.headers } : {}),
      });
      const type = answer.headers.get('content-type') ?? '';
      if (!isSuccess(answer.status)) throw new FailedStatusError(answer.status, type, answer.text);
      if (answer.text === '') throw emptyAnswer(answer.status, type);
      return await readAnswer(answer.text, review);
    } catch (error) {
      if (!(error instanceof RequestFailed)) throw error;
      throw new Error(`Post ${quote(url)}: ${transportMessage(error.cause)}`, { cause: error });
    }
  }

  /**
   * Returns the destination for requests to a service. The server's certificate must be valid for the service's name in the cluster.
   * @throws Error when the service has no address.
   */
  #destinationOf(
    { namespace, name, port = DEFAULT_PORT }: NonNullable<WebhookClientConfig['service']>,
    url: string,
  ): Destination {
    const route = routeToService(this.#host, { namespace, name, port });
    if ('handler' in route) {
      const { handler } = route;
      return { url, fetch: (at, options) => sendToHandler(handler, {}, at, options) };
    }
    const { origin, isExternalName = false } = route;
    const { fetch } = this.#host;
    return { url: withOrigin(url, origin), fetch, ...(isExternalName ? {} : { host: hostOf(url) }) };
  }

  /**
   * Returns the TLS options of a webhook, as one object for the life of the configuration so that connections are reused. Returns undefined
   * when the plain `fetch` suffices.
   */
  #tlsOf(config: WebhookClientConfig, credentials: WebhookCredentials): OutboundTls | undefined {
    const { caBundle = '', service } = config;
    const { clientCertificate, clientKey } = credentials;
    if (caBundle === '' && !service && clientCertificate === undefined) return undefined;
    let tls = this.#tls.get(config);
    if (!tls) {
      tls = {
        ...(caBundle === '' ? {} : { certificateAuthority: decodeBase64Text(caBundle) }),
        ...(service ? { serverName: `${service.name}.${service.namespace}.svc` } : {}),
        ...(clientCertificate === undefined ? {} : { clientCertificate }),
        ...(clientKey === undefined ? {} : { clientKey }),
      };
      this.#tls.set(config, tls);
    }
    return tls;
  }
}

/** Normalizes a path as client-go does: empty segments, `.` and `..` segments and a trailing slash are removed. */
const cleanPath = (path: string): string => `/${resolveSegments(path.split('/')).join('/')}`;

function urlOf({ url = '', service }: WebhookClientConfig): string {
  if (!service)
    return url.replace(
      /^https(:\/\/[^/?#]*)([^?#]*)/i,
      (_, authority: string, path: string) => `https${authority}${cleanPath(path)}`,
    );
  const { namespace, name, path = '/', port = DEFAULT_PORT } = service;
  return `https://${name}.${namespace}.svc:${port}${cleanPath(path)}`;
}

/** Returns the host and port of a URL; the port is 443 when the URL has none. */
function serverOf(url: string): string {
  const host = hostOf(url).replace(/^.*@/, '');
  return /:\d+$/.test(host) ? host : `${host}:${DEFAULT_PORT}`;
}

const hostOf = (url: string) => /^https:\/\/([^/?]*)/.exec(url)?.[1] ?? '';
const withOrigin = (url: string, origin: string) => url.replace(/^https:\/\/[^/?]*/, () => origin);

/** Returns the name of the Go type of a kind: its version without the group, and the kind. */
const goType = (apiVersion: unknown, kind: unknown) => `${String(apiVersion).replace(/^.*\//, '')}.${String(kind)}`;

/** Parses the response. @throws Error for a body that is not a review, or a review of another version than the one that was sent. */
async function readAnswer(text: string, { apiVersion, kind }: JsonObject): Promise<JsonObject> {
  const review = await decodeRecognized(text);
  const answeredVersion = review['apiVersion'];
  if (answeredVersion !== undefined && answeredVersion !== '' && answeredVersion !== apiVersion)
    throw new Error(
      `converting (${goType(answeredVersion, review['kind'])}) to (${goType(apiVersion, kind)}): unknown conversion`,
    );
  return review;
}
