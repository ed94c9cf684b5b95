import type { Fetch, FetchOptions, OutboundBody, OutboundTls, Upgraded } from '../meta/fetch.js';
import type { Host } from '../meta/host.js';
import type { ServiceHandler } from '../meta/services/service-routes.js';
import type { UserInfo } from '../meta/user-info.js';
import { requireAuthorities } from '../outbound/required-authorities.js';
import { routeToService } from '../outbound/service-address.js';
import { canUpgrade, sendToHandler, upgradeAtHandler } from '../outbound/service-handlers.js';
import type { APIService } from '../resources/apiregistration/apiregistration-v1.types.js';
import { decodeBase64Text } from '../values/base64.js';

/** A certificate with its key, both PEM. */
interface CertificateAndKey {
  readonly certificate: string;
  readonly key: string;
}

export interface BackendOptions {
  /**
   * The client certificate with which this server authenticates to aggregated API servers. Because of this certificate, those servers trust
   * the user info in the request headers.
   */
  readonly clientCertificate?: CertificateAndKey | undefined;
}

/** A server that serves a group version. */
export interface Backend {
  /** URL without a path: `https://host:port`, or `http:` for loopback targets. */
  readonly origin: string;
  /**
   * Sends a request on behalf of a user.
   * @param url a URL that begins with `origin`
   * @throws AuthoritiesError when the CA bundle of the APIService cannot be read.
   */
  fetch(url: string, options: FetchOptions, user: UserInfo): Promise<Response>;
  /** Sends a request whose body is streamed. Absent where streaming is not possible. */
  upload?(url: string, options: FetchOptions, body: OutboundBody, user: UserInfo): Promise<Response>;
  /** Sends a protocol upgrade request. Absent where upgrades are not supported. */
  upgrade?(url: string, options: FetchOptions, user: UserInfo): Promise<Upgraded | Response>;
}

const DEFAULT_PORT = 443;

const PLAIN: OutboundTls = Object.freeze({});

/** Wraps a handler in this process as a backend. @param origin the scheme, host and port in the URLs that the handler receives */
export function handlerBackend(handler: ServiceHandler, origin: string): Backend {
  return {
    origin,
    fetch: (url, options, user) => sendToHandler(handler, { user }, url, options),
    upload: (url, options, body, user) => sendToHandler(handler, { user }, url, options, body),
    ...(canUpgrade(handler)
      ? { upgrade: (url, options, user) => upgradeAtHandler(handler, { user }, url, options) }
      : {}),
  };
}

/** Finds the servers behind APIServices. */
export class Backends {
  readonly #host: Pick<Host, 'dialect' | 'fetch' | 'lister' | 'random' | 'services'>;
  readonly #options: BackendOptions;
  /**
   * The TLS options by APIService. The same options object is used while an APIService is unchanged, because only requests with the same
   * object share connections.
   */
  readonly #tls = new Map<string, { readonly key: string; readonly tls: OutboundTls }>();

  constructor(host: Pick<Host, 'dialect' | 'fetch' | 'lister' | 'random' | 'services'>, options: BackendOptions) {
    this.#host = host;
    this.#options = options;
  }

  /** Returns whether the embedder has set a target for the Service. Requests go to that target even if no Service object exists. */
  hasTarget({ spec: { service = {} } }: APIService): boolean {
    const { namespace = '', name = '', port = DEFAULT_PORT } = service;
    return this.#host.services.find(namespace, name, port) !== undefined;
  }

  /**
   * Finds the backend of an APIService.
   * @param trusting whether to accept any certificate; for requests whose response is not forwarded to clients
   * @throws Error when there is no route to the Service.
   */
  find({ metadata, spec }: APIService, trusting = false): Backend {
    const { namespace = '', name = '', port = DEFAULT_PORT } = spec.service ?? {};
    const host = `${name}.${namespace}.svc`;
    const route = routeToService(this.#host, { namespace, name, port });
    if ('handler' in route) return handlerBackend(route.handler, `https://${host}:${port}`);
    const { origin } = route;
    return this.at(origin, origin.startsWith('http:') ? PLAIN : this.#tlsOf(metadata.name ?? '', host, spec, trusting));
  }

  /** Returns the backend for a URL and TLS options. */
  at(origin: string, tls: OutboundTls): Backend {
    const send: Fetch = this.#host.fetch;
    const { upgrade, upload } = send;
    const checked = async <T>(sent: () => Promise<T>): Promise<T> => {
      await requireAuthorities(tls);
      return await sent();
    };
    return {
      origin,
      fetch: (url, options) => checked(() => send(url, { ...options, tls })),
      ...(upgrade ? { upgrade: (url, options) => checked(() => upgrade(url, { ...options, tls })) } : {}),
      ...(upload ? { upload: (url, options, body) => checked(() => upload(url, { ...options, tls }, body)) } : {}),
    };
  }

  #tlsOf(name: string, serverName: string, spec: APIService['spec'], trusting: boolean): OutboundTls {
    const { caBundle = '', insecureSkipTLSVerify = false } = spec;
    const any = trusting || insecureSkipTLSVerify;
    const key = `${serverName} ${any} ${any ? '' : caBundle}`;
    const slot = `${name} ${trusting}`;
    const known = this.#tls.get(slot);
    if (known?.key === key) return known.tls;
    const { clientCertificate } = this.#options;
    const tls: OutboundTls = {
      serverName,
      ...(any ? { insecureSkipVerify: true } : {}),
      ...(any || caBundle === '' ? {} : { certificateAuthority: decodeBase64Text(caBundle) }),
      ...(clientCertificate
        ? { clientCertificate: clientCertificate.certificate, clientKey: clientCertificate.key }
        : {}),
    };
    this.#tls.set(slot, { key, tls });
    return tls;
  }

  /** Drops the cached TLS options of an APIService that was deleted. */
  forget(name: string): void {
    for (const trusting of [true, false]) this.#tls.delete(`${name} ${trusting}`);
  }
}
