/** Returns a function that calls `make` when its result is first needed, and caches the result. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/**
 * Returns a function that loads a value when it is first needed. It returns a promise until the value is loaded, then the value itself, so
 * that later calls do not wait. After a failure the next call tries again.
 */
export function loadedOnce<T extends object>(load: () => Promise<T>): () => T | Promise<T> {
  let loaded: T | undefined;
  let loading: Promise<T> | undefined;
  const keep = async () => {
    try {
      loaded = await load();
      return loaded;
    } finally {
      loading = undefined;
    }
  };
  return () => loaded ?? (loading ??= keep());
}
