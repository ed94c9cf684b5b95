import { addErrors, type FieldError, fieldError, isFull, printed } from '../../../meta/field-error.js';
import { qualifiedName } from '../../../meta/names.js';
import { randomUuid } from '../../../meta/random.js';
import { defineResource } from '../../../registry/resource-definition.js';
import type { Draft } from '../../../registry/strategy.js';
import { printQuantity } from '../../../schema/print-go-syntax.js';
import { compareQuantities, parseQuantity, quantityToNumber } from '../../../values/quantity.js';
import {
  mayBeOvercommitted,
  roundAmounts,
  validateContainerResourceName,
  validateResourceName,
} from '../../shared/resource-rules.js';
import { coreV1 } from '../core-v1.js';
import type { LimitRange, LimitRangeItem } from '../core-v1.types.js';

export type { LimitRange } from '../core-v1.types.js';

function setDefaults({ spec }: Draft<LimitRange>): void {
  for (const limit of spec.limits ?? []) {
    for (const amounts of [limit.max, limit.min, limit.default, limit.defaultRequest, limit.maxLimitRequestRatio])
      roundAmounts(amounts);
    if (limit.type !== 'Container') continue;
    // An absent default limit is set to the maximum. An absent default request is set to the default limit, or to the minimum if there is
    // no default limit.
    limit.default = { ...limit.max, ...limit.default };
    limit.defaultRequest = { ...limit.min, ...limit.default, ...limit.defaultRequest };
    for (const member of ['default', 'defaultRequest'] as const)
      if (Object.keys(limit[member] ?? {}).length === 0) delete limit[member];
  }
}

/** v1 LimitRange: limits and default quantities for single pods, containers and claims of a namespace. */
export const limitRange = defineResource({
  groupStem: '',
  version: 'v1',
  kind: 'LimitRange',
  plural: 'limitranges',
  shortNames: ['limits'],
  metadataChecks: ['whole'],
  scope: 'Namespaced',
  allowCreateOnUpdate: true,
  schema: coreV1.struct('LimitRange'),
  setDefaults,
  strategy: {
    prepareForCreate({ metadata }, { host }) {
      metadata.name ||= randomUuid(host.random);
    },
    validate: validateLimitRange,
  },
});

const TYPES = ['Pod', 'Container', 'PersistentVolumeClaim'];
const AMOUNTS = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;
type Amounts = (typeof AMOUNTS)[number];

/** Returns the validation errors of a limit range. */
function validateLimitRange({ spec }: LimitRange): FieldError[] {
  const errors: FieldError[] = [];
  const types = new Set<string>();
  for (const [i, limit] of (spec.limits ?? []).entries()) {
    if (isFull(errors)) break;
    const path = `spec.limits[${i}]`;
    addErrors(errors, validateType(`${path}.type`, limit.type));
    if (types.has(limit.type)) errors.push(fieldError.duplicate(`${path}.type`, limit.type));
    types.add(limit.type);
    addErrors(errors, validateLimit(path, limit));
  }
  return errors;
}

function validateType(path: string, type: string): FieldError[] {
  const errors = qualifiedName(type).map((why) => fieldError.invalid(path, type, why));
  if (errors.length > 0 || type.includes('/') || TYPES.includes(type)) return errors;
  return [fieldError.invalid(path, type, 'must be a standard limit type or fully qualified')];
}

function validateLimit(path: string, limit: LimitRangeItem): FieldError[] {
  const errors: FieldError[] = [];
  const isPod = limit.type === 'Pod';
  const validateName = isPod || limit.type === 'Container' ? validateContainerResourceName : validateResourceName;
  const names = new Set<string>();
  const look = (member: Amounts) => {
    for (const name of Object.keys(limit[member] ?? {})) {
      names.add(name);
      if (!isFull(errors)) addErrors(errors, validateName(`${path}.${member}[${name}]`, name));
    }
  };
  look('max');
  look('min');
  for (const member of ['default', 'defaultRequest'] as const)
    if (!isPod) look(member);
    else if (Object.keys(limit[member] ?? {}).length > 0)
      errors.push(fieldError.forbidden(`${path}.${member}`, "may not be specified when `type` is 'Pod'"));
  const hasStorage = limit.min?.['storage'] ?? limit.max?.['storage'];
  if (limit.type === 'PersistentVolumeClaim' && hasStorage === undefined) {
    const why = 'either minimum or maximum storage value is required, but neither was provided';
    errors.push(fieldError.required(`${path}.limits`, why));
  }
  look('maxLimitRequestRatio');
  for (const name of names) if (!isFull(errors)) addErrors(errors, validateOrder(path, limit, name, isPod));
  return errors;
}

/**
 * Checks that the minimum, the default request, the default limit and the maximum of a resource are consistent with each other, and with
 * the maximum ratio of limit to request.
 */
function validateOrder(path: string, limit: LimitRangeItem, name: string, isPod: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const amountOf = (member: Amounts): string | undefined => {
    if (isPod && member.startsWith('default')) return undefined;
    const amounts = limit[member] ?? {};
    return Object.hasOwn(amounts, name) ? amounts[name] : undefined;
  };
  const refuse = (member: Amounts, amount: string, why: string) =>
    errors.push(fieldError.invalid(`${path}.${member}[${name}]`, printed(printQuantity(amount)), why));
  const [min, max, limitOf, request, ratio] = [
    amountOf('min'),
    amountOf('max'),
    amountOf('default'),
    amountOf('defaultRequest'),
    amountOf('maxLimitRequestRatio'),
  ];
  if (isMore(min, max)) refuse('min', min, `min value ${min} is greater than max value ${max}`);
  if (isMore(min, request))
    refuse('defaultRequest', request ?? '', `min value ${min} is greater than default request value ${request}`);
  if (isMore(request, max))
    refuse('defaultRequest', request, `default request value ${request} is greater than max value ${max}`);
  if (isMore(request, limitOf))
    refuse(
      'defaultRequest',
      request,
      `default request value ${request} is greater than default limit value ${limitOf}`,
    );
  if (isMore(min, limitOf)) refuse('default', min, `min value ${min} is greater than default value ${limitOf}`);
  if (isMore(limitOf, max)) refuse('default', max ?? '', `default value ${limitOf} is greater than max value ${max}`);
  if (ratio !== undefined && isMore('1', ratio)) refuse('maxLimitRequestRatio', ratio, `ratio ${ratio} is less than 1`);
  if (ratio !== undefined && min !== undefined && max !== undefined) {
    const most = quantityToNumber(parseQuantity(max)) / quantityToNumber(parseQuantity(min));
    if (quantityToNumber(parseQuantity(ratio)) > most)
      refuse('maxLimitRequestRatio', ratio, `ratio ${ratio} is greater than max/min = ${most.toFixed(6)}`);
  }
  if (
    !mayBeOvercommitted(name) &&
    limitOf !== undefined &&
    request !== undefined &&
    (isMore(limitOf, request) || isMore(request, limitOf))
  )
    refuse(
      'defaultRequest',
      request,
      `default value ${limitOf} must equal to defaultRequest value ${request} in ${name}`,
    );
  return errors;
}

const isMore = (a: string | undefined, b: string | undefined): a is string =>
  a !== undefined && b !== undefined && compareQuantities(parseQuantity(a), parseQuantity(b)) > 0;
