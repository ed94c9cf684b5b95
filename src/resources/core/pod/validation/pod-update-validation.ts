import { equalJson } from '../../../../json/equal.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../json/value.js';
import { errorsOf, type FieldError, fieldError, printed } from '../../../../meta/field-error.js';
import { listAtomic } from '../../../../schema/authoring.js';
import { printGoSyntax } from '../../../../schema/print-go-syntax.js';
import { quote } from '../../../../values/quote.js';
import { firstBy } from '../../../shared/first-by.js';
import { printedLabels } from '../../../shared/selected-pods.js';
import { structDiff } from '../../../shared/struct-diff.js';
import { within } from '../../../shared/value-rules.js';
import { coreV1 } from '../../core-v1.js';
import type { Container, Pod, PodSpec } from '../../core-v1.types.js';
import { podQosClass, withOldSizes } from '../pod-resources.js';
import { isMirrorPod, validateFixedAnnotations, validatePodAnnotations } from './pod-annotation-validation.js';
import { validateImage } from './pod-container-validation.js';
import { type PodRules, rulesAfter } from './pod-rules.js';
import { validateTolerations } from './pod-scheduling-validation.js';
import { validateWholePod } from './pod-validation.js';

const MAY_CHANGE =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';
const MAX_INT32 = 0x7fff_ffff;

/** The error message if the feature gate InPlacePodVerticalScaling is on, so that the CPU and memory of containers may change, too. */
const MAY_RESIZE = `${MAY_CHANGE},\`spec.containers[*].resources\` (for CPU/memory only)`;

const withoutImages = (containers: readonly Container[] | undefined) =>
  containers?.map(({ image: _, ...rest }) => rest);

const isGated = ({ schedulingGates = [] }: PodSpec) => schedulingGates.length > 0;

/** Returns a spec without the fields that an update may change. A pod with scheduling gates may also narrow its node selection. */
function fixedPart(spec: PodSpec, old: PodSpec, resizes: boolean): JsonValue {
  const { activeDeadlineSeconds: _a, tolerations: _t, schedulingGates: _s, nodeSelector, affinity, ...rest } = spec;
  const { nodeAffinity: _n, ...toPods } = affinity ?? {};
  const gated = Object.keys(toPods).length === 0 ? undefined : toPods;
  const fixed = {
    ...rest,
    ...(isGated(old) ? { affinity: gated } : { nodeSelector, affinity }),
    containers: withoutImages(resizes ? withOldSizes(spec.containers ?? [], old.containers) : (spec.containers ?? [])),
    initContainers: withoutImages(spec.initContainers),
  };
  // A spec is plain JSON, except that absent members may be undefined. Therefore the cast is safe.
  return fixed as unknown as JsonValue;
}

const MAX_LINES = 40;

/** Returns the differences of two values. A field that differs has one line for its old value and one for its new value. */
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

/** Returns a string that is the same for tolerations that differ only in tolerationSeconds. */
const withoutSeconds = ({ key, operator, value, effect }: Toleration): string =>
  JSON.stringify([key, operator, value, effect]);

/** Checks that tolerations are only added. Existing tolerations may change only their tolerationSeconds. */
function validateAddedTolerations(next: PodSpec, old: PodSpec): FieldError[] {
  const known = new Set((next.tolerations ?? []).map(withoutSeconds));
  const keepsTolerations = (old.tolerations ?? []).every((toleration) => known.has(withoutSeconds(toleration)));
  const why = 'existing toleration can not be modified except its tolerationSeconds';
  return keepsTolerations
    ? validateTolerations(next.tolerations ?? [])
    : [fieldError.forbidden('spec.tolerations', why)];
}

function validateOpenedGates(next: PodSpec, old: PodSpec): FieldError[] {
  // A gate that occurs several times is reported once, with its last index.
  const added = new Map(next.schedulingGates?.map(({ name }, i) => [name, i]));
  for (const { name } of old.schedulingGates ?? []) added.delete(name);
  return errorsOf(added, ([name, i]) => {
    const why = `only deletion is allowed, but found new scheduling gate '${name}'`;
    return [fieldError.forbidden(`spec.schedulingGates[${i}].name`, why)];
  });
}

/** Checks the deadline, which may be set and reduced. If its value is invalid, the pod is not validated further. */
function validateDeadline(next: number | undefined, old: number | undefined) {
  const path = 'spec.activeDeadlineSeconds';
  if (next === undefined) {
    const why = 'must not update from a positive integer to nil value';
    return { errors: old === undefined ? [] : [fieldError.invalid(path, null, why)], ends: false };
  }
  const errors = within(path, next, 0, MAX_INT32);
  if (errors.length === 0 && old !== undefined && next > old)
    errors.push(fieldError.invalid(path, next, 'must be less than or equal to previous value'));
  return { errors, ends: errors.length > 0 };
}

/** Checks that containers are neither added nor removed. Their images may change. */
function validateContainerUpdates(path: string, next: readonly Container[], old: readonly Container[]) {
  if (next.length !== old.length)
    return { errors: [fieldError.forbidden(path, 'pod updates may not add or remove containers')], ends: true };
  const errors = errorsOf(next, (container, i) => [
    ...(container.image === undefined ? [fieldError.required(`${path}[${i}].image`)] : []),
    ...validateImage(`${path}[${i}]`, container),
  ]);
  return { errors, ends: false };
}

type NodeAffinity = NonNullable<PodSpec['affinity']>['nodeAffinity'];
type Terms = NonNullable<
  NonNullable<NodeAffinity>['requiredDuringSchedulingIgnoredDuringExecution']
