import { fieldTable } from '../../schema/field-table.js';
import { metaV1 } from '../../schema/meta-v1.js';
import type { CertificatesV1alpha1 } from './certificates-v1alpha1.types.js';

/** The structs of certificates/v1alpha1. */
export const certificatesV1alpha1 = /* @__PURE__ */ fieldTable<CertificatesV1alpha1>(
  'io.k8s.api.certificates.v1alpha1',
  { meta: metaV1 },
  `
ClusterTrustBundle kind             X.509 trust anchors that every user may read.
  spec  2  ClusterTrustBundleSpec!  The trust anchors and their signer.

ClusterTrustBundleSpec     The trust anchors and their signer.
  signerName   1  string?  The signer of the anchors; immutable.
  trustBundle  2  string!  X.509 CA certificates, PEM, without duplicates.
`,
);
