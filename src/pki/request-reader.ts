import { CertificationRequest } from '@peculiar/asn1-csr';
import { type Attribute, Extensions } from '@peculiar/asn1-x509';
import { extensionOid } from './certificate.js';
import type { CertificateRequest } from './certificate-request.js';
import { encode, readExactly } from './der/asn1.js';
import { type DerElement, DerError, derTag, readElement, readElements, readWhole } from './der/reader.js';
import { type ElementBudget, MAX_ELEMENTS } from './der/structure.js';
import { type GeneralNames, readGeneralNames } from './names/general-names.js';
import { readName } from './names/name-reader.js';
import { decodePem } from './pem.js';
import { checkPublicKey } from './public-key.js';

const LABEL = 'CERTIFICATE REQUEST';
/** The attribute with the requested extensions (RFC 2985, 5.4.2). */
const EXTENSION_REQUEST = '1.2.840.113549.1.9.14';
const NO_NAMES: GeneralNames = { dns: [], email: [], uri: [], ip: [] };
const MAX_LENGTH = 65_536;

/** Reads a request as `parseCertificateRequest` does. */
export function readRequest(pem: string): CertificateRequest {
  const [block] = decodePem(pem);
  if (block?.label !== LABEL) throw new DerError(`PEM block type must be ${LABEL}`);
  const der = block.bytes;
  checkFrame(der);
  try {
    return readStructure(der);
  } catch (error) {
    if (error instanceof DerError && !error.message.startsWith('x509: '))
      throw new DerError(`asn1: structure error: ${error.message}`);
    throw error;
  }
}

function readStructure(der: Uint8Array): CertificateRequest {
  if (der.length > MAX_LENGTH) throw new DerError('request is too large');
  const budget = { left: MAX_ELEMENTS };
  const request = readExactly(der, CertificationRequest, budget);
  const { certificationRequestInfo: info, certificationRequestInfoRaw: tbs } = request;
  checkPublicKey(info.subjectPKInfo);
  return {
    raw: der,
    tbs: tbs ? new Uint8Array(tbs) : encode(info),
    signatureAlgorithm: encode(request.signatureAlgorithm),
    signature: new Uint8Array(request.signature),
    subject: readName(info.subject),
    publicKey: encode(info.subjectPKInfo),
    subjectAltNames: requestedNames(info.attributes, budget),
  };
}

/** Checks the outermost element, so that its errors have upstream's messages. @throws DerError */
function checkFrame(der: Uint8Array): void {
  const [tag = 0, length = 0] = der;
  if (der.length < 2)
    throw new DerError(
      der.length === 0 ? 'asn1: syntax error: sequence truncated' : 'asn1: syntax error: truncated tag or length',
    );
  if (tag !== derTag.sequence && length < 0x80) {
    const found = `{class:${tag >> 6} tag:${tag & 0x1f} length:${length} isCompound:${(tag & 0x20) !== 0}}`;
    throw new DerError(
      `asn1: structure error: tags don't match (16 vs ${found}) {optional:false explicit:false application:false private:false ` +
        'defaultValue:<nil> tag:<nil> stringType:0 timeType:0 set:false omitEmpty:false} certificateRequest @2',
    );
  }
  let frame: DerElement;
  try {
    frame = readElement(der);
  } catch {
    throw new DerError('asn1: syntax error: data truncated');
  }
  if (frame.raw.length !== der.length) throw new DerError('asn1: syntax error: trailing data');
}

/** Returns the alternative names in the requested extensions. Other extensions and attributes are ignored. */
function requestedNames(attributes: readonly Attribute[], budget: ElementBudget): GeneralNames {
  for (const { type, values } of attributes) {
    const [value] = values;
    if (type !== EXTENSION_REQUEST || value === undefined) continue;
    for (const { extnID, extnValue } of readExactly(new Uint8Array(value), Extensions, budget)) {
      if (extnID !== extensionOid.subjectAltName) continue;
      return readGeneralNames(readElements(readWhole(new Uint8Array(extnValue.buffer), derTag.sequence)));
    }
  }
  return NO_NAMES;
}
