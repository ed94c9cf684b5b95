/** Where the answers of a server are seen from: its own origin, and what is before its paths here. */
export interface ProxiedAt {
  /** `host:port` of the server. */
  readonly host: string;
  /** `host:port` by which the caller reached this server. */
  readonly callersHost: string;
  /** What its paths begin with here, without a slash at the end. */
  readonly prefix: string;
}

/** Server, path from the root and what follows. */
const URL_FORM = /^((?:[a-z][a-z0-9+.-]*:)?(?:\/\/([^/?#]*))?)(\/[^?#]*)?([?#].*)?$/is;

/**
 * A redirection or a link as the caller has to follow it (spec 24.7): paths of the server are behind the prefix here. Those relative to the request, and those to
 * other hosts, stay as they are.
 */
export function rewriteLocation(text: string, { host, callersHost, prefix }: ProxiedAt): string {
  const [, server = '', given = '', path = '', rest = ''] = URL_FORM.exec(text) ?? [];
  const isOther = given !== '' && given !== host && given !== callersHost;
  if (isOther || !path.startsWith('/')) return text;
  const behind = path.startsWith(prefix) ? path : prefix + withoutRepeatedSlashes(path);
  // The name by which the caller asked leads back here already.
  return (given !== '' && given === callersHost ? server : '') + behind + rest;
}

const withoutRepeatedSlashes = (path: string): string => path.replace(/\/{2,}/g, '/');
