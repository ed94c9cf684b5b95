import { defineResource } from '../../registry/resource-definition.js';
import { tokenRequest } from '../authentication/token-request.js';
import { age, nameColumn } from '../shared/columns.js';
import { coreV1 } from './core-v1.js';

/** v1 ServiceAccount: an identity for programs (spec 14.1). */
export const serviceAccount = defineResource({
  groupStem: '',
  version: 'v1',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  shortNames: ['sa'],
  scope: 'Namespaced',
  returnsDeletedObject: true,
  schema: coreV1.struct('ServiceAccount'),
  strategy: {
    prepareForCreate: keepSecretNames,
    prepareForUpdate: (draft) => keepSecretNames(draft),
  },
  subresources: { token: tokenRequest },
  columns: [
    nameColumn,
    {
      name: 'Secrets',
      type: 'string',
      description: 'The number of secrets.',
      cell: ({ secrets }) => secrets?.length ?? 0,
    },
    age,
  ],
});

/** Keeps only the name of each secret reference (spec 14.1). */
function keepSecretNames(draft: { secrets?: { name?: string }[] }): void {
  if (draft.secrets) draft.secrets = draft.secrets.map(({ name }) => (name === undefined ? {} : { name }));
}
