/** Returns a host as it is written in `host:port`, with an IPv6 address in brackets. */
export const bracketHost = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** Splits `host`, `host:port`, `[2001:db8::1]:port` or `2001:db8::1`. The host has no brackets, and the port is '' when it is absent. */
export function splitHostPort(text: string): { readonly host: string; readonly port: string } {
  const [, within, name, port = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(text) ?? [];
  return { host: within ?? name ?? text, port };
}

/** Joins a host and a port ('' for none); the inverse of {@link splitHostPort}. */
export const joinHostPort = (host: string, port: string | number): string =>
  port === '' ? bracketHost(host) : `${bracketHost(host)}:${port}`;

/** Returns a host without the brackets around an IPv6 address; the inverse of {@link bracketHost}. */
export const unbracketHost = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');

/** Returns the host of a URL, with an IPv6 address without brackets. */
export const hostOfUrl = (url: string): string => unbracketHost(new URL(url).hostname);
