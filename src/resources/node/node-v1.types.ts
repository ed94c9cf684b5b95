// Made by `npm run api-types` of node-v1.ts.
import type { Filled } from '../../meta/sent-form.js';
import type * as core from '../core/core-v1.types.js';
import type * as meta from '../../schema/meta-v1.types.js';

/** The structs of the table, by their names. */
export interface NodeV1 {
  RuntimeClass: RuntimeClass;
  Overhead: Overhead;
  Scheduling: Scheduling;
}

/** A way to run containers. */
export interface RuntimeClass extends Filled<'metadata'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The name of the handler on nodes; immutable. */
  readonly handler: string;
  /** The resources of a pod in addition to those of its containers. */
  readonly overhead?: Overhead;
  /** The nodes that can run it. */
  readonly scheduling?: Scheduling;
}

/** The resources of a pod in addition to those of its containers. */
export interface Overhead {
  /** The overhead of each pod. */
  readonly podFixed?: core.ResourceList;
}

/** The nodes that can run it. */
export interface Scheduling {
  /** Labels that nodes must have. */
  readonly nodeSelector?: { readonly [key: string]: string };
  /** Taints that its pods tolerate. */
  readonly tolerations?: readonly core.Toleration[];
}
