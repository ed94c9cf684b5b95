import { fieldTable } from '../../schema/field-table.js';
import { metaV1 } from '../../schema/meta-v1.js';
import type { CertificatesV1 } from './certificates-v1.types.js';

/** The structs of certificates/v1. */
export const certificatesV1 = /* @__PURE__ */ fieldTable<CertificatesV1>(
  'io.k8s.api.certificates.v1',
  { meta: metaV1 },
  `
KeyUsage = string {any, cert sign, client auth, code signing, content commitment, crl sign, data encipherment, decipher only, digital signature, email protection, encipher only, ipsec end system, ipsec tunnel, ipsec user, key agreement, key encipherment, microsoft sgc, netscape sgc, ocsp signing, s/mime, server auth, signing, timestamping}
ExtraValue = []string
RequestConditionType = string

CertificateSigningRequest kind                Requests an X.509 certificate from a signer.
  spec    2  CertificateSigningRequestSpec!   The request; immutable.
  status  3  CertificateSigningRequestStatus  The state of the request.

CertificateSigningRequestSpec               The request, its requester and its signer.
  request            1  bytes atomic!       A PKCS #10 request in PEM form.
  signerName         7  string!             The signer.
  expirationSeconds  8  int32*              The requested validity of the certificate in seconds, at least 600; a signer may shorten it.
  usages             5  []KeyUsage atomic?  The usages of the certificate.
  username           2  string?             The requester; set by the server.
  uid                3  string?             Uid of the requester; set by the server.
  groups             4  []string atomic?    Groups of the requester; set by the server.
  extra              6  map(ExtraValue)?    Extra attributes of the requester; set by the server.

CertificateSigningRequestStatus                                 The state of the request.
  conditions   1  []CertificateSigningRequestCondition by(type)?  The state of the request.
  certificate  2  bytes atomic?                                 The certificate in PEM form, optionally followed by intermediate ones.

CertificateSigningRequestCondition              A condition of a request.
  type                1  RequestConditionType!  Approved, Denied, Failed, or a type of a signer’s own.
  status              6  meta.ConditionStatus!  True, False or Unknown.
  reason              2  string?                The reason, in one word.
  message             3  string?                The reason, for people.
  lastUpdateTime      4  Time                   When it was last updated.
  lastTransitionTime  5  Time                   When its status last changed.
`,
);
