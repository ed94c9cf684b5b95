import { dns1123Label } from '../meta/names.js';
import type { ServiceHandler, ServiceRoute, ServiceRoutes } from '../meta/services/service-routes.js';
import { quote } from '../values/quote.js';

/**
 * The target of a service: a function, an object with `fetch`, or a URL with scheme, host and port only. For `https://host:port`, the
 * server's certificate must be valid for `<name>.<namespace>.svc`. `http://` is accepted for loopback addresses only.
 */
export type ServiceTarget = ServiceHandler['fetch'] | ServiceHandler | string | URL;

/**
 * The targets of Services that webhooks, conversion webhooks, APIServices and the `proxy` subresource refer to. No Service object is
 * needed; if one exists, its addresses are ignored.
 */
export interface Services {
  /**
   * Sets the target for later calls to a service, replacing the previous target. Calls in progress are not affected.
   * @param service `namespace/name` for all ports, or `namespace/name:port`, which takes precedence
   * @throws TypeError for a string of another form, and for an invalid target.
   */
  set(service: string, target: ServiceTarget): this;
  /** Returns whether a target is set for `service`. A target for all ports does not count for `namespace/name:port`. */
  has(service: string): boolean;
  /** Removes the target for later calls. Returns whether one was set for `service`, in the sense of {@link has}. */
  delete(service: string): boolean;
}

/** The server option for reaching services: `network` sends requests to cluster addresses, and an object sets the targets of services. */
export type ServicesOption = 'network' | Readonly<Record<string, ServiceTarget>>;

interface ServiceName {
  readonly namespace: string;
  readonly name: string;
  readonly port?: number;
}

const FORM = "a service must be 'namespace/name' or 'namespace/name:port', in lower-case letters, digits and '-'";
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Returns the key of a service in the map of targets. The port comes first, so that the name `hook:443` in an object does not find the
 * target for port 443 of the service `hook`.
 */
const keyOf = ({ namespace, name, port }: ServiceName): string => `${port ?? ''}:${namespace}/${name}`;

/** The targets of one server, and whether there is also a cluster network. */
export class ServiceTargets implements Services, ServiceRoutes {
  readonly network: boolean;
  readonly toEndpoints: boolean;
  own: ServiceHandler | undefined;
  readonly #routes = new Map<string, ServiceRoute>();
  readonly #callbacks = new Set<(namespace: string, name: string) => void>();

  /** @throws TypeError in the cases of {@link set}. */
  constructor(option: ServicesOption = {}, toEndpoints = false) {
    this.network = option === 'network';
    this.toEndpoints = toEndpoints;
    if (option !== 'network') for (const [service, target] of Object.entries(option)) this.set(service, target);
  }

  set(service: string, target: ServiceTarget): this {
    const name = readName(service);
    this.#routes.set(keyOf(name), readTarget(service, target));
    this.#changed(name);
    return this;
  }

  /** Returns a copy whose later changes are independent of this object. */
  clone(): ServiceTargets {
    const clone = new ServiceTargets(this.network ? 'network' : {}, this.toEndpoints);
    for (const [key, route] of this.#routes) clone.#routes.set(key, route);
    return clone;
  }

  has(service: string): boolean {
    return this.#routes.has(keyOf(readName(service)));
  }

  delete(service: string): boolean {
    const name = readName(service);
    const had = this.#routes.delete(keyOf(name));
    if (had) this.#changed(name);
    return had;
  }

  find(namespace: string, name: string, port?: number): ServiceRoute | undefined {
    const ofPort = port === undefined ? undefined : this.#routes.get(keyOf({ namespace, name, port }));
    return ofPort ?? this.#routes.get(keyOf({ namespace, name }));
  }

  onChange(callback: (namespace: string, name: string) => void): () => void {
    this.#callbacks.add(callback);
    return () => void this.#callbacks.delete(callback);
  }

  #changed({ namespace, name }: ServiceName): void {
    for (const callback of this.#callbacks) callback(namespace, name);
  }
}

function readName(service: string): ServiceName {
  const [, namespace = '', name = '', port] = /^([^/:]+)\/([^/:]+)(?::([1-9]\d{0,4}))?$/.exec(String(service)) ?? [];
  const isName = [namespace, name].every((label) => dns1123Label(label).length === 0);
  if (!isName || Number(port ?? 1) > 65_535) throw new TypeError(`${quote(String(service))}: ${FORM}`);
  return { namespace, name, ...(port === undefined ? {} : { port: Number(port) }) };
}

function readTarget(service: string, target: ServiceTarget): ServiceRoute {
  if (typeof target === 'function') return { handler: { fetch: target } };
  if (typeof target === 'string' || target instanceof URL) return { origin: readOrigin(service, String(target)) };
  if (typeof target?.fetch === 'function') return { handler: target };
  throw new TypeError(`${quote(service)}: the target must be a function, an object with fetch(), or a URL`);
}

/** Returns the origin of a target URL. It is formatted by the URL parser, so that no other parser reads a different host in it. */
function readOrigin(service: string, text: string): string {
  const refuse = (why: string) => new TypeError(`${quote(service)}: ${quote(text)} ${why}`);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw refuse('is not a URL such as https://127.0.0.1:8443');
  if (url.href !== `${url.origin}/`) throw refuse('must consist of a scheme, a host and a port, without a path');
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname))
    throw refuse('is not a loopback address, and must therefore use https');
  return url.origin;
}
