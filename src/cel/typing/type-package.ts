import type { Dialect } from '../../meta/dialect.js';

/** The package of the types that the API adds to the language; for example, `kubernetes` has `kubernetes.Quantity`. */
export type TypePackage = Dialect['typePackage'];

/** Returns a function that calls `make` once for each package of types and caches the results. Its default is upstream's package. */
export function byPackage<T>(make: (typePackage: TypePackage) => T): (typePackage?: TypePackage) => T {
  const known = new Map<TypePackage, T>();
  return (typePackage = 'kubernetes') => {
    let cached = known.get(typePackage);
    if (cached === undefined) known.set(typePackage, (cached = make(typePackage)));
    return cached;
  };
}
