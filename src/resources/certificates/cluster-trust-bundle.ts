import { fieldError } from '../../meta/field-error.js';
import { defineResource } from '../../registry/resource-definition.js';
import { nameColumn } from '../shared/columns.js';
import { certificatesV1alpha1 } from './certificates-v1alpha1.js';
import { validateSignerName } from './signer-name.js';
import { validateTrustAnchors } from './trust-anchors.js';
import { trustBundleName } from './trust-bundle-name.js';

/** v1alpha1 ClusterTrustBundle: trust anchors for all users, which may belong to one signer (spec 15.11). */
export const clusterTrustBundle = defineResource({
  groupStem: 'certificates',
  version: 'v1alpha1',
  kind: 'ClusterTrustBundle',
  plural: 'clustertrustbundles',
  scope: 'Cluster',
  featureGate: 'ClusterTrustBundle',
  deprecation: { since: '1.29', removed: '1.32' },
  allowUnconditionalUpdate: false,
  schema: certificatesV1alpha1.struct('ClusterTrustBundle'),
  nameRule: (name, prefix, { spec }) => trustBundleName(name, prefix, spec.signerName ?? ''),
  strategy: {
    validate: async ({ spec }) => [
      ...validateSigner(spec),
      ...(await validateTrustAnchors(spec.trustBundle, 'spec.trustBundle')),
    ],
    validateUpdate: async ({ spec }, { spec: old }) => [
      ...validateSigner(spec),
      ...(spec.trustBundle === old.trustBundle ? [] : await validateTrustAnchors(spec.trustBundle, 'spec.trustBundle')),
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
