import type { RequestHeaders } from '../../meta/request-headers.js';
import type { UserInfo } from '../../meta/user-info.js';
import type { RequestEnvironment } from '../environment.js';

/** Headers that are about one connection (RFC 9110, section 7.6.1). */
const HOP_BY_HOP = [
  'connection',
  'proxy-connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];
/** What says who the caller is, and what is said anew. */
const OWN = [
  'authorization',
  'sec-websocket-protocol',
  'host',
  'content-length',
  'expect',
  'x-forwarded-uri',
  'x-forwarded-host',
  'x-forwarded-proto',
];
/** Beginnings of headers by which a proxy or a caller names a user: only this server's own are passed on. */
const IDENTITY = ['x-remote-', 'impersonate-'];
/** What only the server that a browser speaks to may say. */
const CORS = ['credentials', 'headers', 'methods', 'origin'].map((what) => `access-control-allow-${what}`);

/** Names that `Connection` declares to be about the connection. */
const declared = (values: readonly string[]): string[] =>
  values.flatMap((value) => value.split(',').map((name) => name.trim().toLowerCase()));

/** Normalizes a header name as CGI and WSGI servers do, which cannot tell `_` from `-`. */
const asRead = (name: string): string => name.toLowerCase().replaceAll('_', '-');

export type HeaderLists = Record<string, readonly string[]>;

/**
 * The caller's headers that another server is to see; lower-case names.
 * @param proxies the headers by which proxies name users, which other servers look at, too.
 */
export function forwardedHeaders(headers: RequestHeaders, proxies: RequestEnvironment['proxyHeaders']): HeaderLists {
  const dropped = new Set([...HOP_BY_HOP, ...OWN, ...declared(headers.all('connection'))].map(asRead));
  const identities = new Set(proxies.names.map(asRead));
  const beginnings = [...IDENTITY, ...proxies.prefixes].map(asRead);
  const isIdentity = (name: string) => identities.has(name) || beginnings.some((prefix) => name.startsWith(prefix));
  const kept: HeaderLists = {};
  for (const name of headers.names(''))
    if (!dropped.has(asRead(name)) && !isIdentity(asRead(name))) kept[name] = headers.all(name).map(wireBytes);
  return kept;
}

/** A token that authenticates here, among the protocols of a WebSocket. */
const BEARER = /^base64url\.bearer\.authorization\./;

/** What asks another server to speak another protocol; without credentials that are for this one. */
export function upgradeHeaders(headers: RequestHeaders): HeaderLists {
  const protocols = headers
    .all('sec-websocket-protocol')
    .flatMap((value) => value.split(',').map((name) => name.trim()))
    .filter((name) => name !== '' && !BEARER.test(name));
  return {
    connection: ['Upgrade'],
    upgrade: headers.all('upgrade').map(wireBytes),
    ...(protocols.length > 0 ? { 'sec-websocket-protocol': [protocols.join(', ')] } : {}),
  };
}

/** Who the caller is, in the words of an authenticating proxy (spec 11.12). */
export function identityHeaders({ username, groups = [], extra = {} }: UserInfo): HeaderLists {
  const lists: HeaderLists = { 'x-remote-user': [wireBytes(username)] };
  if (groups.length > 0) lists['x-remote-group'] = groups.map(wireBytes);
  for (const [key, values] of Object.entries(extra))
    if (values.length > 0) lists[`x-remote-extra-${escapeKey(key)}`] = values.map(wireBytes);
  return lists;
}

const TOKEN = /[a-z0-9!#$&'*+\-.^_`|~]/i;

/** A key as the name of a header can have it: other bytes are escaped, and `%` itself. */
function escapeKey(key: string): string {
  let escaped = '';
  for (const byte of new TextEncoder().encode(key)) {
    const char = String.fromCharCode(byte);
    escaped += TOKEN.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return escaped;
}

/** Another server's headers that the caller is to see: names as they came. */
export function returnedHeaders(headers: Headers): HeaderLists {
  const dropped = new Set([...HOP_BY_HOP, ...CORS, ...declared([headers.get('connection') ?? ''])]);
  const kept: HeaderLists = {};
  headers.forEach((value, name) => {
    if (!dropped.has(name) && name !== 'set-cookie') kept[name] = [textOfWire(value)];
  });
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) kept['set-cookie'] = cookies.map(textOfWire);
  return kept;
}

const NOT_ASCII = /[^\0-\x7f]/;

/** What these bytes are the UTF-8 of: they are written as such again. */
function textOfWire(bytes: string): string {
  if (!NOT_ASCII.test(bytes)) return bytes;
  return new TextDecoder().decode(Uint8Array.from(bytes, (char) => char.charCodeAt(0)));
}

/** A text as the bytes of its UTF-8, which is how headers are written. */
function wireBytes(text: string): string {
  return NOT_ASCII.test(text) ? String.fromCharCode(...new TextEncoder().encode(text)) : text;
}
