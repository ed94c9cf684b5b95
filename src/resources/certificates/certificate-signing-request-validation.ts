import type { Rulings } from '../../meta/dialect.js';
import { errorsOf, type FieldError, fieldError, printed } from '../../meta/field-error.js';
import type { Host } from '../../meta/host.js';
import { wellKnownSigners } from '../../meta/signers.js';
import { DerError, readElements } from '../../pki/der/reader.js';
import { parseCertificate } from '../../pki/parse-certificate.js';
import { certificateRequestProblem } from '../../pki/parse-request.js';
import { decodePem, type PemBlock } from '../../pki/pem.js';
import { decodeBase64, decodeBase64Text } from '../../values/base64.js';
import { quote } from '../../values/quote.js';
import { requestableUsages } from './certificate-signing-request-schema.js';
import type {
  CertificateSigningRequestCondition,
  CertificateSigningRequest as Request,
} from './certificates-v1.types.js';
import { validateSignerName } from './signer-name.js';

const MIN_SECONDS = 600;
const CONDITIONS = 'status.conditions';
const CERTIFICATE = 'status.certificate';

/** Returns the validation errors of a new request, including those of its signature (spec 15.2). */
export async function validateNewRequest(
  { spec }: Request,
  { dialect, signatures }: Pick<Host, 'dialect' | 'signatures'>,
): Promise<FieldError[]> {
  // Before validation, `request` can be null, although its type excludes this.
  const { request, signerName, usages = [], expirationSeconds } = spec as Partial<Request['spec']>;
  const bytes = request === undefined || request === null ? undefined : decodeBase64(request);
  const problem = await certificateRequestProblem(bytes ? new TextDecoder().decode(bytes) : '', signatures);
  return [
    ...(problem === undefined ? [] : [fieldError.invalid('spec.request', printed(printBytes(bytes)), problem)]),
    ...(usages.length === 0 ? [fieldError.required('spec.usages')] : []),
    ...validateUsages(usages),
    ...(signerName === wellKnownSigners(dialect).legacy
      ? [fieldError.invalid('spec.signerName', signerName, 'the legacy signerName is not allowed via this API version')]
      : validateSignerName(signerName ?? '', 'spec.signerName')),
    ...(expirationSeconds !== undefined && expirationSeconds < MIN_SECONDS
      ? [
          fieldError.invalid(
            'spec.expirationSeconds',
            expirationSeconds,
            'may not specify a duration less than 600 seconds (10 minutes)',
          ),
        ]
      : []),
  ];
}

function validateUsages(usages: readonly string[]): FieldError[] {
  const known: readonly string[] = requestableUsages;
  const unknown = errorsOf(usages, (usage, i) =>
    known.includes(usage) ? [] : [fieldError.notSupported(`spec.usages[${i}]`, usage, known)],
  );
  const seen = new Set<string>();
  const doubled = errorsOf(usages, (usage, i) => {
    if (!seen.has(usage)) return seen.add(usage) && [];
    return [fieldError.duplicate(`spec.usages[${i}]`, usage)];
  });
  return [...unknown, ...doubled];
}

// Longer requests are cut in error messages, because a message prints every byte as `0x2d, ` and contains the request twice.
const MAX_PRINTED = 16_384;

/** Formats bytes for error messages. */
function printBytes(bytes: Uint8Array | undefined): string {
  if (!bytes) return '[]byte(nil)';
  const shown = Array.from(bytes.subarray(0, MAX_PRINTED), (byte) => `0x${byte.toString(16)}`).join(', ');
  return `[]byte{${shown}${bytes.length > MAX_PRINTED ? ', ...' : ''}}`;
}

/** Returns the validation errors of a status update by a signer (spec 15.4). */
export async function validateSigning(next: Request, old: Request, rulings: Rulings): Promise<FieldError[]> {
  const written = (next.status.certificate ?? '') !== (old.status.certificate ?? '');
  const errors = [
    ...validateConditions(next, old, rulings),
    ...(written ? await validateCertificate(next.status.certificate, old.status.certificate) : []),
    ...refuseRemoved(next, old),
    ...refuseAdded(next, old, ['Approved', 'Denied']),
    ...(written && (old.status.certificate ?? '') !== ''
      ? [fieldError.forbidden(CERTIFICATE, 'updates may not modify existing certificate content')]
      : []),
  ];
  if (errors.length > 0) return errors;
  return [
    ...(written && rulings.certificateNeedsApproval ? unapprovedCertificate(next) : []),
    ...(rulings.certificateFailureNeedsApproval ? validateFailedOrder(next, old) : []),
  ];
}

/** Returns the validation errors of an approval update (spec 15.4). */
export function validateApproval(next: Request, old: Request, rulings: Rulings): FieldError[] {
  return [
    ...validateConditions(next, old, rulings),
    ...refuseRemoved(next, old),
    ...(rulings.certificateNeedsApproval ? refuseAdded(next, old, ['Failed']) : []),
  ];
}

