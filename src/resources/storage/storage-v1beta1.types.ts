// Made by `npm run api-types` of storage-v1beta1.ts.
import type { Filled } from '../../meta/sent-form.js';
import type * as meta from '../../schema/meta-v1.types.js';

/** The structs of the table, by their names. */
export interface StorageV1beta1 {
  VolumeAttributesClass: VolumeAttributesClass;
}

/** Attributes that volumes can be changed to. */
export interface VolumeAttributesClass extends Filled<'metadata'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The driver of the volumes; immutable. */
  readonly driverName: string;
  /** Parameters for the driver; immutable. */
  readonly parameters?: { readonly [key: string]: string };
}
