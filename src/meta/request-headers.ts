/** Headers as the core sees them: names in lower case. */
export interface RequestHeaders {
  /** The first value of a header. */
  get(name: string): string | undefined;
  /** All values, in order. */
  all(name: string): readonly string[];
  /** The names that begin with a prefix, in lower case and each once. */
  names(prefix: string): readonly string[];
}

/** Headers from names and their value or values; names in any case. */
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
