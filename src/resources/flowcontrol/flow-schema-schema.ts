import {
  always,
  listAtomic,
  listMap,
  listSet,
  type OutputOf,
  omitEmpty,
  omitNull,
  required,
  struct,
} from '../../schema/authoring.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import { count, flag, text, textOf } from '../fragments/core-struct.js';
import { byType } from '../fragments/workload.js';
import { type FlowControlVersion, flowControlCondition, flowControlName } from './condition.js';

const texts = listSet(text);

/** Returns the schema of FlowSchema in one of its versions, and the parts that messages print. */
/* @__NO_SIDE_EFFECTS__ */
export function flowSchemaParts(version: FlowControlVersion) {
  const of = flowControlName(version);

  const distinguisherMethod = struct(of('FlowDistinguisherMethod'), 'How flows are told apart.', () => ({
    type: required(textOf(of('FlowDistinguisherMethod'), 'Type'), 1, 'ByUser or ByNamespace.'),
  }));
  const reference = struct(of('PriorityLevelConfigurationReference'), 'A priority level by its name.', () => ({
    name: required(text, 1, 'Name of the priority level.'),
  }));
  const nonResourceRule = struct(of('NonResourcePolicyRule'), 'Requests for plain paths.', () => ({
    verbs: required(texts, 1, 'What is done; * stands for all.'),
    nonResourceURLs: required(texts, 6, 'The paths; * at the end stands for all below.'),
  }));
  const resourceRule = struct(of('ResourcePolicyRule'), 'Requests for resources.', () => ({
    verbs: required(texts, 1, 'What is done; * stands for all.'),
    apiGroups: required(texts, 2, 'Their groups; * stands for all.'),
    resources: required(texts, 3, 'The resources; * stands for all.'),
    clusterScope: omitEmpty(flag, 4, 'Whether requests outside of namespaces are meant.'),
    namespaces: always(texts, 5, 'The namespaces; * stands for all.'),
  }));
  const named = (kind: string) =>
    struct(of(`${kind}Subject`), 'Somebody by name.', () => ({
      name: required(text, 1, 'The name; * stands for all.'),
    }));
  const serviceAccount = struct(of('ServiceAccountSubject'), 'A service account.', () => ({
    namespace: required(text, 1, 'Its namespace.'),
    name: required(text, 2, 'Its name; * stands for all.'),
  }));
  const subject = struct(
    of('Subject'),
    'Who asks.',
    () => ({
      kind: required(textOf(of('Subject'), 'Kind'), 1, 'User, Group or ServiceAccount.'),
      user: omitNull(named('User'), 2, 'The user.'),
      group: omitNull(named('Group'), 3, 'The group.'),
      serviceAccount: omitNull(serviceAccount, 4, 'The service account.'),
    }),
    version === 'v1beta3' ? { union: { discriminator: 'kind', fields: ['group', 'serviceAccount', 'user'] } } : {},
  );
  const rule = struct(of('PolicyRulesWithSubjects'), 'Who asks for what.', () => ({
    subjects: required(listAtomic(subject), 1, 'Who asks: one of these.'),
    resourceRules: omitEmpty(listAtomic(resourceRule), 2, 'Resources that are asked for.'),
    nonResourceRules: omitEmpty(listAtomic(nonResourceRule), 3, 'Paths that are asked for.'),
  }));
  const spec = struct(of('FlowSchemaSpec'), 'Which requests, and where they go.', () => ({
    priorityLevelConfiguration: required(reference, 1, 'The level of these requests.'),
    matchingPrecedence: always(count, 2, 'Of several that match, the one with the least number counts.'),
    distinguisherMethod: omitNull(distinguisherMethod, 3, 'How flows are told apart; none makes one flow of all.'),
    rules: omitEmpty(listAtomic(rule), 4, 'The requests that match: one of these.'),
  }));
  const status = struct(of('FlowSchemaStatus'), 'What was found about it.', () => ({
    conditions: omitEmpty(
      listMap(flowControlCondition(of('FlowSchemaCondition')), ['type']),
      1,
      'The conditions.',
      byType,
    ),
  }));
  const schema = topLevel(of('FlowSchema'), 'Sends requests to a priority level.', () => ({
    spec: always(spec, 2, 'Which requests, and where they go.'),
    status: always(status, 3, 'What was found about it.'),
  }));
  return { schema, spec, distinguisherMethod };
}

/** flowcontrol/v1 FlowSchema. */
export const flowSchemaV1 = flowSchemaParts('v1');
export type FlowSchema = OutputOf<typeof flowSchemaV1.schema>;
