import type { Signatures } from '../meta/signatures.js';
import { extensionOid } from './certificate.js';
import {
  type DerElement,
  DerError,
  derTag,
  expectTag,
  readBitString,
  readElement,
  readElements,
  readOid,
  readSmallInteger,
  readWhole,
} from './der-reader.js';
import { type DistinguishedName, distinguishedName } from './distinguished-name.js';
import { type GeneralNames, readGeneralNames } from './general-names.js';
import { decodePem } from './pem.js';
import { keySignatureProblem, type SignedData } from './verify-signature.js';

/** The facts of a PKCS #10 request. Byte arrays are views into `raw`. */
export interface CertificateRequest extends SignedData {
  readonly raw: Uint8Array;
  readonly subject: DistinguishedName;
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: Uint8Array;
  /** The names it asks for beside the subject. */
  readonly subjectAltNames: GeneralNames;
}

const LABEL = 'CERTIFICATE REQUEST';
/** The attribute that holds the extensions asked for (RFC 2985, 5.4.2). */
const EXTENSION_REQUEST = '1.2.840.113549.1.9.14';
const NO_NAMES: GeneralNames = { dns: [], email: [], uri: [], ip: [] };

/**
 * Reads the request in the first block of a PEM text; what stands around it is ignored. Nothing is verified.
 * @throws DerError, worded like the upstream server's where that names the fault itself.
 */
export function parseCertificateRequest(pem: string): CertificateRequest {
  const [block] = decodePem(pem);
  if (block?.label !== LABEL) throw new DerError(`PEM block type must be ${LABEL}`);
  return parseRequest(block.bytes);
}

/**
 * Whether a request is signed with the key it is for.
 * @returns what is wrong as the upstream server words it, or undefined.
 */
export function requestSignatureProblem(
  request: CertificateRequest,
  signatures?: Signatures,
): Promise<string | undefined> {
  return keySignatureProblem(request, request, { allowSha1: true, ...(signatures ? { signatures } : {}) });
}

/**
 * What is wrong with a request in PEM form: its form, its content, its signature. Undefined when all is well
 * (gap file identity, 2.5.3).
 */
export async function certificateRequestProblem(pem: string, signatures?: Signatures): Promise<string | undefined> {
  let request: CertificateRequest;
  try {
    request = parseCertificateRequest(pem);
  } catch (error) {
    if (error instanceof DerError) return error.message;
    throw error;
  }
  return requestSignatureProblem(request, signatures);
}

function parseRequest(der: Uint8Array): CertificateRequest {
  const outer = readFrame(der);
  try {
    const [tbs, algorithm, signature, ...extra] = readElements(outer);
    const [version, subject, publicKey, attributes, ...rest] = readElements(expectTag(tbs, derTag.sequence));
    if (extra.length > 0 || rest.length > 0) throw new DerError('trailing data');
    expectTag(algorithm, derTag.sequence);
    expectTag(publicKey, derTag.sequence);
    if (tbs === undefined || algorithm === undefined || publicKey === undefined) throw new DerError('unexpected end');
    readSmallInteger(expectTag(version, derTag.integer));
    return {
      raw: der,
      tbs: tbs.raw,
      signatureAlgorithm: algorithm.raw,
      signature: readBitString(expectTag(signature, derTag.bitString)),
      subject: distinguishedName(subject),
      publicKey: publicKey.raw,
      subjectAltNames: attributes ? requestedNames(expectTag(attributes, derTag.constructed(0))) : NO_NAMES,
    };
  } catch (error) {
    if (error instanceof DerError) throw new DerError(`asn1: structure error: ${error.message}`);
    throw error;
  }
}

/** The content of the outermost element. @throws DerError */
function readFrame(der: Uint8Array): Uint8Array {
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
  return expectTag(frame, derTag.sequence);
}

/** The alternative names among the extensions asked for; other extensions and attributes are passed over. */
function requestedNames(attributes: Uint8Array): GeneralNames {
  for (const attribute of readElements(attributes)) {
    const [id, values] = readElements(expectTag(attribute, derTag.sequence));
    if (readOid(expectTag(id, derTag.oid)) !== EXTENSION_REQUEST) continue;
    for (const extension of readElements(readWhole(expectTag(values, derTag.set), derTag.sequence))) {
      const fields = readElements(expectTag(extension, derTag.sequence));
      if (readOid(expectTag(fields[0], derTag.oid)) !== extensionOid.subjectAltName) continue;
      const value = expectTag(fields.at(-1), derTag.octetString);
      return readGeneralNames(readElements(readWhole(value, derTag.sequence)));
    }
  }
  return NO_NAMES;
}
