import type { RequestHeaders } from '../meta/request-headers.js';
import type { UserInfo } from '../meta/user-info.js';
import { type AuthenticationResult, type AuthenticatorFactory, rejected, skipped } from './authenticator.js';
import { type Authorities, connectionCertificates } from './certificates/connection-certificates.js';

export interface RequestHeaderOptions {
  /** Authorities of the proxies' client certificates, PEM, with the same forms as `clientCA` of x509. */
  readonly clientCA: Authorities;
  /** Common names of accepted proxies. Default: any certificate of the authorities. */
  readonly allowedNames?: readonly string[];
  /** Headers with the user's name; the first non-empty one counts. Without any of them the proxy names no user. */
  readonly usernameHeaders: readonly string[];
  /** Headers with groups. All their values that are not empty count. */
  readonly groupHeaders?: readonly string[];
  /** Prefixes of headers with extra fields; the rest of the header's name is the key. */
  readonly extraHeaderPrefixes?: readonly string[];
}

/**
 * Authenticates users that an authenticating proxy names in headers, when the proxy shows a certificate of the authorities (spec 11.12).
 * From other clients the headers are ignored. It must precede x509, so that a proxy's own certificate does not identify the caller when the
 * headers name a user.
 * @throws TypeError when `clientCA` holds no certificate; DerError when it holds a broken one.
 */
export function requestHeader(options: RequestHeaderOptions): AuthenticatorFactory {
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
      refuse: rejected,
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
 * Returns the key of an extra field from the end of a header name: lower-cased, then percent-decoded. A key that cannot be decoded is
 * returned in lower case (spec 11.12, 11.21).
 */
export function extraKey(text: string): string {
  const lower = text.toLowerCase();
  try {
    return decodeURIComponent(lower);
  } catch {
    return lower;
  }
}
