import type { Backend } from '../../aggregation/backends.js';
import type { Host } from '../../meta/host.js';
import type { UserInfo } from '../../meta/user-info.js';
import { type BoundedAnswer, boundedRequest } from '../../outbound/bounded-request.js';
import { countWeakCertificates } from '../../outbound/weak-certificates.js';
import { identityHeaders } from '../../requests/relay/forwarded-headers.js';
import type { APIService } from '../../resources/apiregistration/apiregistration-v1.types.js';

/** Who asks other servers what they serve: nothing may be hidden from him. */
export const AGGREGATOR: UserInfo = { username: 'system:kube-aggregator', groups: ['system:masters'] };
/** Who asks for documents that everybody may read. */
export const READER: UserInfo = { username: 'system:aggregator' };

export interface Question {
  readonly path: string;
  readonly user: UserInfo;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds. */
  readonly timeout: number;
  /** Bytes of the answer; 0: its body is not read. */
  readonly maxBytes: number;
  /** Whether weak certificates count. Default false. */
  readonly counted?: true;
}

/** Asks another server as this one. @throws RequestFailed when there is no answer within the bounds. */
export function askBackend(
  host: Pick<Host, 'clock' | 'dialect' | 'metrics'>,
  { origin, fetch }: Backend,
  { path, user, headers = {}, timeout, maxBytes, counted }: Question,
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

/** Where a group version is described. */
export const pathOf = ({ spec: { group = '', version = '' } }: APIService): string =>
  group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
