import type { JsonValue } from '../../json/value.js';
import { apiError } from '../../meta/api-error.js';
import type { Schema } from '../../schema/schema.js';
import { messageOf } from '../../values/message-of.js';
import type { PathSet } from '../paths/path-set.js';
import { findProblems, formatProblems } from '../typed/validate-applied.js';

/** A value with its version and schema. */
export interface Typed {
  readonly value: JsonValue;
  readonly schema: Schema;
  readonly apiVersion: string;
}

/**
 * Converts an object to another served version of its kind; undefined when the version is not served. The fields of a manager are kept in
 * the version it wrote, and compared in that version (spec 6.10).
 */
export type Convert = (object: Typed, apiVersion: string) => Typed | undefined;

/**
 * Thrown by a {@link Convert} whose conversion is asynchronous. The caller that passed the function runs the conversion and starts over.
 */
export class ConversionNeeded extends Error {
  override readonly name = 'ConversionNeeded';
  readonly object: Typed;
  readonly apiVersion: string;

  constructor(object: Typed, apiVersion: string) {
    super('the conversion has to be waited for');
    this.object = object;
    this.apiVersion = apiVersion;
  }
}

/**
 * Returns a conversion that refuses fields that the schema of the wanted version does not declare, as the reference's merge does. Duplicate
 * keys in lists are tolerated, because stored objects may have them.
 */
export function strictly(convert: Convert): Convert {
  return (object, apiVersion) => {
    const converted = convert(object, apiVersion);
    const problems = converted ? findProblems(converted.schema, converted.value, { allowDuplicates: true }) : [];
    if (problems.length > 0) throw apiError.unknown(formatProblems(problems));
    return converted;
  };
}

/**
 * Converts an object unless it already is in the wanted version.
 * @throws ApiError 500 whose message is `failure`, a colon and the reason.
 */
export function inVersion(object: Typed, apiVersion: string, convert: Convert, failure: string): Typed | undefined {
  if (object.apiVersion === apiVersion) return object;
  try {
    return convert(object, apiVersion);
  } catch (error) {
    if (error instanceof ConversionNeeded) throw error;
    throw apiError.unknown(`${failure}: ${messageOf(error)}`);
  }
}

/** The conversion of a kind with a single version. */
export const oneVersion: Convert = (object, apiVersion) => (object.apiVersion === apiVersion ? object : undefined);

/** Paths that a write neither changes nor owns, by version. */
export type ResetFields = (apiVersion: string) => PathSet;
