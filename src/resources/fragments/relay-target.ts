/** What the path of a proxy names: an object, and a port of it by number or name. */
export interface RelayTarget {
  readonly name: string;
  /** '' where none is given. */
  readonly port: string;
}

/** `name`, `name:port` or `scheme:name:port`; undefined for anything else. */
export function readTarget(text: string): RelayTarget | undefined {
  const parts = text.split(':');
  const [scheme = '', name = '', port = ''] = parts.length < 3 ? ['', ...parts] : parts;
  return parts.length > 3 || name === '' || !['', 'http', 'https'].includes(scheme) ? undefined : { name, port };
}

/** The parameter of every proxy. */
export const PATH_PARAMETER = { name: 'path', type: 'string', description: 'Path there, as in a URL.' } as const;

/** Methods by which a proxy is asked, as verbs. */
export const PROXY_VERBS = ['create', 'delete', 'get', 'patch', 'update'] as const;
