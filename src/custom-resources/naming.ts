import { equalJson } from '../json/equal.js';
import type { Dialect } from '../meta/dialect.js';
import { approvalAnnotation, approvalOf, isProtectedGroup } from '../resources/apiextensions/api-approval.js';
import type {
  CustomResourceDefinitionCondition as CrdCondition,
  CustomResourceDefinitionNames as CrdNames,
  CustomResourceDefinition,
} from '../resources/apiextensions/apiextensions-v1.types.js';
import { conditionOf, withCondition } from '../resources/apiextensions/conditions.js';
import { quote } from '../values/quote.js';

type Condition = Omit<CrdCondition, 'lastTransitionTime'>;
type Status = CustomResourceDefinition['status'];

/**
 * The values from which some conditions were last computed. They are computed again only when such a value changes, so a condition that a
 * client has written stays until then.
 */
export interface ComputedFrom {
  /** The generation of the definition, for the condition `NonStructuralSchema`. */
  readonly generation?: number | undefined;
  /** The annotation that approves the kind, for the condition `KubernetesAPIApprovalPolicyConformant`. */
  readonly approval?: string | undefined;
}

/** The status of a definition, and the values from which its conditions were computed. The caller keeps these once the status is stored. */
interface ComputedStatus {
  readonly status: Status;
  readonly computed: ComputedFrom;
}

/**
 * Computes the status of a definition: which of its names are accepted beside the other definitions of its group, and whether it may be
 * served (spec 21.7). If nothing changes, the existing status object is returned.
 * @param others the other definitions of the group
 * @param bundleProblem the error of the CA bundle of the conversion webhook
 * @param now the current time in the format of the API
 * @param before what the last stored status was computed from
 */
export function nextStatus(
  definition: CustomResourceDefinition,
  others: readonly CustomResourceDefinition[],
  dialect: Dialect,
  bundleProblem: string | undefined,
  now: string,
  before: ComputedFrom = {},
): ComputedStatus {
  const { metadata, spec, status } = definition;
  let conditions = status.conditions ?? [];
  let { acceptedNames } = status;
  let computed = before;
  // The condition of the names is computed only while they differ, so a condition that a client writes or removes afterwards stays so.
  if (!equalJson(spec.names, acceptedNames)) {
    const { names, accepted } = acceptNames(definition, others);
    acceptedNames = names;
    conditions = withCondition(conditions, accepted, now);
    if (accepted.status !== 'True' && !conditionOf(status, 'Established'))
      conditions = withCondition(conditions, NOT_ACCEPTED, now);
  }
  const hasNames = conditionOf({ conditions }, 'NamesAccepted')?.status === 'True';
  if (hasNames && conditionOf({ conditions }, 'Established')?.status !== 'True')
    conditions = withCondition(conditions, bundleProblem === undefined ? ESTABLISHED : INVALID_BUNDLE, now);
  if (isProtectedGroup(spec.group, dialect) && annotationOf(definition, dialect) !== before.approval) {
    const judged = withCondition(conditions, approval(definition, dialect), now);
    if (!equalJson(judged, conditions)) computed = { ...computed, approval: annotationOf(definition, dialect) };
    conditions = judged;
  }
  // The validation refuses schemas that are not structural, so only a client can have written this condition.
  if (metadata.generation !== before.generation && conditionOf({ conditions }, 'NonStructuralSchema')) {
    conditions = conditions.filter(({ type }) => type !== 'NonStructuralSchema');
    computed = { ...computed, generation: metadata.generation };
  }
  const next: Status = { ...status, conditions, acceptedNames };
  const isSame = equalJson(next, status) || (conditions.length === 0 && !status.conditions);
  return { status: isSame ? status : next, computed };
}

const annotationOf = ({ metadata }: CustomResourceDefinition, dialect: Dialect): string =>
  metadata.annotations?.[approvalAnnotation(dialect)] ?? '';

const ESTABLISHED: Condition = {
  type: 'Established',
  status: 'True',
  reason: 'InitialNamesAccepted',
  message: 'the initial names have been accepted',
};
const NOT_ACCEPTED: Condition = {
  type: 'Established',
  status: 'False',
  reason: 'NotAccepted',
  message: 'not all names are accepted',
};

const INVALID_BUNDLE: Condition = {
  type: 'Established',
  status: 'False',
  reason: 'InvalidCABundle',
  message: 'The conversion webhook CABundle is invalid',
};

function approval({ metadata }: CustomResourceDefinition, dialect: Dialect): Condition {
  const { state, reason: message } = approvalOf(metadata.annotations, dialect);
  const reasons = {
    approved: 'ApprovedAnnotation',
    bypassed: 'UnapprovedAnnotation',
    missing: 'MissingAnnotation',
    invalid: 'InvalidAnnotation',
  };
  const status = state === 'approved' ? 'True' : 'False';
  return { type: 'KubernetesAPIApprovalPolicyConformant', status, reason: reasons[state], message };
}

/**
 * Decides which names of a definition are accepted. A name is accepted if the definition already has it in the same field of its accepted
 * names, or if it is not among the accepted names of any definition of the group.
 */
function acceptNames(
  definition: CustomResourceDefinition,
  others: readonly CustomResourceDefinition[],
): { readonly names: CrdNames; readonly accepted: Condition } {
  const requestedNames = definition.spec.names;
  const old = definition.status.acceptedNames;
  const resources = new Set<string>();
  const kinds = new Set<string>();
  for (const { status: other } of [...others, definition]) {
    const { plural, singular = '', shortNames = [], kind, listKind = '' } = other.acceptedNames;
    for (const name of [plural, singular, ...shortNames]) if (name !== '') resources.add(name);
    for (const name of [kind, listKind]) if (name !== '') kinds.add(name);
  }
  const names: { -readonly [K in keyof CrdNames]: CrdNames[K] } = { ...old };
  let conflict: Condition | undefined;
  const refuse = (reason: string, taken: readonly string[]) => {
    const texts = taken.map((name) => `${quote(name)} is already in use`);
    const message = texts.length > 1 ? `[${texts.join(', ')}]` : (texts[0] ?? '');
    conflict = { type: 'NamesAccepted', status: 'False', reason, message };
  };
  const take = (member: 'plural' | 'singular' | 'kind' | 'listKind', used: ReadonlySet<string>, reason: string) => {
    const name = requestedNames[member] ?? '';
    if (name !== (old[member] ?? '') && used.has(name)) refuse(reason, [name]);
    else if (name !== '') names[member] = name;
  };
  take('plural', resources, 'PluralConflict');
  take('singular', resources, 'SingularConflict');
  const { shortNames = [], categories } = requestedNames;
  const taken = shortNames.filter((name) => !old.shortNames?.includes(name) && resources.has(name));
  if (taken.length > 0) refuse('ShortNamesConflict', taken);
  else if (shortNames.length > 0) names.shortNames = shortNames;
  else delete names.shortNames;
  take('kind', kinds, 'KindConflict');
  take('listKind', kinds, 'ListKindConflict');
  if (categories) names.categories = categories;
  else delete names.categories;
  const noConflicts: Condition = {
    type: 'NamesAccepted',
    status: 'True',
    reason: 'NoConflicts',
    message: 'no conflicts found',
  };
  return { names, accepted: conflict ?? noConflicts };
}
