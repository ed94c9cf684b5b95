/** How the answers of a proxied server relate to this server: the proxied origin, and the path prefix here. */
export interface ProxiedAt {
  /** `host:port` of the proxied server. */
  readonly host: string;
  /** `host:port` with which the caller reached this server. */
  readonly callersHost: string;
  /** The prefix of the proxied server's paths here, without a trailing slash. */
  readonly prefix: string;
}

/** Matches an origin, an absolute path, and the rest of a URL. */
const URL_FORM = /^((?:[a-z][a-z0-9+.-]*:)?(?:\/\/([^/?#]*))?)(\/[^?#]*)?([?#].*)?$/is;

/**
 * Rewrites a redirect or link so that the caller can follow it (spec 24.7): absolute paths of the proxied server get the prefix. Relative
 * URLs and those of other hosts stay as they are.
 */
export function rewriteLocation(text: string, { host, callersHost, prefix }: ProxiedAt): string {
  const [, server = '', locationHost = '', path = '', rest = ''] = URL_FORM.exec(text) ?? [];
  const isOther = locationHost !== '' && locationHost !== host && locationHost !== callersHost;
  if (isOther || !path.startsWith('/')) return text;
  const proxiedPath = path.startsWith(prefix) ? path : prefix + withoutRepeatedSlashes(path);
  // An origin is kept only if it is the one that the caller used, because that already leads to this server.
  return (locationHost !== '' && locationHost === callersHost ? server : '') + proxiedPath + rest;
}

const withoutRepeatedSlashes = (path: string): string => path.replace(/\/{2,}/g, '/');
