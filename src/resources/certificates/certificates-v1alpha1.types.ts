// Made by `npm run api-types` of certificates-v1alpha1.ts.
import type { Filled } from '../../meta/sent-form.js';
import type * as meta from '../../schema/meta-v1.types.js';

/** The structs of the table, by their names. */
export interface CertificatesV1alpha1 {
  ClusterTrustBundle: ClusterTrustBundle;
  ClusterTrustBundleSpec: ClusterTrustBundleSpec;
}

/** X.509 trust anchors that every user may read. */
export interface ClusterTrustBundle extends Filled<'metadata'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The trust anchors and their signer. */
  readonly spec: ClusterTrustBundleSpec;
}

/** The trust anchors and their signer. */
export interface ClusterTrustBundleSpec {
  /** The signer of the anchors; immutable. */
  readonly signerName?: string;
  /** X.509 CA certificates, PEM, without duplicates. */
  readonly trustBundle: string;
}
