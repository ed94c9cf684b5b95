/** Returns the object without undefined members. */
export function present<T extends object>(object: { readonly [K in keyof T]: T[K] | undefined }): T {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as T; // Only undefined members have been removed, so the cast is safe.
}
