import { type FieldError, fieldError, printed } from '../../meta/field-error.js';
import { METADATA_CHECK } from '../../meta/object-meta-validation.js';
import type { Certificate } from '../../pki/certificate.js';
import { parseCertificate } from '../../pki/parse-certificate.js';
import { decodePem, type PemBlock } from '../../pki/pem.js';
import { defineResource } from '../../registry/resource-definition.js';
import { isLongerThan } from '../../values/utf8.js';
import { nameColumn } from '../shared/columns.js';
import { certificatesV1alpha1 } from './certificates-v1alpha1.js';
import { trustBundleName, validateSignerName } from './signer-name.js';

/** certificates/v1alpha1 ClusterTrustBundle: trust anchors that all users can read and that may belong to one signer (spec 15.11). */
export const clusterTrustBundle = defineResource({
  groupStem: 'certificates',
  version: 'v1alpha1',
  kind: 'ClusterTrustBundle',
  plural: 'clustertrustbundles',
  metadataChecks: ['whole', 'changes'],
  scope: 'Cluster',
  featureGate: 'ClusterTrustBundle',
  deprecation: { since: '1.29', removed: '1.32' },
  allowUnconditionalUpdate: false,
  schema: certificatesV1alpha1.struct('ClusterTrustBundle'),
  nameRule: (name, prefix, { spec }) => trustBundleName(name, prefix, spec.signerName ?? ''),
  strategy: {
    validate: async ({ spec }) => [...validateSigner(spec), ...(await validateTrustAnchors(spec.trustBundle))],
    validateUpdate: async ({ spec }, { spec: old }) => [
      ...validateSigner(spec),
      ...(spec.trustBundle === old.trustBundle ? [] : await validateTrustAnchors(spec.trustBundle)),
      METADATA_CHECK,
      ...((spec.signerName ?? '') === (old.signerName ?? '')
        ? []
        : [fieldError.invalid('spec.signerName', spec.signerName ?? '', 'field is immutable')]),
    ],
  },
  selectableFields: { 'spec.signerName': ({ spec }) => spec.signerName },
  columns: [
    nameColumn,
    {
      name: 'SignerName',
      type: 'string',
      description: 'The signer of the anchors.',
      cell: ({ spec }) => spec.signerName || '<none>',
    },
  ],
});

const validateSigner = ({ signerName = '' }: { readonly signerName?: string }) =>
  signerName === '' ? [] : validateSignerName(signerName, 'spec.signerName');

const MAX_BYTES = 1024 * 1024;
// Every byte becomes one character, so two strings are equal exactly when their bytes are.
const latin1 = new TextDecoder('latin1');

/** Returns the validation errors of a bundle of trust anchors. Error messages do not contain the bundle (spec 15.13). */
export async function validateTrustAnchors(bundle: string): Promise<FieldError[]> {
  const path = 'spec.trustBundle';
  if (isLongerThan(bundle, MAX_BYTES)) return [fieldError.tooLong(path, MAX_BYTES)];
  const invalid = (why: string) => fieldError.invalid(path, printed('"<value omitted>"'), why);
  const blocks = decodePem(bundle);
  const results = await Promise.all(blocks.map(blockProblem));
  const problems = results.filter((problem) => problem !== undefined);
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
