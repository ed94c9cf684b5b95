/** Returns a function that calls `make` when its result is first needed, and caches the result. */
export function once<T>(make: () => T): () => T {
  let cached: { readonly value: T } | undefined;
  return () => {
    cached ??= { value: make() };
    return cached.value;
  };
}

/** Longer strings are not cached, because they rarely repeat. */
const MAX_LENGTH = 128;
const MAX_KNOWN = 4096;

/**
 * Returns a function with a bounded cache for short strings, because the same few names and numbers occur in every object. Results are
 * shared and must not be changed.
 */
export function cachedByText<T>(make: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const result = make(text);
    if (text.length > MAX_LENGTH) return result;
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(text, result);
    return result;
  };
}

/** Returns a function that creates a value when it is first called with an object, and caches the value for as long as the object lives. */
export function perObject<K extends object, V>(make: (object: K) => V): (object: K) => V {
  const cache = new WeakMap<K, { readonly value: V }>();
  return (object) => {
    let known = cache.get(object);
    if (!known) cache.set(object, (known = { value: make(object) }));
    return known.value;
  };
}
