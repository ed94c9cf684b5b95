import { isJsonObject, type JsonValue } from '../json/value.js';
import { plainText, typeText } from '../patch/plain-text.js';

/** Splits a path into its field names: `.spec.a` becomes `spec`, `a`. */
export const stepsOf = (path: string): readonly string[] => path.replace(/^\./, '').split('.');

/** Returns the value at a path; undefined when a field on the way is absent. */
export function fieldAt(object: unknown, steps: readonly string[]): unknown {
  let at = object;
  for (const step of steps) {
    if (!isJsonObject(at) || !Object.hasOwn(at, step)) return undefined;
    at = at[step];
  }
  return at;
}

interface Typed {
  readonly int64: number;
  readonly string: string;
}

/** The value at a path (undefined when a field is absent), or an error in upstream's words for a value of another type. */
export type TypedField<V> =
  | { readonly value: V | undefined; readonly problem?: undefined }
  | { readonly problem: string };

/** Reads a field of an expected type. */
export function typedFieldAt<K extends keyof Typed>(
  object: object,
  steps: readonly string[],
  type: K,
): TypedField<Typed[K]> {
  let at = object as unknown as JsonValue; // An API object is plain JSON, so the cast is safe.
  const wrongType = (upTo: number, expectedType: string) => {
    const is = at === null ? '<nil>' : typeText(at);
    return {
      problem: `.${steps.slice(0, upTo).join('.')} accessor error: ${plainText(at)} is of the type ${is}, expected ${expectedType}`,
    };
  };
  for (const [i, step] of steps.entries()) {
    if (at === null) return { value: undefined };
    if (!isJsonObject(at)) return wrongType(i + 1, 'map[string]interface{}');
    if (!Object.hasOwn(at, step)) return { value: undefined };
    at = at[step] as JsonValue; // A member of plain JSON is plain JSON, so the cast is safe.
  }
  if (at === null || typeText(at) !== type) return wrongType(steps.length, type);
  return { value: at as Typed[K] }; // `typeText` has checked the type, so the cast is safe.
}
