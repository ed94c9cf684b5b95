/** Calls a function when its result is first needed, and keeps that. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/**
 * Loads something when it is first needed: a promise until it is there, then itself, so that later calls do not wait. A load that
 * failed is tried again by the next call.
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
