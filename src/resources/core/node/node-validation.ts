import type { JsonObject } from '../../../json/value.js';
import type { Dialect } from '../../../meta/dialect.js';
import { addErrors, type FieldError, fieldError, isFull, printed } from '../../../meta/field-error.js';
import { labelValue, qualifiedName } from '../../../meta/names.js';
import type { ObjectMeta } from '../../../meta/object-meta.js';
import {
  list,
  type OutputOf,
  omitEmpty,
  omitNull,
  string,
  struct,
  structSchema,
  time,
} from '../../../schema/authoring.js';
import { decodeTyped } from '../../../schema/decode.js';
import { ownerReference } from '../../../schema/object-meta-schema.js';
import { printGoSyntax } from '../../../schema/print-go-syntax.js';
import { parseJson } from '../../../serialization/json/decode.js';
import { parseRange } from '../../../values/ip-address.js';
import { messageOf } from '../../../values/message-of.js';
import { quote } from '../../../values/quote.js';
import { validateRange } from '../../shared/ip-address.js';
import { type ResourceAmounts, validateAmount } from '../../shared/resource-rules.js';
import { validateAnnotatedList } from '../annotated-list.js';
import { coreV1 } from '../core-v1.js';
import type { Node } from '../core-v1.types.js';

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

type Taint = NonNullable<Node['spec']['taints']>[number];

// As in upstream, errors about taints have the path `metadata.taints`, although taints are in the spec.
const TAINTS = 'metadata.taints';

function validateTaints(taints: readonly Taint[] = [], list = TAINTS): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, taint] of taints.entries()) {
    if (isFull(errors)) break;
    const { key, value = '', effect } = taint;
    const path = `${list}[${i}]`;
    for (const message of qualifiedName(key)) errors.push(fieldError.invalid(`${path}.key`, key, message));
    const problems = labelValue(value);
    if (problems.length > 0) errors.push(fieldError.invalid(`${path}.value`, value, problems.join(';')));
    if (effect === '') errors.push(fieldError.required(`${path}.effect`));
    else if (!EFFECTS.includes(effect)) errors.push(fieldError.notSupported(`${path}.effect`, effect, EFFECTS));
    // Several taints may have one key if their effects differ.
    if (seen.has(`${effect} ${key}`))
      errors.push({
        ...fieldError.duplicate(path, printed(printGoSyntax(coreV1.struct('Taint'), taint))),
        detail: 'taints must be unique by key and effect pair',
      });
    seen.add(`${effect} ${key}`);
  }
  return errors;
}

/** Returns the validation errors of annotations that have no effect. Upstream still validates them. */
function validateOldAnnotations(metadata: Node['metadata'], dialect: Dialect): FieldError[] {
  const name = `scheduler.alpha.${dialect.labelDomain}/taints`;
  return [
    ...validateAnnotatedList('metadata.annotations', metadata.annotations ?? {}, name, TAINT),
    ...validateAvoidedPods(metadata, dialect),
  ];
}

const TAINT = { type: coreV1.struct('Taint'), kind: 'core.Taint', validate: validateTaints };

function validateAmounts({ capacity, allocatable }: Node['status']): FieldError[] {
  const errors: FieldError[] = [];
  const add = (path: string, amounts: ResourceAmounts = {}) => {
    for (const [name, amount] of Object.entries(amounts)) {
      if (isFull(errors)) return;
      // Upstream prints an empty step of a path as an index.
      addErrors(errors, validateAmount(`${path}${name === '' ? '[]' : `.${name}`}`, name, amount));
    }
  };
  add('status.capacity', capacity);
  add('status.allocatable', allocatable);
  return errors;
}

/** Checks the pod IP ranges (`podCIDRs`). A node may have one range for each address family. */
function validatePodRanges({ podCIDRs: ranges = [] }: Node['spec']): FieldError[] {
  const errors: FieldError[] = [];
  const path = 'spec.podCIDRs';
  for (const [i, range] of ranges.entries()) addErrors(errors, validateRange(`${path}[${i}]`, range));
  if (ranges.length > 1) {
    const parsed = ranges.map(parseRange);
    const wrong = ranges.find((_, i) => parsed[i] === undefined);
    const families = new Set(parsed.map((range) => range?.first.length));
    if (wrong !== undefined) {
      const why = `failed to parse cidr value:${quote(wrong)} with error:invalid CIDR address: ${wrong}`;
      const message = `invalid PodCIDRs. failed to check with dual stack with error:${why}`;
      errors.push(fieldError.internal(path, message));
    }
    if (wrong !== undefined || families.size < 2 || ranges.length > 2) {
      const shown = `[]string{${ranges.map(quote).join(', ')}}`;
      errors.push(fieldError.invalid(path, printed(shown), 'may specify no more than one CIDR for each IP family'));
    }
  }
  for (const [i, range] of ranges.entries())
    if (ranges.indexOf(range) < i) errors.push(fieldError.duplicate(`${path}[${i}]`, range));
  return errors;
}

