/** A GET as a server of this process takes it, with these headers. */
export function request(path, given = {}) {
  const headers = new Map(Object.entries({ accept: 'application/json', ...given }));
  return {
    method: 'GET',
    path,
    query: '',
    headers: {
      get: (name) => headers.get(name),
      all: (name) => (headers.has(name) ? [headers.get(name)] : []),
      names: (prefix) => [...headers.keys()].filter((name) => name.startsWith(prefix)),
    },
  };
}
