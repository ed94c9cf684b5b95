import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { certificateSigningRequest } from './certificate-signing-request.js';
import { clusterTrustBundle } from './cluster-trust-bundle.js';

export type { CertificateSigningRequest } from './certificates-v1.types.js';
export type { ClusterTrustBundle } from './certificates-v1alpha1.types.js';
export { certificateSigningRequest, clusterTrustBundle };

/** The kinds of the group certificates. */
export const certificatesKinds: readonly ResourceDefinition[] = [certificateSigningRequest, clusterTrustBundle];
