import { apiError } from '../../meta/api-error.js';
import { bracketed } from '../../outbound/host-port.js';
import { hostToDial } from '../../outbound/ip-address.js';

/** What the path of a proxy names: an object, and a port of it by number or name. */
export interface RelayTarget {
  /** `http` where none is given. */
  readonly scheme: 'http' | 'https';
  readonly name: string;
  /** '' where none is given. */
  readonly port: string;
}

/** `name`, `name:port` or `scheme:name:port`; undefined for anything else. */
export function readTarget(text: string): RelayTarget | undefined {
  const parts = text.split(':');
  const [scheme = '', name = '', port = ''] = parts.length < 3 ? ['', ...parts] : parts;
  if (parts.length > 3 || name === '' || !['', 'http', 'https'].includes(scheme)) return undefined;
  return { scheme: scheme === 'https' ? 'https' : 'http', name, port };
}

/** Where an address is asked. @param port '' for that of the scheme. @throws ApiError 503 for what is not a port */
export function originAt(scheme: RelayTarget['scheme'], address: string, port: string): string {
  const isPort = port === '' || (/^\d{1,5}$/.test(port) && Number(port) > 0 && Number(port) < 65_536);
  if (!isPort)
    throw apiError.serviceUnavailable(`error trying to reach service: dial tcp: address ${port}: invalid port`);
  return `${scheme}://${bracketed(hostToDial(address))}${port === '' ? '' : `:${port}`}`;
}

/** The parameter of every proxy. */
export const PATH_PARAMETER = { name: 'path', type: 'string', description: 'Path there, as in a URL.' } as const;
