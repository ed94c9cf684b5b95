/** The headers of a request, with names in lower case. */
export interface RequestHeaders {
  /** Returns the first value of a header. */
  get(name: string): string | undefined;
  /** Returns all values of a header, in order. */
  all(name: string): readonly string[];
  /** Returns the names that begin with a prefix, in lower case and without duplicates. */
  names(prefix: string): readonly string[];
}

/** Returns whether a request asks to upgrade its connection to a WebSocket. */
export const requestsWebSocket = (headers: Pick<RequestHeaders, 'get'>): boolean =>
  headers.get('upgrade')?.toLowerCase() === 'websocket';

/** Creates request headers from an object whose keys are names in upper or lower case. Each name has one value or a list of values. */
export function headersOf(values: Readonly<Record<string, string | readonly string[]>> = {}): RequestHeaders {
  const lists = new Map(
    Object.entries(values).map(([name, value]) => [name.toLowerCase(), typeof value === 'string' ? [value] : value]),
  );
  return {
    get: (name) => lists.get(name)?.[0],
    all: (name) => lists.get(name) ?? [],
    names: (prefix) => [...lists.keys()].filter((name) => name.startsWith(prefix)),
  };
}
