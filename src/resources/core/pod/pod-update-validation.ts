import { equalJson } from '../../../json/equal.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.js';
import { errorsOf, type FieldError, fieldError } from '../../../meta/field-error.js';
import { quote } from '../../../values/quote.js';
import { firstBy } from '../../fragments/first-by.js';
import type { Container } from './pod-container.js';
import type { Pod } from './pod-schema.js';
import type { PodSpec } from './pod-spec.js';
import { validateWholePod } from './pod-validation.js';

const MAY_CHANGE =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

const withoutImages = (containers: readonly Container[] | undefined) =>
  containers?.map(({ image: _, ...rest }) => rest);

/** A spec without what an update may change. */
function fixedPart(spec: PodSpec, other: PodSpec): JsonValue {
  const { activeDeadlineSeconds: _a, tolerations: _t, schedulingGates: _s, ...rest } = spec;
  const grace = [spec.terminationGracePeriodSeconds ?? 0, other.terminationGracePeriodSeconds ?? 0];
  // What was negative may become the 1 that it means.
  const freed = grace.includes(1) && Math.min(...grace) < 0;
  const fixed = {
    ...rest,
    containers: withoutImages(spec.containers),
    initContainers: withoutImages(spec.initContainers),
    ...(freed ? { terminationGracePeriodSeconds: 1 } : {}),
  };
  return fixed as unknown as JsonValue; // a spec is JSON; absent members are undefined
}

const MAX_LINES = 40;

/** What differs, one line for each side of a field. */
function differences(old: JsonValue | undefined, next: JsonValue | undefined, path = ''): string[] {
  if (equalJson(old, next)) return [];
  if (isJsonObject(old) && isJsonObject(next)) {
    const names = new Set([...Object.keys(old), ...Object.keys(next)]);
    return [...names].flatMap((name) =>
      differences(ownMember(old, name), ownMember(next, name), path === '' ? name : `${path}.${name}`),
    );
  }
  if (Array.isArray(old) && Array.isArray(next) && old.length === next.length)
    return old.flatMap((item: JsonValue, i) => differences(item, next[i] as JsonValue, `${path}[${i}]`));
  const line = (sign: string, value: JsonValue | undefined) =>
    value === undefined ? [] : [`${sign} \t${path}: ${JSON.stringify(value)}`];
  return [...line('-', old), ...line('+', next)];
}

const ownMember = (object: JsonObject, name: string): JsonValue | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

type Toleration = NonNullable<PodSpec['tolerations']>[number];

/** A toleration as a text, the same for equal ones. */
const withoutSeconds = ({ key, operator, value, effect }: Toleration): string =>
  JSON.stringify([key, operator, value, effect]);

/** Tolerations may be added; of those there only how long they hold may change. */
function validateTolerations(next: PodSpec, old: PodSpec): FieldError[] {
  const known = new Set((next.tolerations ?? []).map(withoutSeconds));
  const kept = (old.tolerations ?? []).every((toleration) => known.has(withoutSeconds(toleration)));
  const why = 'existing toleration can not be modified except its tolerationSeconds';
  return kept ? [] : [fieldError.forbidden('spec.tolerations', why)];
}

function validateGates(next: PodSpec, old: PodSpec): FieldError[] {
  const known = new Set(old.schedulingGates?.map(({ name }) => name));
  return errorsOf(next.schedulingGates ?? [], ({ name }, i) => {
    if (known.has(name)) return [];
    const why = `only deletion is allowed, but found new scheduling gate '${name}'`;
    return [fieldError.forbidden(`spec.schedulingGates[${i}].name`, why)];
  });
}

function validateDeadline(next: number | undefined, old: number | undefined): FieldError[] {
  const path = 'spec.activeDeadlineSeconds';
  if (old === undefined) return [];
  if (next === undefined)
    return [fieldError.invalid(path, null, 'must not update from a positive integer to nil value')];
  return next > old ? [fieldError.invalid(path, next, 'must be less than or equal to previous value')] : [];
}

/** Problems of a changed pod: almost nothing of a spec may change. */
export function validatePodUpdate(next: Pod, old: Pod): FieldError[] {
  if (next.spec === old.spec) return [];
  const errors = validateWholePod(next);
  const [spec, oldSpec] = [next.spec, old.spec];
  for (const field of ['containers', 'initContainers'] as const) {
    if ((spec[field]?.length ?? 0) === (oldSpec[field]?.length ?? 0)) continue;
    return [...errors, fieldError.forbidden(`spec.${field}`, 'pod updates may not add or remove containers')];
  }
  const deadline = validateDeadline(spec.activeDeadlineSeconds, oldSpec.activeDeadlineSeconds);
  if (deadline.length > 0) return [...errors, ...deadline];
  errors.push(...validateTolerations(spec, oldSpec), ...validateGates(spec, oldSpec));
  const lines = differences(fixedPart(oldSpec, spec), fixedPart(spec, oldSpec));
  if (lines.length > 0)
    errors.push(fieldError.forbidden('spec', `${MAY_CHANGE}\n${lines.slice(0, MAX_LINES).join('\n')}\n`));
  return errors;
}

/** Containers may be added to a running pod, but those there stay as they are. */
export function validateEphemeralContainers(next: Pod, old: Pod): FieldError[] {
  const path = 'spec.ephemeralContainers';
  const errors = validateWholePod(next);
  const kept = firstBy(next.spec.ephemeralContainers ?? [], ({ name }) => name);
  for (const container of old.spec.ephemeralContainers ?? []) {
    const now = kept.get(container.name);
    if (equalJson(now, container)) continue;
    const what = now ? 'changed' : 'removed';
    errors.push(
      fieldError.forbidden(path, `existing ephemeral containers ${quote(container.name)} may not be ${what}\n`),
    );
  }
  return errors;
}
