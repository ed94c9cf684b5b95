import { errorsOf, type FieldError, fieldError, printed } from '../../../../meta/field-error.js';
import { dns1123Subdomain, qualifiedName } from '../../../../meta/names.js';
import { printGoSyntax } from '../../../../schema/print-go-syntax.js';
import { parseAddress } from '../../../../values/ip-address.js';
import { validateAddress } from '../../../shared/ip-address.js';
import { validateOptional, within } from '../../../shared/value-rules.js';
import { coreV1 } from '../../core-v1.js';
import type { Container, ContainerStatus, Pod, PodSpec, PodStatus } from '../../core-v1.types.js';
import type { PodRules } from './pod-rules.js';
import { validateAnnotationUpdate } from './pod-update-validation.js';

const SYSTEM_CONDITIONS = new Set(['PodScheduled', 'Ready', 'Initialized']);

/** Returns the validation errors of a pod status update. */
export function validatePodStatusUpdate(next: Pod, old: Pod, rules: PodRules): FieldError[] {
  const { status } = next;
  const { nominatedNodeName } = status;
  const validateEndedList = (list: StatusList, restarts: (name: string, exitCode: number) => boolean) =>
    validateEnded(status[list] ?? [], old.status[list] ?? [], `status.${list}`, restarts);
  const restarts = restartRule(old.spec);
  const sidecars = new Set(
    (old.spec.initContainers ?? []).filter((each) => each.restartPolicy === 'Always').map(({ name }) => name),
  );
  return [
    ...validateAnnotationUpdate(next, old, rules),
    ...errorsOf(status.conditions ?? [], ({ type }, i) =>
      SYSTEM_CONDITIONS.has(type)
        ? []
        : // As in upstream, errors have this path, although conditions are in the status.
          qualifiedName(type).map((message) => fieldError.invalid(`metadata.conditions[${i}].Type`, type, message)),
    ),
    ...(nominatedNodeName === old.status.nominatedNodeName
      ? []
      : validateOptional('status.nominatedNodeName', nominatedNodeName, dns1123Subdomain)),
    ...validateEndedList('containerStatuses', (_name, exitCode) => restarts(exitCode)),
    ...validateEndedList('initContainerStatuses', (name, exitCode) => restarts(exitCode) || sidecars.has(name)),
    ...validateEndedList('ephemeralContainerStatuses', () => false),
    ...validateClaimStatuses(status, next.spec),
    ...validateAddresses('status.podIPs', status.podIPs ?? [], OF_POD),
    ...validateHostAddresses(status),
    ...validateContainerStatuses(next),
  ];
}

type StatusList = 'containerStatuses' | 'initContainerStatuses' | 'ephemeralContainerStatuses';

const restartRule =
  ({ restartPolicy }: PodSpec) =>
  (exitCode: number) =>
    restartPolicy === 'Always' || (restartPolicy === 'OnFailure' && exitCode !== 0);

/** Checks that containers do not run again after they have ended for good. */
function validateEnded(
  next: readonly ContainerStatus[],
  old: readonly ContainerStatus[],
  path: string,
  restarts: (name: string, exitCode: number) => boolean,
): FieldError[] {
  if (next === old) return [];
  const going = new Set(next.filter(({ state }) => !state?.terminated).map(({ name }) => name));
  return old.flatMap(({ name, state }, i) => {
    if (!state?.terminated || restarts(name, state.terminated.exitCode) || !going.has(name)) return [];
    return [fieldError.forbidden(`${path}[${i}].state`, 'may not be transitioned to non-terminated state')];
  });
}

/** Checks that each claim status has the name of an entry in `spec.resourceClaims`, and that no name occurs twice. */
function validateClaimStatuses({ resourceClaimStatuses = [] }: PodStatus, spec: PodSpec): FieldError[] {
  const known = new Set((spec.resourceClaims ?? []).map(({ name }) => name));
  const seen = new Set<string>();
  return resourceClaimStatuses.flatMap(({ name, resourceClaimName }, i) => {
    const path = `status.resourceClaimStatuses[${i}].name`;
    const errors = known.has(name)
      ? []
      : [fieldError.invalid(path, name, 'must match the name of an entry in `spec.resourceClaims`')];
    if (seen.has(name)) errors.push(fieldError.duplicate(path, name));
    seen.add(name);
    return [...errors, ...validateOptional(path, resourceClaimName ?? undefined, dns1123Subdomain)];
  });
}

interface Address {
  readonly ip: string;
}
/** The types of a list of addresses and of its items, for error messages. */
const OF_POD = { list: coreV1.type('[]PodIP by(ip)'), item: coreV1.struct('PodIP') };
const OF_HOST = { list: coreV1.type('[]HostIP atomic'), item: coreV1.struct('HostIP') };
type Addresses = typeof OF_POD | typeof OF_HOST;

/** Checks the addresses of a pod. There may be one for each address family. */
function validateAddresses(path: string, addresses: readonly Address[], schema: Addresses): FieldError[] {
  const errors = errorsOf(addresses, ({ ip }, i) => validateAddress(`${path}[${i}]`, ip));
  if (addresses.length < 2) return errors;
  return [...errors, ...validateFamilies(path, addresses, schema), ...validateOnce(path, addresses, schema)];
}

function validateFamilies(path: string, addresses: readonly Address[], schema: Addresses): FieldError[] {
  const errors: FieldError[] = [];
  const bad = addresses.findIndex(({ ip }) => parseAddress(ip) === undefined);
  if (bad >= 0) {
    const why = `failed to check for dual stack with error:invalid IP[${bad}]: ${addresses[bad]?.ip}`;
    errors.push(fieldError.internal(path, why));
  }
  const families = new Set(addresses.map(({ ip }) => parseAddress(ip)?.length));
  if (bad < 0 && families.size === 2 && addresses.length === 2) return errors;
  const shown = printed(printGoSyntax(schema.list, addresses));
  return [...errors, fieldError.invalid(path, shown, 'may specify no more than one IP for each IP family')];
}

function validateOnce(path: string, addresses: readonly Address[], schema: Addresses): FieldError[] {
  const seen = new Set<string>();
  return errorsOf(addresses, (address, i) => {
    const twice = seen.has(address.ip);
    seen.add(address.ip);
    return twice ? [fieldError.duplicate(`${path}[${i}]`, printed(printGoSyntax(schema.item, address)))] : [];
  });
}

/** Checks the addresses of a pod's node. The first one must be equal to hostIP. */
function validateHostAddresses({ hostIP = '', hostIPs: addresses = [] }: PodStatus): FieldError[] {
  const path = 'status.hostIPs';
  const [first] = addresses;
  if (first === undefined) return [];
  const errors =
    first.ip === hostIP ? [] : [fieldError.invalid(`${path}[0].ip`, first.ip, 'must be equal to `hostIP`')];
  errors.push(...errorsOf(addresses, ({ ip }, i) => validateAddress(`${path}[${i}]`, ip)));
  if (addresses.length < 2) return errors;
  return [...errors, ...validateOnce(path, addresses, OF_HOST), ...validateFamilies(path, addresses, OF_HOST)];
}

const MAX_ID = 0x7fff_ffff;
const HEALTH = ['Healthy', 'Unhealthy', 'Unknown'];
const LISTS = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'] as const;

/** Returns the validation errors of the users and devices in container statuses. */
function validateContainerStatuses({ status, spec }: Pod): FieldError[] {
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
