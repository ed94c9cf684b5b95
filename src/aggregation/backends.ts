import type { Fetch, FetchOptions, OutboundBody, OutboundTls, Upgraded } from '../meta/fetch.js';
import type { Host } from '../meta/host.js';
import type { UserInfo } from '../meta/user-info.js';
import type { InProcessBackends } from '../outbound/in-process-backends.js';
import {
  addressOfService,
  type EndpointsObject,
  endpointOfService,
  type ServiceObject,
} from '../outbound/service-address.js';
import { decodeBase64Text } from '../values/base64.js';
import type { APIService } from '../resources/apiregistration/apiregistration-v1.types.js';

/** A certificate with its key, both PEM. */
interface CertificateAndKey {
  readonly certificate: string;
  readonly key: string;
}

export interface BackendOptions {
  /** Servers of this process. */
  readonly inProcess: InProcessBackends;
  /** What this server shows to other servers, so that they trust the user it names. */
  readonly clientCertificate?: CertificateAndKey | undefined;
  /** Whether requests go to an endpoint of a service rather than to its address. Default false. */
  readonly toEndpoints?: boolean | undefined;
}

/** A server that has a group version. */
export interface Backend {
  /** `https://host:port`. */
  readonly origin: string;
  /** Sends a request for a user there. @param url of the origin */
  fetch(url: string, options: FetchOptions, user: UserInfo): Promise<Response>;
  /** Sends one with a body that is sent as it comes; absent where nothing can. */
  upload?(url: string, options: FetchOptions, body: OutboundBody, user: UserInfo): Promise<Response>;
  /** Sends one that asks for another protocol; absent where nothing can. */
  upgrade?(url: string, options: FetchOptions, user: UserInfo): Promise<Upgraded | Response>;
}

const DEFAULT_PORT = 443;

function requestOf(url: string, options: FetchOptions, stream?: OutboundBody): Request {
  const { method, headers, repeatedHeaders = {}, bytes, body = bytes, signal } = options;
  const all = new Headers(headers);
  for (const [key, values] of Object.entries(repeatedHeaders)) for (const each of values) all.append(key, each);
  const sent = stream ? { body: stream.bytes, duplex: 'half' as const } : body === undefined ? {} : { body };
  return new Request(url, { method, headers: all, signal, ...sent });
}

/** Finds the servers that have the group versions of APIServices. */
export class Backends {
  readonly #host: Pick<Host, 'fetch' | 'lister' | 'random'>;
  readonly #options: BackendOptions;
  /** By name, for as long as nothing of it changes: the same object means the same connections. */
  readonly #tls = new Map<string, { readonly key: string; readonly tls: OutboundTls }>();

  constructor(host: Pick<Host, 'fetch' | 'lister' | 'random'>, options: BackendOptions) {
    this.#host = host;
    this.#options = options;
  }

  /** Whether the server is one of this process. */
  isInProcess({ spec: { service = {} } }: APIService): boolean {
    return this.#options.inProcess.of(service.namespace ?? '', service.name ?? '') !== undefined;
  }

  /**
   * The server behind an APIService.
   * @param trusting whether any certificate will do: what it says is not passed on
   * @throws Error where there is none.
   */
  find({ metadata, spec }: APIService, trusting = false): Backend {
    const { namespace = '', name = '', port = DEFAULT_PORT } = spec.service ?? {};
    const own = this.inProcess(namespace, name, `https://${name}.${namespace}.svc:${port}`);
    if (own) return own;
    const tls = this.#tlsOf(metadata.name ?? '', `${name}.${namespace}.svc`, spec, trusting);
    return this.at(`https://${this.#addressOf(namespace, name, port)}`, tls);
  }

  /** The server of this process behind a service; undefined without one. @param origin that it is to see */
  inProcess(namespace: string, name: string, origin: string): Backend | undefined {
    const handler = this.#options.inProcess.of(namespace, name);
    if (!handler) return undefined;
    const upgrade = handler.upgrade?.bind(handler);
    return {
      origin,
      fetch: async (url, options, user) => await handler.fetch(requestOf(url, options), { user }),
      upload: async (url, options, body, user) => await handler.fetch(requestOf(url, options, body), { user }),
      ...(upgrade ? { upgrade: async (url, options, user) => await upgrade(requestOf(url, options), { user }) } : {}),
    };
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

  #addressOf(namespace: string, name: string, port: number): string {
    const { lister, random } = this.#host;
    const service = lister<ServiceObject>('', 'services').get(namespace, name);
    const address = addressOfService(service, name, port);
    if (!this.#options.toEndpoints || service?.spec?.type === 'ExternalName') return address;
    const portName = service?.spec?.ports?.find((each) => each.port === port)?.name ?? '';
    const endpoints = lister<EndpointsObject>('', 'endpoints').get(namespace, name);
    const found = endpointOfService(endpoints, portName, random);
    if (found === undefined) throw new Error(`no endpoints available for service "${name}"`);
    return found;
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