/** Returns all validation errors of a new node. */
export const validateNode = ({ metadata, spec, status }: Node, dialect: Dialect): FieldError[] => [
  ...validateOldAnnotations(metadata, dialect),
  ...validateTaints(spec.taints),
  ...validateAmounts(status),
  ...validatePodRanges(spec),
];

function validateAddresses({ addresses = [] }: Node['status']): FieldError[] {
  const seen = new Set<string>();
  return addresses.flatMap(({ type, address }, i) => {
    const shown = `core.NodeAddress{Type:${quote(type)}, Address:${quote(address)}}`;
    if (!seen.has(shown)) {
      seen.add(shown);
      return [];
    }
    return [fieldError.duplicate(`status.addresses[${i}]`, printed(shown))];
  });
}

/** Checks that the pod IP ranges (`podCIDRs`) do not change once they are set. */
function validateFixedRanges(
  { podCIDRs: next = [] }: Node['spec'],
  { podCIDRs: old = [] }: Node['spec'],
): FieldError[] {
  const changed = fieldError.forbidden('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid');
  if (old.length === 0) return [];
  if (next.length !== old.length) return [changed];
  return old.flatMap((range, i) => (range === next[i] ? [] : [changed]));
}

/** Returns all validation errors of an update of the spec or the status. */
export function validateNodeUpdate(next: Node, old: Node, dialect: Dialect): FieldError[] {
  const errors: FieldError[] = [];
  addErrors(errors, validateOldAnnotations(next.metadata, dialect));
  addErrors(errors, validateAmounts(next.status));
  addErrors(errors, validateAddresses(next.status));
  addErrors(errors, validateFixedRanges(next.spec, old.spec));
  const { providerID = '' } = old.spec;
  if (providerID !== '' && next.spec.providerID !== providerID)
    errors.push(
      fieldError.forbidden('spec.providerID', 'node updates may not change providerID except from "" to valid'),
    );
  addErrors(errors, validateTaints(next.spec.taints));
  if ((next.spec.externalID ?? '') !== (old.spec.externalID ?? ''))
    errors.push(fieldError.forbidden('spec.externalID', 'may not be updated'));
  return errors;
}

const text = string();
const signature = struct('io.k8s.api.core.v1.PodSignature', 'Selects pods by their controller.', () => ({
  podController: omitNull(ownerReference, 1, 'The controller of the pods.'),
}));
const entry = struct('io.k8s.api.core.v1.PreferAvoidPodsEntry', 'Pods that the node prefers not to run.', () => ({
  podSignature: omitNull(signature, 1, 'The pods.'),
  evictionTime: omitNull(time(), 2, 'When the pods were evicted.'),
  reason: omitEmpty(text, 3, 'The reason, in one word.'),
  message: omitEmpty(text, 4, 'The reason, for people.'),
}));
const avoidPods = struct('io.k8s.api.core.v1.AvoidPods', 'Pods that the node prefers not to run.', () => ({
  preferAvoidPods: omitEmpty(list(entry), 1, 'The pods.'),
}));

/**
 * Returns the validation errors of the node annotation that lists pods to avoid. The annotation has no effect, but upstream still validates
 * it.
 */
function validateAvoidedPods({ annotations = {} }: ObjectMeta, { labelDomain }: Dialect): FieldError[] {
  const name = `scheduler.alpha.${labelDomain}/preferAvoidPods`;
  const written = Object.hasOwn(annotations, name) ? (annotations[name] ?? '') : '';
  if (written === '') return [];
  let entries: readonly OutputOf<typeof entry>[];
  try {
    entries = readEntries(written);
  } catch (error) {
    return [fieldError.invalid('metadata.annotations.AvoidPods', name, messageOf(error))];
  }
  return entries.flatMap(({ podSignature }, i) => {
    const path = `metadata.annotations.${name}[${i}].PodSignature`;
    const controller = podSignature?.podController;
    if (!controller) return [fieldError.required(path)];
    if (controller.controller === true) return [];
    return [fieldError.invalid(`${path}.PodController.Controller`, false, 'must point to a controller')];
  });
}

/** Parses the value of the annotation `preferAvoidPods`. @throws Error with upstream's message */
function readEntries(written: string): readonly OutputOf<typeof entry>[] {
  const { value } = parseJson(new TextEncoder().encode(written));
  const decoded: JsonObject = decodeTyped(structSchema(avoidPods), value).value;
  // The value was decoded with the schema of the annotation, so the cast is safe.
  return (decoded as unknown as OutputOf<typeof avoidPods>).preferAvoidPods ?? [];
}
