import { domainName, type Dialect, type Rulings } from '../meta/dialect.js';
import { type FieldError, fieldError, printed, quote } from '../meta/field-error.js';
import { wellKnownSigners } from '../meta/signers.js';
import { requestProblem } from '../pki/certificate-request.js';
import { decodeBase64 } from './base64.js';
import { type CertificateSigningRequest as Request, requestableUsages, type RequestCondition } from './certificate-signing-request-schema.js';
import { certificateContentProblem } from './issued-certificate.js';
import { validateSignerName } from './signer-name.js';
