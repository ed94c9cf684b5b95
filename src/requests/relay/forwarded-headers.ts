import type { RequestHeaders } from '../../meta/request-headers.js';
import type { UserInfo } from '../../meta/user-info.js';
import type { RequestEnvironment } from '../environment.js';

/** Hop-by-hop headers, which apply to a single connection (RFC 9110, section 7.6.1). They are not forwarded. */
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
/** The caller's headers that are not forwarded, because they are meant only for this server or because this server sets them itself. */
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
/**
 * Prefixes of the headers with which proxies and callers name users. Headers of the caller that have such a prefix are dropped; this server
 * may set its own.
 */
const IDENTITY = ['x-remote-', 'impersonate-'];
/** CORS headers, which only the server that a browser talks to may set. */
const CORS = ['credentials', 'headers', 'methods', 'origin'].map((what) => `access-control-allow-${what}`);

/** Returns the header names that the `Connection` header declares to be hop-by-hop. */
const headerNames = (values: readonly string[]): string[] =>
  values.flatMap((value) => value.split(',').map((name) => name.trim().toLowerCase()));

/** Normalizes a header name, because CGI and WSGI servers treat `_` and `-` as the same. */
const asRead = (name: string): string => name.toLowerCase().replaceAll('_', '-');

export type HeaderLists = Record<string, readonly string[]>;

/**
 * Returns the caller's headers for another server, with names in lower case.
 * @param proxies the headers with which proxies name users. They are dropped, because other servers trust them, too.
 */
export function forwardedHeaders(headers: RequestHeaders, proxies: RequestEnvironment['proxyHeaders']): HeaderLists {
  const dropped = new Set([...HOP_BY_HOP, ...OWN, ...headerNames(headers.all('connection'))].map(asRead));
  const identities = new Set(proxies.names.map(asRead));
  const beginnings = [...IDENTITY, ...proxies.prefixes].map(asRead);
  const isIdentity = (name: string) => identities.has(name) || beginnings.some((prefix) => name.startsWith(prefix));
  const forwarded: HeaderLists = {};
  for (const name of headers.names(''))
    if (!dropped.has(asRead(name)) && !isIdentity(asRead(name))) forwarded[name] = headers.all(name).map(wireBytes);
  return forwarded;
}

/** Matches the subprotocol of a WebSocket that contains a bearer token of this server. */
const BEARER = /^base64url\.bearer\.authorization\./;

/** Returns the headers that request a protocol upgrade from another server, without credentials for this server. */
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

/** Returns the headers that name the caller, as an authenticating proxy sends them (spec 11.12). */
export function identityHeaders({ username, groups = [], extra = {} }: UserInfo): HeaderLists {
  const lists: HeaderLists = { 'x-remote-user': [wireBytes(username)] };
  if (groups.length > 0) lists['x-remote-group'] = groups.map(wireBytes);
  for (const [key, values] of Object.entries(extra))
    if (values.length > 0) lists[`x-remote-extra-${escapeKey(key)}`] = values.map(wireBytes);
  return lists;
}

const TOKEN = /[a-z0-9!#$&'*+\-.^_`|~]/i;

/** Escapes a key for use in a header name: bytes that a name cannot have, and `%`. */
function escapeKey(key: string): string {
  let escaped = '';
  for (const byte of new TextEncoder().encode(key)) {
    const char = String.fromCharCode(byte);
    escaped += TOKEN.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return escaped;
}

/** Returns those response headers of another server that are passed on to the caller, with names as received. */
export function returnedHeaders(headers: Headers): HeaderLists {
  const dropped = new Set([...HOP_BY_HOP, ...CORS, ...headerNames([headers.get('connection') ?? ''])]);
  const forwarded: HeaderLists = {};
  headers.forEach((value, name) => {
    if (!dropped.has(name) && name !== 'set-cookie') forwarded[name] = [textOfWire(value)];
  });
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) forwarded['set-cookie'] = cookies.map(textOfWire);
  return forwarded;
}

const NOT_ASCII = /[^\0-\x7f]/;

/** Decodes header bytes as UTF-8; the HTTP layer encodes them as UTF-8 again. */
export function textOfWire(bytes: string): string {
  if (!NOT_ASCII.test(bytes)) return bytes;
  return new TextDecoder().decode(Uint8Array.from(bytes, (char) => char.charCodeAt(0)));
}

/** Returns the UTF-8 bytes of a text as a string with one character per byte, because header values are sent in that form. */
export function wireBytes(text: string): string {
  return NOT_ASCII.test(text) ? String.fromCharCode(...new TextEncoder().encode(text)) : text;
}
