import type { DistinguishedName } from './names/distinguished-name.js';
import type { GeneralNames } from './names/general-names.js';
import type { SignedData } from './verify-signature.js';

/** The content of a PKCS #10 request. */
export interface CertificateRequest extends SignedData {
  /** The encoded request (DER). */
  readonly raw: Uint8Array;
  /** The requested subject. */
  readonly subject: DistinguishedName;
  /** The SubjectPublicKeyInfo, DER. */
  readonly publicKey: Uint8Array;
  /** The requested subject alternative names. */
  readonly subjectAltNames: GeneralNames;
}
