import { quote } from './quote.js';

/** A URL as upstream parses it, with Go's net/url. That parser follows neither the WHATWG's URL standard nor all of RFC 3986. */
export interface Uri {
  readonly scheme: string;
  /** The decoded host with its port. */
  readonly host: string;
  readonly rawPath: string;
  readonly query: string;
}

class UriError extends Error {}
const fail = (message: string): never => {
  throw new UriError(message);
};

/** Returns the reason why a string is neither an absolute URI nor an absolute path; undefined when it is one of them. */
export function uriProblem(text: string): string | undefined {
  const problem = attempt(text, true);
  return typeof problem === 'string' ? problem : undefined;
}

/** Parses a URL, or returns an error message. */
export function parseUri(text: string): Uri | string {
  const strict = attempt(text, true);
  if (typeof strict === 'string') return strict;
  return attempt(text, false);
}

/** Parses a URI reference, or returns an error message. The reference may be relative and have a fragment. */
export const parseReference = (text: string): Uri | string => attempt(text, false);

/** Parses a URL. With `strict`, fragments are not split off and relative references are refused. */
function attempt(text: string, strict: boolean): Uri | string {
  const hash = strict ? -1 : text.indexOf('#');
  let parsing = hash < 0 ? text : text.slice(0, hash);
  try {
    const uri = parse(parsing, strict);
    parsing = text;
    if (hash >= 0) decode(text.slice(hash + 1));
    return uri;
  } catch (error) {
    if (!(error instanceof UriError)) throw error;
    return `parse ${quote(parsing)}: ${error.message}`;
  }
}

function parse(text: string, strict: boolean): Uri {
  if (/[\0-\x1f\x7f]/.test(text)) fail('net/url: invalid control character in URL');
  if (text === '' && strict) fail('empty url');
  const uri = { scheme: '', host: '', rawPath: '', query: '' };
  if (text === '*') return { ...uri, rawPath: '*' };
  const { scheme, rest } = splitScheme(text);
  const mark = rest.indexOf('?');
  const query = mark < 0 ? '' : rest.slice(mark + 1);
  const body = mark < 0 ? rest : rest.slice(0, mark);
  if (!body.startsWith('/')) {
    // The URL is opaque: the text after the scheme is not split.
    if (scheme !== '') return { ...uri, scheme, query };
    if (strict) fail('invalid URI for request');
    if ((body.split('/')[0] ?? '').includes(':')) fail('first path segment in URL cannot contain colon');
  }
  const hasAuthority = (scheme !== '' || (!strict && !body.startsWith('///'))) && body.startsWith('//');
  if (!hasAuthority) {
    decode(body);
    return { ...uri, scheme, query, rawPath: body };
  }
  const end = body.indexOf('/', 2);
  const rawPath = end < 0 ? '' : body.slice(end);
  const host = parseAuthority(end < 0 ? body.slice(2) : body.slice(2, end));
  decode(rawPath);
  return { scheme, host, rawPath, query };
}

function splitScheme(text: string): { scheme: string; rest: string } {
  const match = /^[a-zA-Z][a-zA-Z0-9+.-]*(?=:)/.exec(text);
  if (match === null) {
    if (text.startsWith(':')) fail('missing protocol scheme');
    return { scheme: '', rest: text };
  }
  return { scheme: match[0].toLowerCase(), rest: text.slice(match[0].length + 1) };
}

const USERINFO = /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/;

function parseAuthority(authority: string): string {
  const at = authority.lastIndexOf('@');
  const host = parseHost(authority.slice(at + 1));
  if (at >= 0) {
    const user = authority.slice(0, at);
    if (!USERINFO.test(user)) fail('net/url: invalid userinfo');
    decode(user);
  }
  return host;
}

function parseHost(host: string): string {
  if (host.startsWith('[')) {
    const end = host.lastIndexOf(']');
    if (end < 0) fail("missing ']' in host");
    checkPort(host.slice(end + 1));
    const zone = host.slice(0, end).indexOf('%25');
    return zone < 0
      ? decodeHost(host)
      : decodeHost(host.slice(0, zone)) + decode(host.slice(zone, end)) + host.slice(end);
  }
  const colon = host.lastIndexOf(':');
  if (colon >= 0) checkPort(host.slice(colon));
  return decodeHost(host);
}

function checkPort(port: string): void {
  if (port !== '' && !/^:\d*$/.test(port)) fail(`invalid port ${JSON.stringify(port)} after host`);
}

// Matches escapes, whole or not, and the characters that a host must not contain.
const IN_HOST = /%(?:[0-9a-fA-F]{2}|.{0,2})|[^A-Za-z0-9\-._~!$&'()*+,;=:[\]<>"%\u0080-\uffff]/gs;

/** Decodes a host, in which only the percent sign and characters outside ASCII may be escaped. */
function decodeHost(host: string): string {
  for (const [found] of host.matchAll(IN_HOST)) {
    if (!found.startsWith('%')) fail(`invalid character ${JSON.stringify(found)} in host name`);
    if (!/^%(?:25|[89a-fA-F][0-9a-fA-F])$/.test(found)) fail(`invalid URL escape ${JSON.stringify(found)}`);
  }
  return decode(host);
}

/** Percent-decodes a string; bytes that are not UTF-8 are replaced. */
export function decode(text: string): string {
  if (!text.includes('%')) return text;
  const wrong = /%(?![0-9a-fA-F]{2}).{0,2}/s.exec(text);
  if (wrong !== null) fail(`invalid URL escape ${JSON.stringify(wrong[0])}`);
  return text.replace(/(?:%[0-9a-fA-F]{2})+/g, (escapes) => {
    const bytes = Uint8Array.from(escapes.slice(1).split('%'), (hex) => Number.parseInt(hex, 16));
    return new TextDecoder().decode(bytes);
  });
}

/** Returns the path with characters escaped that a URL path must not contain. */
export function escapedPath({ rawPath }: Uri): string {
  if (rawPath === '*' || /^(?:[A-Za-z0-9\-._~$&+,/:;=@!'()*[\]]|%[0-9a-fA-F]{2})*$/.test(rawPath)) return rawPath;
  return encodeURI(decode(rawPath).replace(/\p{Surrogate}/gu, '\ufffd')).replace(/[?#![\]'()*]/g, hexOf);
}
const hexOf = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

/** Returns the values of the query parameters by name, in order. Parameters that cannot be decoded are left out. */
export function queryValues(query: string): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const part of query.split('&')) {
    if (part === '' || part.includes(';')) continue;
    const equals = part.indexOf('=');
    try {
      const name = decode((equals < 0 ? part : part.slice(0, equals)).replaceAll('+', ' '));
      const value = equals < 0 ? '' : decode(part.slice(equals + 1).replaceAll('+', ' '));
      const own = values.get(name) ?? [];
      values.set(name, own);
      own.push(value);
    } catch (error) {
      if (!(error instanceof UriError)) throw error;
    }
  }
  return values;
}
