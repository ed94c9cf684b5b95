import { apiError } from '../../meta/api-error.js';
import { bracketHost } from '../../outbound/host-port.js';
import { hostToDial } from '../../outbound/ip-address.js';

/** The target in the path of a proxy request: an object, and its port by number or name. */
export interface RelayTarget {
  /** The scheme. Default `http`. */
  readonly scheme: 'http' | 'https';
  readonly name: string;
  /** The number or name of the port; '' when the request names none. */
  readonly port: string;
}

/** Parses `name`, `name:port` or `scheme:name:port`; undefined for anything else. */
export function readTarget(text: string): RelayTarget | undefined {
  const parts = text.split(':');
  const [scheme = '', name = '', port = ''] = parts.length < 3 ? ['', ...parts] : parts;
  if (parts.length > 3 || name === '' || !['', 'http', 'https'].includes(scheme)) return undefined;
  return { scheme: scheme === 'https' ? 'https' : 'http', name, port };
}

/**
 * Returns the backend URL for an address and a port. The URL has no path.
 * @param port '' for the default port of the scheme.
 * @throws ApiError 503 for a string that is not a port
 */
export function originAt(scheme: RelayTarget['scheme'], address: string, port: string): string {
  const isPort = port === '' || (/^\d{1,5}$/.test(port) && Number(port) > 0 && Number(port) < 65_536);
  if (!isPort)
    throw apiError.serviceUnavailable(`error trying to reach service: dial tcp: address ${port}: invalid port`);
  return `${scheme}://${bracketHost(hostToDial(address))}${port === '' ? '' : `:${port}`}`;
}

/**
 * The members that the definitions of all `proxy` subresources share. Such a subresource accepts all methods, and any path below its own.
 */
export const PROXY = {
  verbs: ['create', 'delete', 'get', 'patch', 'update'],
  takesPath: true,
  parameters: [{ name: 'path', type: 'string', description: 'The path of the URL.' }],
} as const;
