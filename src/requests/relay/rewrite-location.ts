import { parseReference } from '../../values/uri.js';
import { escapePath, unescapeBytes } from './outgoing-url.js';

/** How URLs of a proxied server are mapped to URLs of this server. */
export interface ProxiedAt {
  /** The `host:port` of the proxied server. */
  readonly host: string;
  /** The `host:port` to which the caller is connected. */
  readonly callersHost: string;
  /** The prefix that the proxied server's paths have on this server, without a trailing slash. */
  readonly prefix: string;
}

/** The error message for a URL that cannot be parsed. */
export interface BadUrl {
  readonly problem: string;
}

/**
 * Rewrites a redirect or link so that the caller can follow it (spec 24.7): absolute paths of the proxied server get the prefix. Relative
 * URLs and URLs of other hosts keep their meaning. As in upstream, every URL is printed as Go's net/url prints it.
 * @param text the URL, in which each character is one byte
 */
export function rewriteLocation(text: string, { host, callersHost, prefix }: ProxiedAt): string | BadUrl {
  const parsed = parseReference(text);
  if (typeof parsed === 'string') return { problem: parsed };
  const url = split(text, parsed);
  const path = unescapeBytes(url.rawPath);
  const isOther = url.host !== '' && url.host !== host && url.host !== callersHost;
  if (isOther || !path.startsWith('/')) return print(url, printPath(url.rawPath));
  // Scheme and host are kept only if the host is `callersHost`, that is, this server. Those of the proxied server are removed, so that the
  // caller follows the URL through this server.
  const at = url.host === callersHost ? url : { ...url, scheme: '', host: '', rawHost: '' };
  const before = unescapeBytes(prefix);
  return print(at, path.startsWith(before) ? printPath(url.rawPath) : escapePath(cleanPath(`${before}/${path}`)));
}

/** The parts of a URL that has an authority or a path. */
interface Parts {
  readonly scheme: string;
  /** The text after the scheme if it is not split, as in `mailto:a`. */
  readonly opaque: string;
  readonly user: string | undefined;
  readonly host: string;
  readonly rawHost: string;
  readonly rawPath: string;
  /** The query with its question mark. */
  readonly query: string;
  readonly rawFragment: string;
  /** Whether the URL has a scheme and an absolute path, but no authority. */
  readonly omitsHost: boolean;
}

function split(text: string, { scheme, host, user }: { scheme: string; host: string; user?: string }): Parts {
  const hash = text.indexOf('#');
  const whole = hash < 0 ? text : text.slice(0, hash);
  const rest = whole.slice(scheme === '' ? 0 : scheme.length + 1);
  const mark = rest.indexOf('?');
  const body = mark < 0 ? rest : rest.slice(0, mark);
  const hasAuthority = body.startsWith('//') && (scheme !== '' || !body.startsWith('///'));
  const slash = hasAuthority ? body.indexOf('/', 2) : 0;
  const isOpaque = scheme !== '' && !body.startsWith('/');
  return {
    scheme,
    opaque: isOpaque ? body : '',
    user,
    host,
    rawHost: hasAuthority
      ? (body
          .slice(2, slash < 0 ? undefined : slash)
          .split('@')
          .at(-1) ?? '')
      : '',
    rawPath: isOpaque || slash < 0 ? '' : body.slice(slash),
    query: mark < 0 ? '' : rest.slice(mark),
    rawFragment: hash < 0 ? '' : text.slice(hash + 1),
    omitsHost: scheme !== '' && !hasAuthority,
  };
}

function print({ scheme, opaque, user, host, rawHost, query, rawFragment, omitsHost }: Parts, path: string): string {
  let text = scheme === '' ? '' : `${scheme}:`;
  if (opaque !== '') text += opaque;
  else {
    const hasAuthority = host !== '' || user !== undefined;
    if (hasAuthority || (scheme !== '' && path !== '' && !omitsHost)) text += '//';
    if (user !== undefined) text += `${user}@`;
    text += unescapeBytes(rawHost).replace(NOT_IN_HOST, escapeByte);
    // Without these two characters, the path would be read as a scheme.
    if (text === '' && (path.split('/', 1)[0] ?? '').includes(':')) text = './';
    text += path;
  }
  const fragment = FRAGMENT.test(rawFragment)
    ? rawFragment
    : unescapeBytes(rawFragment).replace(NOT_IN_FRAGMENT, escapeByte);
  return text + query + (fragment === '' ? '' : `#${fragment}`);
}

/** A character that is not a byte and represents an ampersand of an HTML page. Like an ampersand, it is not escaped in a URL. */
export const AMPERSAND = '\ue000';

const NOT_IN_HOST = /[^\w.~!$&'()*+,;=:[\]<>"-]/g;
const RAW_PATH = /^(?:[\w.~!$&'()*+,;=:@/[\]\ue000-]|%[0-9a-f]{2})*$/i;
const FRAGMENT = /^(?:[\w.~!$&'()*+,;=:@/?[\]\ue000-]|%[0-9a-f]{2})*$/i;
const NOT_IN_FRAGMENT = /[^\w.~!$&()*+,;=:@/?\ue000-]/g;

const escapeByte = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;

/** Returns a path as it was written if every character may occur in a path, and otherwise escapes its bytes. */
const printPath = (rawPath: string): string => (RAW_PATH.test(rawPath) ? rawPath : escapePath(unescapeBytes(rawPath)));

/** Resolves the dot segments of an absolute path and removes empty segments; a slash at the end is kept. */
function cleanPath(path: string): string {
  const kept: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') kept.pop();
    else if (segment !== '' && segment !== '.') kept.push(segment);
  }
  return `${kept.map((segment) => `/${segment}`).join('')}${path.endsWith('/') ? '/' : ''}`;
}
