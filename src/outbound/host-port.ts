/** A host as addresses have it: an address of IPv6 in brackets. */
export const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** `host`, `host:port`, `[2001:db8::1]:port` or `2001:db8::1` taken apart: a host without brackets, and '' for a port that is not there. */
export function splitHostPort(text: string): { readonly host: string; readonly port: string } {
  const [, within, name, port = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(text) ?? [];
  return { host: within ?? name ?? text, port };
}

/** The other way round. */
export const joinHostPort = (host: string, port: string | number): string =>
  port === '' ? bracketed(host) : `${bracketed(host)}:${port}`;
