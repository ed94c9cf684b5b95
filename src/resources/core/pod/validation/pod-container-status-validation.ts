import { errorsOf, type FieldError, fieldError, printed } from '../../../../meta/field-error.js';
import { within } from '../../../shared/value-rules.js';
import type { Container, ContainerStatus, Pod, PodSpec } from '../../core-v1.types.js';

const MAX_ID = 0x7fff_ffff;
const HEALTH = ['Healthy', 'Unhealthy', 'Unknown'];
const LISTS = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'] as const;

/** Returns the problems of the users and devices in container statuses. */
export function validateContainerStatuses({ status, spec }: Pod): FieldError[] {
  const { containers, initContainers } = spec;
  const path = (list: string, i: number) => `status.${list}[${i}]`;
  const users = LISTS.flatMap((list) =>
    errorsOf(status[list] ?? [], (each, i) => validateUser(`${path(list, i)}.linux`, each, spec.os?.name)),
  );
  const devices = Object.entries({ containerStatuses: containers, initContainerStatuses: initContainers }).flatMap(
    ([list, known]) =>
      errorsOf(status[list as 'containerStatuses'] ?? [], (each, i) =>
        validateDevices(`${path(list, i)}.allocatedResourcesStatus`, each, known ?? []),
      ),
  );
  const added = errorsOf(status.ephemeralContainerStatuses ?? [], ({ allocatedResourcesStatus = [] }, i) =>
    allocatedResourcesStatus.length === 0
      ? []
      : [
          fieldError.forbidden(
            `${path('ephemeralContainerStatuses', i)}.allocatedResourcesStatus`,
            'must not be specified in container status',
          ),
        ],
  );
  return [...users, ...devices, ...added];
}

type System = NonNullable<PodSpec['os']>['name'];

function validateUser(path: string, { user }: ContainerStatus, system: System | undefined): FieldError[] {
  const { linux } = user ?? {};
  if (!linux) return [];
  if (system === 'windows') return [fieldError.forbidden(path, 'cannot be set for a windows pod')];
  return [
    ...within(`${path}.uid`, linux.uid, 0, MAX_ID),
    ...within(`${path}.gid`, linux.gid, 0, MAX_ID),
    ...errorsOf(linux.supplementalGroups ?? [], (id, i) => within(`${path}.supplementalGroups[${i}]`, id, 0, MAX_ID)),
  ];
}

function validateDevices(path: string, status: ContainerStatus, containers: readonly Container[]): FieldError[] {
  const container = containers.find(({ name }) => name === status.name);
  return errorsOf(status.allocatedResourcesStatus ?? [], ({ name, resources = [] }, i) => {
    const at = `${path}[${i}]`;
    // A status for a container that is not in the spec is accepted.
    const isKnown = !container || Object.hasOwn(container.resources?.requests ?? {}, name);
    const seen = new Set<string>();
    const ofDevices = errorsOf(resources, ({ resourceID: id, health = '' }, n) => {
      const device = `${at}.resources[${n}]`;
      const errors = HEALTH.includes(health) ? [] : [fieldError.notSupported(`${device}.health`, health, HEALTH)];
      if (seen.has(id)) errors.push(fieldError.duplicate(`${device}.resourceID`, id));
      seen.add(id);
      return errors;
    });
    if (isKnown) return ofDevices;
    const why = "must match one of the container's resource requirements";
    return [fieldError.invalid(`${at}.name`, printed(name), why), ...ofDevices];
  });
}