>['nodeSelectorTerms'];

/** Checks the node selection of a pod with scheduling gates. It may only become narrower. */
function validateStricter(next: PodSpec, old: PodSpec): FieldError[] {
  const { nodeSelector = {} } = next;
  const loosened = Object.entries(old.nodeSelector ?? {}).some(([label, value]) => nodeSelector[label] !== value);
  const why = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)';
  return [
    ...(loosened ? [fieldError.invalid('spec.nodeSelector', printedLabels(next.nodeSelector), why)] : []),
    ...validateStricterTerms(requiredTerms(next), requiredTerms(old)),
  ];
}

const requiredTerms = ({ affinity }: PodSpec): Terms =>
  affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];

const terms = listAtomic(coreV1.struct('NodeSelectorTerm'));

function validateStricterTerms(next: Terms, old: Terms): FieldError[] {
  const path = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms';
  if (old.length === 0) return [];
  if (old.length !== next.length) {
    const shown = printed(printGoSyntax(terms, next.length === 0 ? undefined : next, 'core'));
    return [fieldError.invalid(path, shown, 'no additions/deletions to non-empty NodeSelectorTerms list are allowed')];
  }
  return errorsOf(old, (before, i) => {
    const term = next[i] ?? {};
    const { matchExpressions = [], matchFields = [] } = before;
    const isEmpty = matchExpressions.length + matchFields.length === 0;
    const grows = isEmpty
      ? (term.matchExpressions?.length ?? 0) + (term.matchFields?.length ?? 0) === 0
      : beginsWith(term.matchExpressions, matchExpressions) && beginsWith(term.matchFields, matchFields);
    if (grows) return [];
    const shown = printed(printGoSyntax(coreV1.struct('NodeSelectorTerm'), term));
    return [fieldError.invalid(`${path}[${i}]`, shown, 'only additions are allowed (no mutations or deletions)')];
  });
}

const beginsWith = (list: readonly unknown[] = [], beginning: readonly unknown[]) =>
  list.length >= beginning.length && equalJson(list.slice(0, beginning.length), beginning);

/** Returns the validation errors of a pod update. Almost all fields of the spec are immutable. */
export function validatePodUpdate(next: Pod, old: Pod, host: PodRules): FieldError[] {
  const rules = rulesAfter(host, old);
  const [spec, oldSpec] = [next.spec, old.spec];
  const errors = [
    ...(spec === oldSpec
      ? validatePodAnnotations('metadata.annotations', next.metadata.annotations, spec, rules)
      : validateWholePod(next, rules)),
    ...validateAnnotationUpdate(next, old, rules),
  ];
  if (spec === oldSpec) return errors;
  for (const field of ['containers', 'initContainers'] as const) {
    const result = validateContainerUpdates(`spec.${field}`, spec[field] ?? [], oldSpec[field] ?? []);
    errors.push(...result.errors);
    if (result.ends) return errors;
  }
  const deadline = validateDeadline(spec.activeDeadlineSeconds, oldSpec.activeDeadlineSeconds);
  errors.push(...deadline.errors);
  if (deadline.ends) return errors;
  errors.push(...validateAddedTolerations(spec, oldSpec), ...validateOpenedGates(spec, oldSpec));
  if (equalJson(spec, oldSpec)) return errors;
  const quality = next.status.qosClass ?? '';
  if ((old.status.qosClass ?? podQosClass(oldSpec)) !== podQosClass(spec))
    errors.push(fieldError.invalid('metadata', quality, 'Pod QoS is immutable'));
  if (isGated(oldSpec)) errors.push(...validateStricter(spec, oldSpec));
  const resizes = rules.gates.InPlacePodVerticalScaling;
  const lines = differences(fixedPart(oldSpec, oldSpec, false), fixedPart(spec, oldSpec, resizes));
  const mayChange = resizes ? MAY_RESIZE : MAY_CHANGE;
  if (lines.length > 0)
    errors.push(fieldError.forbidden('spec', `${mayChange}\n${lines.slice(0, MAX_LINES).join('\n')}\n`));
  return errors;
}

/** Returns the validation errors of changed annotations. The rules apply to updates of the pod, its status and its ephemeral containers. */
export function validateAnnotationUpdate(next: Pod, old: Pod, rules: PodRules): FieldError[] {
  return [
    ...validateFixedAnnotations(next.metadata, old.metadata, rules.dialect),
    ...validatePodAnnotations('metadata.annotations', next.metadata.annotations, next.spec, rules),
  ];
}

/** Checks that ephemeral containers are only added, because existing ones are immutable. */
export function validateEphemeralContainers(next: Pod, old: Pod, host: PodRules): FieldError[] {
  const rules = rulesAfter(host, old);
  if (isMirrorPod(old.metadata, rules.dialect))
    return [fieldError.forbidden('[]', 'static pods do not support ephemeral containers')];
  const path = 'spec.ephemeralContainers';
  const errors = [...validateWholePod(next, rules), ...validateAnnotationUpdate(next, old, rules)];
  const newContainers = firstBy(next.spec.ephemeralContainers ?? [], ({ name }) => name);
  for (const container of old.spec.ephemeralContainers ?? []) {
    const now = newContainers.get(container.name);
    if (equalJson(now, container)) continue;
    const what = now ? `changed\n${structDiff('core.EphemeralContainer', container, now)}` : 'removed\n';
    errors.push(
      fieldError.forbidden(path, `existing ephemeral containers ${quote(container.name)} may not be ${what}`),
    );
  }
  return errors;
}
