import type { DistinguishedName } from './names/distinguished-name.js';
import type { GeneralNames } from './names/general-names.js';
import type { SignedData } from './verify-signature.js';

/** The facts of a PKCS #10 request. */
export interface CertificateRequest extends SignedData {
  readonly raw: Uint8Array;
  readonly subject: DistinguishedName;
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: Uint8Array;
  /** The names it asks for beside the subject. */
  readonly subjectAltNames: GeneralNames;
}
