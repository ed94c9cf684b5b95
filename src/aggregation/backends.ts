import type { Fetch, FetchOptions, OutboundBody, OutboundTls, Upgraded } from '../meta/fetch.js';
import type { Host } from '../meta/host.js';
import type { ServiceHandler } from '../meta/services/service-routes.js';
import type { UserInfo } from '../meta/user-info.js';
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
  /** What this server shows to other servers, so that they trust the user it names. */
  readonly clientCertificate?: CertificateAndKey | undefined;
  /** Whether requests go to an endpoint of a service rather than to its address. Default false. */
  readonly toEndpoints?: boolean | undefined;
}

/** A server that has a group version. */
export interface Backend {
  /** `https://host:port`; `http:` for loopback targets. */
  readonly origin: string;
  /** Sends a request for a user there. @param url of the origin */
  fetch(url: string, options: FetchOptions, user: UserInfo): Promise<Response>;
  /** Sends one with a body that is sent as it comes; absent where nothing can. */
  upload?(url: string, options: FetchOptions, body: OutboundBody, user: UserInfo): Promise<Response>;
  /** Sends one that asks for another protocol; absent where nothing can. */
  upgrade?(url: string, options: FetchOptions, user: UserInfo): Promise<Upgraded | Response>;
}

const DEFAULT_PORT = 443;

const PLAIN: OutboundTls = Object.freeze({});

/** A handler of this process as a server. @param origin that it is to see */
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

/** Finds the servers that have the group versions of APIServices. */
export class Backends {
  readonly #host: Pick<Host, 'fetch' | 'lister' | 'random' | 'services'>;
  readonly #options: BackendOptions;
  /** By name, for as long as nothing of it changes: the same object means the same connections. */
  readonly #tls = new Map<string, { readonly key: string; readonly tls: OutboundTls }>();

  constructor(host: Pick<Host, 'fetch' | 'lister' | 'random' | 'services'>, options: BackendOptions) {
    this.#host = host;
    this.#options = options;
  }

  /** Whether the embedder has set what answers for the service, so that its objects do not count. */
  hasTarget({ spec: { service = {} } }: APIService): boolean {
    const { namespace = '', name = '', port = DEFAULT_PORT } = service;
    return this.#host.services.find(namespace, name, port) !== undefined;
  }

  /**
   * The server behind an APIService.
   * @param trusting whether any certificate will do: what it says is not passed on
   * @throws Error where there is none.
   */
  find({ metadata, spec }: APIService, trusting = false): Backend {
    const { namespace = '', name = '', port = DEFAULT_PORT } = spec.service ?? {};
    const host = `${name}.${namespace}.svc`;
    const route = routeToService(this.#host, { namespace, name, port }, this.#options.toEndpoints);
    if ('handler' in route) return handlerBackend(route.handler, `https://${host}:${port}`);
    const { origin } = route;
    return this.at(origin, origin.startsWith('http:') ? PLAIN : this.#tlsOf(metadata.name ?? '', host, spec, trusting));
  }

  /** The server at an address. */
  at(origin: string, tls: OutboundTls): Backend {
    const send: Fetch = this.#host.fetch;
    const { upgrade, upload } = send;
    return {
      origin,
      fetch: (url, options) => send(url, { ...options, tls }),
      ...(upgrade ? { upgrade: (url, options) => upgrade(url, { ...options, tls }) } : {}),
      ...(upload ? { upload: (url, options, body) => upload(url, { ...options, tls }, body) } : {}),
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

  /** Forgets what was kept for an APIService that is gone. */
  forget(name: string): void {
    for (const trusting of [true, false]) this.#tls.delete(`${name} ${trusting}`);
  }
}
