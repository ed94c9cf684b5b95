import { equalJson } from '../../json/equal.js';
import { type FieldError, fieldError, printed } from '../../meta/field-error.js';
import { printGoSyntax } from '../../schema/print-go-syntax.js';
import { within } from '../shared/value-rules.js';
import { validateConditionTypes } from './condition.js';
import { mandatoryPriorityLevels } from './default-objects.js';
import { flowcontrolV1 } from './flowcontrol-v1.js';
import type { PriorityLevelConfiguration as PriorityLevel } from './flowcontrol-v1.types.js';

type Spec = PriorityLevel['spec'];
type Limited = NonNullable<Spec['limited']>;
type Exempt = NonNullable<Spec['exempt']>;
type LimitResponse = Limited['limitResponse'];
type Queuing = NonNullable<LimitResponse['queuing']>;

const EXEMPT = 'exempt';
const MAX_QUEUES = 10_000_000;
/** The number of bits in the hash of a flow. It limits the number of hands (sets of queues) from which shuffle sharding can choose. */
const MAX_ENTROPY = 60;

/** Returns the validation errors of a priority level. */
export const validatePriorityLevel = (object: PriorityLevel): FieldError[] => [
  ...validateSpec(object),
  ...validateMandatory(object),
  ...validateConditionTypes(object),
];

function validateSpec({ metadata, spec }: PriorityLevel): FieldError[] {
  const { type, limited, exempt } = spec;
  const errors: FieldError[] = [];
  if ((metadata.name === EXEMPT) !== (type === 'Exempt'))
    errors.push(fieldError.invalid('spec.type', type, `type must be 'Exempt' if and only if name is '${EXEMPT}'`));
  switch (type) {
    case 'Exempt':
      if (limited) errors.push(fieldError.forbidden('spec.limited', 'must be nil if the type is not Limited'));
      return exempt ? [...errors, ...validateExempt(exempt)] : errors;
    case 'Limited':
      if (exempt) errors.push(fieldError.forbidden('spec.exempt', 'must be nil if the type is Limited'));
      if (limited) return [...errors, ...validateLimited(limited)];
      return [...errors, fieldError.required('spec.limited', 'must not be empty when type is Limited')];
    default:
      return [...errors, fieldError.notSupported('spec.type', type, ['Exempt', 'Limited'])];
  }
}

/**
 * Checks mandatory levels. Users may change or omit `spec.exempt` of the exempt level. Its other fields and the whole catch-all level are
 * immutable.
 */
function validateMandatory({ metadata, spec }: PriorityLevel): FieldError[] {
  const fixed = mandatoryPriorityLevels.find((object) => object.metadata.name === metadata.name);
  if (!fixed) return [];
  const isExempt = metadata.name === EXEMPT;
  if (equalJson(isExempt ? { ...spec, exempt: fixed.spec.exempt } : spec, fixed.spec)) return [];
  const but = isExempt ? " except the 'spec.exempt' field" : '';
  const value = printed(printGoSyntax(flowcontrolV1.struct('PriorityLevelConfigurationSpec'), spec));
  return [fieldError.invalid('spec', value, `spec of '${metadata.name}'${but} must equal the fixed value`)];
}

function notNegative(path: string, value: number | undefined, why = 'must be a non-negative integer'): FieldError[] {
  return (value ?? 0) < 0 ? [fieldError.invalid(path, value, why)] : [];
}

const validateExempt = ({ nominalConcurrencyShares, lendablePercent }: Exempt): FieldError[] => [
  ...notNegative('spec.exempt.nominalConcurrencyShares', nominalConcurrencyShares),
  ...within('spec.exempt.lendablePercent', lendablePercent, 0, 100),
];

function validateLimited(limited: Limited): FieldError[] {
  const { nominalConcurrencyShares, limitResponse, lendablePercent, borrowingLimitPercent } = limited;
  const path = 'spec.limited';
  return [
    ...notNegative(`${path}.nominalConcurrencyShares`, nominalConcurrencyShares),
    ...validateResponse(`${path}.limitResponse`, limitResponse),
    ...within(`${path}.lendablePercent`, lendablePercent, 0, 100),
    ...notNegative(
      `${path}.borrowingLimitPercent`,
      borrowingLimitPercent,
      'if specified, must be a non-negative integer',
    ),
  ];
}

function validateResponse(path: string, { type, queuing }: LimitResponse): FieldError[] {
  const at = `${path}.queuing`;
  switch (type) {
    case 'Reject':
      return queuing ? [fieldError.forbidden(at, 'must be nil if limited.limitResponse.type is not Limited')] : [];
    case 'Queue':
      if (queuing) return validateQueuing(at, queuing);
      return [fieldError.required(at, 'must not be empty if limited.limitResponse.type is Limited')];
    default:
      return [fieldError.notSupported(`${path}.type`, type, ['Queue', 'Reject'])];
  }
}

function validateQueuing(path: string, { queues, handSize, queueLengthLimit }: Queuing): FieldError[] {
  const refuse = (member: string, value: number, why: string) => fieldError.invalid(`${path}.${member}`, value, why);
  const errors: FieldError[] = [];
  if (queueLengthLimit <= 0) errors.push(refuse('queueLengthLimit', queueLengthLimit, 'must be positive'));
  if (queues <= 0) errors.push(refuse('queues', queues, 'must be positive'));
  else if (queues > MAX_QUEUES) errors.push(refuse('queues', queues, `must not be greater than ${MAX_QUEUES}`));
  const problem = handSizeProblem(queues, handSize);
  return problem === undefined ? errors : [...errors, refuse('handSize', handSize, problem)];
}

function handSizeProblem(queues: number, hand: number): string | undefined {
  if (hand <= 0) return 'must be positive';
  if (hand > queues) return `should not be greater than queues (${queues})`;
  if (Math.ceil(Math.log2(queues) * hand) <= MAX_ENTROPY) return undefined;
  return `required entropy bits of deckSize ${queues} and handSize ${hand} should not be greater than ${MAX_ENTROPY}`;
}
