/**
 * `orch-apiserver/pki`: certificate authorities, certificates and certificate signing requests, and the interface for signing and for
 * verifying signatures.
 */
export {
  type CertificateAuthorityOptions,
  type CertificateOptions,
  createCertificateAuthority,
  issueCertificate,
  type KeyPair,
} from '../pki/certificate-authority.js';
export type { CertificateRequest } from '../pki/certificate-request.js';
export type { DistinguishedName } from '../pki/names/distinguished-name.js';
export type { GeneralNames } from '../pki/names/general-names.js';
export { certificateRequestProblem, parseCertificateRequest } from '../pki/parse-request.js';
export { type SignRequestOptions, signRequest } from '../pki/sign-request.js';
export type { SignedData } from '../pki/verify-signature.js';
export type { Curve, GeneratedKey, Hash, SignatureScheme, Signatures, Signer } from '../signatures/signatures.js';
export { systemSignatures } from '../signatures/system-signatures.js';
