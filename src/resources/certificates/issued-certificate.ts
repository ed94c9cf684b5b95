import { DerError, readElements } from '../../pki/der/reader.js';
import { parseCertificate } from '../../pki/parse-certificate.js';
import { decodePem, type PemBlock } from '../../pki/pem.js';
import { quote } from '../../values/quote.js';

/** Returns the problem of the certificates that a signer wrote, as one or more PEM blocks (spec 15.6). Undefined when they are valid. */
export async function issuedCertificateProblem(pem: string): Promise<string | undefined> {
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
