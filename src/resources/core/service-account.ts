import { defineRules, type ObjectOfRules } from '../../registry/built-in-kind.js';
import { boolean, listAtomic, listMap, omitEmpty, omitNull } from '../../schema/authoring.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import { tokenRequest } from '../authentication/token-request.js';
import { age, nameColumn } from '../fragments/columns.js';
import { coreV1 } from './core-v1.js';

export const serviceAccountRules = defineRules({
  schema: topLevel('io.k8s.api.core.v1.ServiceAccount', 'An identity for programs.', () => ({
    secrets: omitEmpty(
      listMap(coreV1.struct('ObjectReference'), ['name']),
      2,
      'Secrets that programs with this account may use.',
      {
        patchStrategy: ['merge'],
        patchMergeKey: 'name',
      },
    ),
    imagePullSecrets: omitEmpty(listAtomic(coreV1.struct('LocalObjectReference')), 3, 'Secrets for pulling images.'),
    automountServiceAccountToken: omitNull(boolean(), 4, 'Whether programs get a token without asking.'),
  })),
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
      description: 'How many secrets it names.',
      cell: ({ secrets }) => secrets?.length ?? 0,
    },
    age,
  ],
});
export type ServiceAccount = ObjectOfRules<typeof serviceAccountRules>;

/** Of a secret only its name counts (gaps-identity, 2.1). */
function keepSecretNames(draft: { secrets?: { name?: string }[] }): void {
  if (draft.secrets) draft.secrets = draft.secrets.map(({ name }) => (name === undefined ? {} : { name }));
}
