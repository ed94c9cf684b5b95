import type { JsonValue } from '../../json/value.js';
import type { Schema } from '../../schema/schema.js';
import type { PathSet } from '../paths/path-set.js';

/** A value and the version and schema it is in. */
export interface Typed {
  readonly value: JsonValue;
  readonly schema: Schema;
  readonly apiVersion: string;
}

/**
 * Writes an object in another served version of its kind, with that version's schema; undefined when the version is not
 * served. What a manager owns is kept in the version it wrote, and compared in that version (spec 6.10).
 */
export type Convert = (object: Typed, apiVersion: string) => Typed | undefined;

/** Thrown by a {@link Convert} that cannot answer at once: whoever gave it asks for this conversion, and begins anew. */
export class ConversionWanted extends Error {
  override readonly name = 'ConversionWanted';
  readonly object: Typed;
  readonly apiVersion: string;

  constructor(object: Typed, apiVersion: string) {
    super('the conversion has to be waited for');
    this.object = object;
    this.apiVersion = apiVersion;
  }
}

/** For kinds of one version. */
export const oneVersion: Convert = (object, apiVersion) => (object.apiVersion === apiVersion ? object : undefined);

/** Paths that a write neither changes nor owns, by version. */
export type ResetFields = (apiVersion: string) => PathSet;