/** Returns the errors for the certificate of a request that is not approved, or that is denied or failed (spec 15.5). */
function unapprovedCertificate(next: Request): FieldError[] {
  const against = ['Denied', 'Failed'].filter((type) => count(next, type) > 0);
  return [
    ...(count(next, 'Approved') === 0
      ? ['updates may not set certificate content without a condition of type "Approved"']
      : []),
    ...against.map((type) => `updates may not set certificate content beside a condition of type ${quote(type)}`),
  ].map((why) => fieldError.forbidden(CERTIFICATE, why));
}

/** Returns the errors for a condition Failed that is added before the approval, or after the certificate was issued (spec 19.17). */
function validateFailedOrder(next: Request, old: Request): FieldError[] {
  if (count(next, 'Failed') <= count(old, 'Failed')) return [];
  const why = 'updates may not add a condition of type "Failed"';
  return [
    ...(count(next, 'Approved') === 0 ? [`${why} without a condition of type "Approved"`] : []),
    ...((next.status.certificate ?? '') === '' ? [] : [`${why} beside a certificate`]),
  ].map((text) => fieldError.forbidden(CONDITIONS, text));
}

const conditionsOf = ({ status }: Request): readonly CertificateSigningRequestCondition[] => status.conditions ?? [];
const count = (request: Request, type: string) =>
  conditionsOf(request).filter((condition) => condition.type === type).length;

function refuseRemoved(next: Request, old: Request): FieldError[] {
  return ['Approved', 'Denied', 'Failed']
    .filter((type) => count(next, type) < count(old, type))
    .map((type) => fieldError.forbidden(CONDITIONS, `updates may not remove a condition of type ${quote(type)}`));
}

function refuseAdded(next: Request, old: Request, types: readonly string[]): FieldError[] {
  return types
    .filter((type) => count(next, type) > count(old, type))
    .map((type) => fieldError.forbidden(CONDITIONS, `updates may not add a condition of type ${quote(type)}`));
}

/** Checks the certificate, unless the stored one is already invalid. */
async function validateCertificate(certificate = '', stored = ''): Promise<FieldError[]> {
  const problem = await certificateProblem(certificate);
  return problem === undefined || (await certificateProblem(stored)) !== undefined
    ? []
    : [fieldError.invalid(CERTIFICATE, '<certificate data>', problem)];
}

async function certificateProblem(certificate: string): Promise<string | undefined> {
  return certificate === '' ? undefined : await issuedCertificateProblem(decodeBase64Text(certificate));
}

const ONLY_TRUE: readonly string[] = ['True'];
const ANY_STATUS: readonly string[] = ['False', 'True', 'Unknown'];
const FINAL: readonly string[] = ['Approved', 'Denied', 'Failed'];

/** Checks the conditions. Errors that the stored object already has are accepted. */
function validateConditions(next: Request, old: Request, { certificateConditionTypes: known }: Rulings): FieldError[] {
  const before = conditionsOf(old);
  const allow = {
    both: count(old, 'Approved') > 0 && count(old, 'Denied') > 0,
    doubled: new Set(before.map(({ type }) => type)).size < before.length,
    empty: count(old, '') > 0,
  };
  const seen = new Set<string>();
  return errorsOf(conditionsOf(next), ({ type, status }, i) => {
    const path = `${CONDITIONS}[${i}]`;
    const supported = FINAL.includes(type) ? ONLY_TRUE : ANY_STATUS;
    const opposite = type === 'Approved' ? 'Denied' : type === 'Denied' ? 'Approved' : undefined;
    const errors: FieldError[] = [];
    if (type === '' && !allow.empty) errors.push(fieldError.required(`${path}.type`));
    else if (known && !known.includes(type) && count(old, type) === 0)
      errors.push(fieldError.notSupported(`${path}.type`, type, known));
    if (status === '') errors.push(fieldError.required(`${path}.status`));
    else if (!supported.includes(status)) errors.push(fieldError.notSupported(`${path}.status`, status, supported));
    if (opposite !== undefined && seen.has(opposite) && !allow.both)
      errors.push(fieldError.invalid(`${path}.type`, type, 'Approved and Denied conditions are mutually exclusive'));
    if (seen.has(type) && !allow.doubled) errors.push(fieldError.duplicate(`${path}.type`, type));
    seen.add(type);
    return errors;
  });
}

/** Returns why the certificates that a signer wrote (one or more PEM blocks) are invalid (spec 15.6); undefined when they are valid. */
async function issuedCertificateProblem(pem: string): Promise<string | undefined> {
  const blocks = decodePem(pem);
  for (const block of blocks) {
    const problem = await blockProblem(block);
    if (problem !== undefined) return problem;
  }
  return blocks.length === 0 ? 'must contain at least one CERTIFICATE PEM block' : undefined;
}

async function blockProblem({ label, headers, bytes }: PemBlock): Promise<string | undefined> {
  if (label !== 'CERTIFICATE') return `only CERTIFICATE PEM blocks are allowed, found ${quote(label)}`;
  if (headers.size > 0) return 'no PEM block headers are permitted';
  if (bytes.length === 0) return 'found CERTIFICATE PEM block containing 0 certificates';
  try {
    for (const { raw } of readElements(bytes)) await parseCertificate(raw);
    return undefined;
  } catch (error) {
    if (error instanceof DerError) return 'x509: malformed certificate';
    throw error;
  }
}
