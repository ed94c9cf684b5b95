/** Any JSON value, readonly all the way down. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object. Absent and `undefined` members mean the same. */
export interface JsonObject {
  readonly [name: string]: JsonValue | undefined;
}

/** Whether a value is a JSON object (not null, not a list). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
