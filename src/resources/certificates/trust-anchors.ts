import { type FieldError, fieldError, printed } from '../../meta/field-error.js';
import type { Certificate } from '../../pki/certificate.js';
import { parseCertificate } from '../../pki/parse-certificate.js';
import { decodePem, type PemBlock } from '../../pki/pem.js';
import { isLongerThan } from '../../values/utf8.js';

const MAX_BYTES = 1024 * 1024;
// Every byte becomes one character, so texts are equal exactly when their bytes are.
const latin1 = new TextDecoder('latin1');

/** Returns the problems of a bundle of trust anchors. Messages do not show its content (spec 15.13). */
export async function validateTrustAnchors(bundle: string, path: string): Promise<FieldError[]> {
  if (isLongerThan(bundle, MAX_BYTES)) return [fieldError.tooLong(path, MAX_BYTES)];
  const invalid = (why: string) => fieldError.invalid(path, printed('"<value omitted>"'), why);
  const blocks = decodePem(bundle);
  const found = await Promise.all(blocks.map(blockProblem));
  const problems = found.filter((problem) => problem !== undefined);
  if (problems.length > 0) return problems.map(invalid);
  if (blocks.length === 0) return [invalid('at least one trust anchor must be provided')];

  const indices = new Map<string, number[]>();
  for (const [index, { bytes }] of blocks.entries()) {
    const text = latin1.decode(bytes);
    const same = indices.get(text);
    if (same) same.push(index);
    else indices.set(text, [index]);
  }
  return [...indices.values()]
    .filter((same) => same.length > 1)
    .map((same) => invalid(`duplicate trust anchor (indices [${same.join(' ')}])`));
}

async function blockProblem({ label, headers, bytes }: PemBlock, index: number): Promise<string | undefined> {
  if (label !== 'CERTIFICATE') return `entry ${index} has bad block type: ${label}`;
  if (headers.size > 0) return `entry ${index} has PEM block headers`;
  let certificate: Certificate;
  try {
    certificate = await parseCertificate(bytes);
  } catch {
    return `entry ${index} does not parse as X.509`;
  }
  return certificate.basicConstraints?.ca === true ? undefined : `entry ${index} does not have the CA bit set`;
}
