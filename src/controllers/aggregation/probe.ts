import type { Backend } from '../../aggregation/backends.js';
import type { Host } from '../../meta/host.js';
import type { UserInfo } from '../../meta/user-info.js';
import { type BoundedAnswer, boundedRequest } from '../../outbound/bounded-request.js';
import { countWeakCertificates } from '../../outbound/weak-certificates.js';
import { identityHeaders } from '../../requests/relay/forwarded-headers.js';
import type { APIService } from '../../resources/apiregistration/apiregistration-v1.types.js';

/** The user of discovery requests to other servers. Members of its group may read everything that those servers serve. */
export const AGGREGATOR: UserInfo = { username: 'system:kube-aggregator', groups: ['system:masters'] };
/** The user of requests for the OpenAPI documents of other servers. It is in no group, because every user may read OpenAPI documents. */
export const READER: UserInfo = { username: 'system:aggregator' };

export interface BackendRequest {
  readonly path: string;
  readonly user: UserInfo;
  readonly headers?: Readonly<Record<string, string>>;
  /** The time limit for the response, in milliseconds. */
  readonly timeout: number;
  /** The maximum size of the response body in bytes. With 0 the body is not read. */
  readonly maxBytes: number;
  /** Whether weak TLS certificates of backends are counted in the metrics. Default false. */
  readonly counted?: true;
}

/**
 * Sends a GET request to another server with the identity of `user`.
 * @throws RequestFailed when the response does not arrive within `timeout` or its body is larger than `maxBytes`.
 */
export function requestBackend(
  host: Pick<Host, 'clock' | 'dialect' | 'metrics'>,
  { origin, fetch }: Backend,
  { path, user, headers = {}, timeout, maxBytes, counted }: BackendRequest,
): Promise<BoundedAnswer> {
  const agent = { 'user-agent': `${host.dialect.apiServerName}/aggregator`, 'accept-encoding': 'identity' };
  const repeated = identityHeaders(user);
  const identified = Object.fromEntries(Object.entries(repeated).map(([name, values]) => [name, values.join(',')]));
  return boundedRequest({ clock: host.clock, fetch: (url, options) => fetch(url, options, user) }, `${origin}${path}`, {
    method: 'GET',
    headers: { accept: 'application/json', ...agent, ...headers, ...identified },
    timeout,
    maxBytes,
    ...(counted ? { onWeakCertificate: countWeakCertificates(host.metrics, 'aggregator') } : {}),
  });
}

/** Returns the path of the discovery document of a group version. */
export const pathOf = ({ spec: { group = '', version = '' } }: APIService): string =>
  group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
