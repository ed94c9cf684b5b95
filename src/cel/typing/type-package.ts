import type { Dialect } from '../../meta/dialect.js';

/** The package of the types that the API adds to the language: `kubernetes` has `kubernetes.Quantity`. */
export type TypePackage = Dialect['typePackage'];

/** What names types of a package, made once for each. The package is upstream's unless one is given. */
export function byPackage<T>(make: (typePackage: TypePackage) => T): (typePackage?: TypePackage) => T {
  const known = new Map<TypePackage, T>();
  return (typePackage = 'kubernetes') => {
    let made = known.get(typePackage);
    if (made === undefined) known.set(typePackage, (made = make(typePackage)));
    return made;
  };
}
