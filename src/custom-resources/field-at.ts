import { isRecord } from '../schema/json-objects.js';

/** The steps of a path that names fields only: `.spec.a` is spec, a. */
export const stepsOf = (path: string): readonly string[] => path.replace(/^\./, '').split('.');

/** What is at the end of a path; undefined where it ends before. */
export function fieldAt(object: unknown, steps: readonly string[]): unknown {
  let at = object;
  for (const step of steps) {
    if (!isRecord(at) || !Object.hasOwn(at, step)) return undefined;
    at = at[step];
  }
  return at;
}
