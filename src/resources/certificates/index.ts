import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { certificateSigningRequest } from './certificate-signing-request.js';
import { clusterTrustBundle } from './cluster-trust-bundle.js';

export { type CertificateSigningRequest, certificateSigningRequest } from './certificate-signing-request.js';
export { type ClusterTrustBundle, clusterTrustBundle } from './cluster-trust-bundle.js';

/** The kinds of the group certificates. */
export const certificatesKinds: readonly ResourceDefinition[] = [certificateSigningRequest, clusterTrustBundle];
