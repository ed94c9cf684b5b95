import { equalJson } from '../../../json/equal.js';
import { errorsOf, type FieldError, fieldError, printed } from '../../../meta/field-error.js';
import { originalOf } from '../../../registry/edit.js';
import type { Draft } from '../../../registry/strategy.js';
import { compareQuantities, parseQuantity } from '../../../values/quantity.js';
import type { Container, Pod, PodSpec, ResourceRequirements } from '../core-v1.types.js';

const COUNTED = ['cpu', 'memory'] as const;
type Amounts = Readonly<Record<string, string>>;

/** Returns a quantity if it is positive; undefined when it is absent, zero or negative. */
function amount(amounts: Amounts | undefined, name: string) {
  const text = amounts?.[name];
  if (text === undefined) return undefined;
  const quantity = parseQuantity(text);
  return quantity.unscaled > 0n ? quantity : undefined;
}

/**
 * Returns the QoS class of a pod by its cpu and memory: Guaranteed when every container has limits that equal its requests, BestEffort when
 * no container has limits or requests, otherwise Burstable.
 */
export function podQosClass({ containers, initContainers = [] }: PodSpec): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  let hasRequests = false;
  let exact = true;
  for (const { resources } of [...initContainers, ...(containers ?? [])]) {
    for (const name of COUNTED) {
      const request = amount(resources.requests, name);
      const limit = amount(resources.limits, name);
      if (request || limit) hasRequests = true;
      if (!limit || !request || compareQuantities(request, limit) !== 0) exact = false;
    }
  }
  return hasRequests ? (exact ? 'Guaranteed' : 'Burstable') : 'BestEffort';
}

/** Resources of a running container that may change if the feature gate InPlacePodVerticalScaling is on. */
const RESIZABLE = ['cpu', 'memory'] as const;
const POLICIES = ['NotRequired', 'RestartContainer'];

/** Sets the default resize policy NotRequired for every resource that a container uses. */
export function setResizePolicies(spec: Draft<PodSpec>): void {
  for (const [i, { resources, resizePolicy = [] }] of originalOf(spec.containers ?? []).entries()) {
    const missing = RESIZABLE.filter(
      (name) =>
        (resources.requests?.[name] ?? resources.limits?.[name]) !== undefined &&
        !resizePolicy.some(({ resourceName }) => resourceName === name),
    );
    const container = missing.length === 0 ? undefined : spec.containers[i];
    if (!container) continue;
    const added = missing.map((resourceName) => ({ resourceName, restartPolicy: 'NotRequired' }));
    container.resizePolicy = [...resizePolicy, ...added];
  }
}

/** Marks a pod for resizing when its requests differ from what its node has allocated. */
export function markResize({ spec, status }: Draft<Pod>, old: Pod): void {
  const isNew = originalOf(spec.containers ?? []).some(({ name, resources }, i) => {
    if (resources.requests === undefined || equalJson(resources, old.spec.containers?.[i]?.resources)) return false;
    const containerStatus = originalOf(status.containerStatuses ?? []).find((container) => container.name === name);
    return containerStatus !== undefined && !equalJson(resources.requests, containerStatus.allocatedResources);
  });
  if (isNew) status.resize = 'Proposed';
}

/** Returns the containers with the old quantities of resizable resources, so that comparing them finds only changes of other fields. */
export function withOldSizes(
  containers: readonly Container[],
  old: readonly Container[] | undefined,
): readonly Container[] {
  return containers.map((container, i) => {
    const { limits, requests } = container.resources;
    const before = old?.[i]?.resources;
    // As in upstream, the device claims in `resources.claims` are left out.
    const resources = { ...mergeResized('limits', limits, before), ...mergeResized('requests', requests, before) };
    return { ...container, resources };
  });
}

function mergeResized(field: 'limits' | 'requests', next: ResourceRequirements['limits'], old?: ResourceRequirements) {
  const before = old?.[field];
  // As in upstream, a container without any old quantities may get those of other resources, too.
  if (before === undefined) return {};
  const amounts: Record<string, string> = { ...next };
  for (const name of RESIZABLE)
    if (before[name] === undefined) delete amounts[name];
    else amounts[name] = before[name];
  return Object.keys(amounts).length === 0 ? {} : { [field]: amounts };
}

/** Returns the validation errors of a container's resize policies. */
export function validateResizePolicies(
  path: string,
  policies: NonNullable<Container['resizePolicy']>,
  restartPolicy: string | undefined,
): FieldError[] {
  const seen = new Set<string>();
  const requireKnown = (value: string, values: readonly string[], shown: unknown = value) => {
    if (value === '') return [fieldError.required(path)];
    return values.includes(value) ? [] : [fieldError.notSupported(path, shown, values)];
  };
  return errorsOf(policies, ({ resourceName: name, restartPolicy: policy }, i) => {
    const errors = seen.has(name) ? [fieldError.duplicate(`${path}[${i}]`, printed(name))] : [];
    seen.add(name);
    errors.push(...requireKnown(name, RESIZABLE, printed(name)), ...requireKnown(policy, POLICIES));
    if (restartPolicy === 'Never' && policy !== 'NotRequired')
      errors.push(fieldError.invalid(path, policy, "must be 'NotRequired' when `restartPolicy` is 'Never'"));
    return errors;
  });
}
