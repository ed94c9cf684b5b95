import { equalJson } from '../../../json/equal.js';
import { errorsOf, type FieldError, fieldError, printed } from '../../../meta/field-error.js';
import { unedited } from '../../../registry/edit.js';
import type { Draft } from '../../../registry/strategy.js';
import type { Container, Pod, PodSpec, ResourceRequirements } from '../core-v1.types.js';

/** What of a running container may change where that is switched on (InPlacePodVerticalScaling). */
const RESIZABLE = ['cpu', 'memory'] as const;
const POLICIES = ['NotRequired', 'RestartContainer'];

/** What a container has of a resource may change without a restart, unless its author says otherwise. */
export function setResizePolicies(spec: Draft<PodSpec>): void {
  for (const [i, { resources, resizePolicy = [] }] of unedited(spec.containers ?? []).entries()) {
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

/** Says of a pod whose requests are no longer what its node gave it that it is to be resized. */
export function markResize({ spec, status }: Draft<Pod>, old: Pod): void {
  const isNew = unedited(spec.containers ?? []).some(({ name, resources }, i) => {
    if (resources.requests === undefined || equalJson(resources, old.spec.containers?.[i]?.resources)) return false;
    const given = unedited(status.containerStatuses ?? []).find((container) => container.name === name);
    return given !== undefined && !equalJson(resources.requests, given.allocatedResources);
  });
  if (isNew) status.resize = 'Proposed';
}

/** Containers with what they had of what may change. */
export function withOldSizes(
  containers: readonly Container[],
  old: readonly Container[] | undefined,
): readonly Container[] {
  return containers.map((container, i) => {
    const { limits, requests } = container.resources;
    const before = old?.[i]?.resources;
    // Claims of devices are not looked at, as on the wire.
    const resources = { ...mixed('limits', limits, before), ...mixed('requests', requests, before) };
    return { ...container, resources };
  });
}

function mixed(field: 'limits' | 'requests', next: ResourceRequirements['limits'], old?: ResourceRequirements) {
  const amounts: Record<string, string> = { ...next };
  for (const name of RESIZABLE) {
    const before = old?.[field]?.[name];
    if (before === undefined) delete amounts[name];
    else amounts[name] = before;
  }
  return Object.keys(amounts).length === 0 ? {} : { [field]: amounts };
}

/** Problems of what a resize does to a container. */
export function validateResizePolicies(
  path: string,
  policies: NonNullable<Container['resizePolicy']>,
  restartPolicy: string | undefined,
): FieldError[] {
  const seen = new Set<string>();
  const known = (value: string, values: readonly string[], shown: unknown = value) => {
    if (value === '') return [fieldError.required(path)];
    return values.includes(value) ? [] : [fieldError.notSupported(path, shown, values)];
  };
  return errorsOf(policies, ({ resourceName: name, restartPolicy: policy }, i) => {
    const errors = seen.has(name) ? [fieldError.duplicate(`${path}[${i}]`, printed(name))] : [];
    seen.add(name);
    errors.push(...known(name, RESIZABLE, printed(name)), ...known(policy, POLICIES));
    if (restartPolicy === 'Never' && policy !== 'NotRequired')
      errors.push(fieldError.invalid(path, policy, "must be 'NotRequired' when `restartPolicy` is 'Never'"));
    return errors;
  });
}
