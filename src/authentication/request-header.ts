import { percentDecode } from '../meta/query.js';
import type { RequestHeaders } from '../meta/request-headers.js';
import type { UserInfo } from '../meta/user-info.js';
import { refuseUnknownMembers } from '../values/did-you-mean.js';
import { type AuthenticationResult, type AuthenticatorFactory, rejected, skipped } from './authenticator.js';
import { type Authorities, connectionCertificates } from './certificates/connection-certificates.js';

/** The options of `requestHeader`. */
export interface RequestHeaderOptions {
  /** The CA bundle that verifies the client certificates of proxies. It can be given in the same ways as `clientCA` of `x509`. */
  readonly clientCA: Authorities;
  /** Common names of accepted proxies. Default, and with an empty list: every certificate that `clientCA` verifies is accepted. */
  readonly allowedNames?: readonly string[];
  /**
   * Headers that carry the user name; the first non-empty one counts. If none is present, the request is not authenticated by its headers.
   */
  readonly usernameHeaders: readonly string[];
  /** Headers that carry groups. All their non-empty values count. Default: none. */
  readonly groupHeaders?: readonly string[];
  /** Prefixes of the headers that carry extra fields. The rest of the header's name is the key of the field. Default: none. */
  readonly extraHeaderPrefixes?: readonly string[];
}

/**
 * Authenticates users that an authenticating proxy names in headers, if the proxy presents a certificate that `clientCA` verifies (spec
 * 11.12). The headers of other clients are ignored. This authenticator must precede x509, so that a proxy's own certificate does not
 * identify the caller when the headers name a user.
 * @throws TypeError for an option that does not exist, and when `clientCA` holds no certificate; DerError when it holds one that cannot be
 * parsed.
 */
export function requestHeader(options: RequestHeaderOptions): AuthenticatorFactory {
  refuseUnknownMembers('requestHeader()', options, [
    'clientCA',
    'allowedNames',
    'usernameHeaders',
    'groupHeaders',
    'extraHeaderPrefixes',
  ]);
  const allowedNames = new Set(options.allowedNames);
  return (host) => {
    const trust = connectionCertificates<'trusted' | AuthenticationResult>({
      authorities: options.clientCA,
      bundle: 'request-header-ca',
      host,
      accept: ({ subject: { commonName } }) =>
        allowedNames.size === 0 || allowedNames.has(commonName)
          ? 'trusted'
          : rejected(new Error(`x509: subject with cn=${commonName} is not in the allowed list`)),
      refuse: (error) => rejected(error),
    });
    return {
      name: 'request-header',
      async authenticate({ peerCertificates: chain, headers }) {
        if (!chain || chain.length === 0) return skipped;
        const trusted = await trust(chain);
        if (trusted !== 'trusted') return trusted;
        const user = readUser(headers, options);
        return user ? { outcome: 'authenticated', user, authenticator: 'request-header' } : skipped;
      },
    };
  };
}

function readUser(headers: RequestHeaders, options: RequestHeaderOptions): UserInfo | undefined {
  const { usernameHeaders, groupHeaders = [], extraHeaderPrefixes = [] } = options;
  const username = usernameHeaders.map((name) => headers.get(name.toLowerCase()) ?? '').find((value) => value !== '');
  if (username === undefined) return undefined;
  const groups = groupHeaders.flatMap((name) => headers.all(name.toLowerCase())).filter((value) => value !== '');
  return Object.freeze({ username, groups: Object.freeze(groups), extra: readExtra(headers, extraHeaderPrefixes) });
}

function readExtra(headers: RequestHeaders, prefixes: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const extra = new Map<string, string[]>();
  for (const prefix of prefixes.map((each) => each.toLowerCase())) {
    for (const name of headers.names(prefix)) {
      const key = extraKey(name.slice(prefix.length));
      extra.set(key, [...(extra.get(key) ?? []), ...headers.all(name)]);
    }
  }
  return Object.freeze(Object.fromEntries(extra));
}

/**
 * Returns the key of an extra field: the rest of the header name, lower-cased and then percent-decoded. If an escape is broken, the key is
 * only lower-cased (spec 11.12, 11.21).
 */
export function extraKey(text: string): string {
  const lower = text.toLowerCase();
  return percentDecode(lower) ?? lower;
}
