import { defineKind } from '../../registry/built-in-kind.js';
import type { ResourceDefinition } from '../../registry/resource-definition.js';

export type { CertificateSigningRequest } from './certificates-v1.types.js';
export type { ClusterTrustBundle } from './certificates-v1alpha1.types.js';

/** v1 CertificateSigningRequest: asks a signer for an X.509 certificate (spec 15.1). */
export const certificateSigningRequest = defineKind(
  {
    groupStem: 'certificates',
    version: 'v1',
    knownVersions: ['v1beta1'],
    kind: 'CertificateSigningRequest',
    plural: 'certificatesigningrequests',
    shortNames: ['csr'],
    scope: 'Cluster',
    subresources: { status: {}, approval: {} },
  },
  async () => (await import('./certificate-signing-request.js')).certificateSigningRequestRules,
);

/** v1alpha1 ClusterTrustBundle: trust anchors for all users, which may belong to one signer (spec 15.11). */
export const clusterTrustBundle = defineKind(
  {
    groupStem: 'certificates',
    version: 'v1alpha1',
    kind: 'ClusterTrustBundle',
    plural: 'clustertrustbundles',
    scope: 'Cluster',
    featureGate: 'ClusterTrustBundle',
    deprecation: { since: '1.29', removed: '1.32' },
    allowUnconditionalUpdate: false,
  },
  async () => (await import('./cluster-trust-bundle.js')).clusterTrustBundleRules,
);

/** The kinds of the group certificates. */
export const certificatesKinds: readonly ResourceDefinition[] = [certificateSigningRequest, clusterTrustBundle];
