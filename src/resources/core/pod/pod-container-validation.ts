import { errorsOf, type FieldError, fieldError } from '../../../meta/field-error.js';
import { dns1123Label } from '../../../meta/names.js';
import { validateResources } from '../../fragments/resource-rules.js';
import { checked, named, oneOf, portName, portNumber, within } from '../../fragments/value-rules.js';
import type { Container } from './pod-container.js';
import { validateVariableSources, validateVariables } from './pod-environment-validation.js';
import { validateProbes } from './pod-probe-validation.js';

const MAX_ID = 0x7fff_ffff;

function validatePorts(path: string, ports: NonNullable<Container['ports']>): FieldError[] {
  const seen = new Set<string>();
  return errorsOf(ports, ({ name = '', containerPort, hostPort = 0, protocol }, i) => {
    const at = `${path}[${i}]`;
    const errors = checked(`${at}.name`, name, portName);
    if (errors.length === 0 && name !== '') {
      if (seen.has(name)) errors.push(fieldError.duplicate(`${at}.name`, name));
      seen.add(name);
    }
    if (containerPort === 0) errors.push(fieldError.required(`${at}.containerPort`));
    else errors.push(...portNumber(`${at}.containerPort`, containerPort));
    if (hostPort !== 0) errors.push(...portNumber(`${at}.hostPort`, hostPort));
    return [...errors, ...oneOf(`${at}.protocol`, protocol, ['SCTP', 'TCP', 'UDP'])];
  });
}

/** A path below a folder: relative, and never upwards. */
function descending(path: string, value: string | undefined): FieldError[] {
  if (value === undefined) return [];
  const errors = value.startsWith('/') ? [fieldError.invalid(path, value, 'must be a relative path')] : [];
  if (value.split('/').includes('..')) errors.push(fieldError.invalid(path, value, "must not contain '..'"));
  return errors;
}

function validateMounts(path: string, container: Container, volumes: ReadonlySet<string>): FieldError[] {
  const { volumeMounts = [], volumeDevices = [] } = container;
  const seen = new Set<string>();
  const devices = new Set(volumeDevices.map((device) => device.name));
  const devicePaths = new Set(volumeDevices.map(({ devicePath }) => devicePath));
  return errorsOf(volumeMounts, ({ name, mountPath, subPath, subPathExpr }, i) => {
    const at = `${path}[${i}]`;
    const errors: FieldError[] = name === '' ? [fieldError.required(`${at}.name`)] : [];
    if (!volumes.has(name)) errors.push(fieldError.notFound(`${at}.name`, name));
    if (mountPath === '') errors.push(fieldError.required(`${at}.mountPath`));
    if (seen.has(mountPath)) errors.push(fieldError.invalid(`${at}.mountPath`, mountPath, 'must be unique'));
    seen.add(mountPath);
    if (devices.has(name))
      errors.push(fieldError.invalid(`${at}.name`, name, 'must not already exist in volumeDevices'));
    if (devicePaths.has(mountPath))
      errors.push(
        fieldError.invalid(`${at}.mountPath`, mountPath, 'must not already exist as a path in volumeDevices'),
      );
    // The wire reports these at the list.
    errors.push(...descending(`${path}.subPath`, subPath));
    if (subPathExpr !== undefined && subPath !== undefined)
      errors.push(
        fieldError.invalid(`${at}.subPathExpr`, subPathExpr, 'subPathExpr and subPath are mutually exclusive'),
      );
    return [...errors, ...descending(`${path}.subPathExpr`, subPathExpr)];
  });
}

function validateRights(path: string, rights: Container['securityContext']): FieldError[] {
  return [
    ...within(`${path}.runAsUser`, rights?.runAsUser, 0, MAX_ID),
    ...within(`${path}.runAsGroup`, rights?.runAsGroup, 0, MAX_ID),
  ];
}

// Containers of stored pods that are known to be in order, but for the volumes they mount.
const inOrder = new WeakSet<Container>();

/** The rules that containers of every kind share. */
function validateOne(path: string, container: Container, volumes: ReadonlySet<string>): FieldError[] {
  const mounts = validateMounts(`${path}.volumeMounts`, container, volumes);
  if (inOrder.has(container)) return mounts;
  const { name, image = '', ports = [], env = [], envFrom = [], resources } = container;
  const messages = ['File', 'FallbackToLogsOnError'];
  const errors = [
    ...named(`${path}.name`, name, dns1123Label),
    ...(image === '' ? [fieldError.required(`${path}.image`)] : []),
    ...oneOf(`${path}.terminationMessagePolicy`, container.terminationMessagePolicy, messages),
    ...validatePorts(`${path}.ports`, ports),
    ...validateVariables(`${path}.env`, env),
    ...validateVariableSources(`${path}.envFrom`, envFrom),
    ...mounts,
    ...oneOf(`${path}.imagePullPolicy`, container.imagePullPolicy, ['Always', 'IfNotPresent', 'Never']),
    ...validateResources(`${path}.resources`, resources),
    ...validateRights(`${path}.securityContext`, container.securityContext),
  ];
  if (errors.length === mounts.length && Object.isFrozen(container)) inOrder.add(container);
  return errors;
}

/** A name that another container has. */
function duplicate(path: string, { name }: Container, seen: Set<string>): FieldError[] {
  const twice = seen.has(name);
  if (name !== '') seen.add(name);
  return twice ? [fieldError.duplicate(`${path}.name`, name)] : [];
}

/** Two ports of one container, or of several that run together, on one port of the node. */
function portConflicts(path: (index: number) => string, containers: readonly Container[]): FieldError[] {
  const taken = new Set<string>();
  return errorsOf(containers, ({ ports = [] }, i) =>
    errorsOf(ports, ({ hostPort = 0, hostIP = '', protocol }, j) => {
      if (hostPort === 0) return [];
      const shown = `${protocol}/${hostIP}/${hostPort}`;
      const twice = taken.has(shown);
      taken.add(shown);
      return twice ? [fieldError.duplicate(`${path(i)}.ports[${j}].hostPort`, shown)] : [];
    }),
  );
}

/** Problems of the containers that do a pod's work. `seen` collects names. */
export function validateContainers(
  containers: readonly Container[],
  volumes: ReadonlySet<string>,
  seen: Set<string>,
): FieldError[] {
  const at = (i: number) => `spec.containers[${i}]`;
  if (containers.length === 0) return [fieldError.required('spec.containers')];
  const errors = errorsOf(containers, (container, i) => [
    ...validateOne(at(i), container, volumes),
    ...duplicate(at(i), container, seen),
    ...validateProbes(at(i), container),
    ...(container.restartPolicy === undefined
      ? []
      : [fieldError.forbidden(`${at(i)}.restartPolicy`, 'may not be set for non-init containers')]),
  ]);
  return [...errors, ...portConflicts(at, containers)];
}

const OF_LASTING = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const;

/** Problems of the containers that run first; those that stay may be probed. */
export function validateInitContainers(
  containers: readonly Container[],
  volumes: ReadonlySet<string>,
  seen: Set<string>,
): FieldError[] {
  return errorsOf(containers, (container, i) => {
    const path = `spec.initContainers[${i}]`;
    const errors = validateOne(path, container, volumes);
    const { restartPolicy } = container;
    if (restartPolicy !== undefined) errors.push(...oneOf(`${path}.restartPolicy`, restartPolicy, ['Always']));
    errors.push(...duplicate(path, container, seen), ...portConflicts(() => path, [container]));
    if (restartPolicy === 'Always') return [...errors, ...validateProbes(path, container)];
    const refused = OF_LASTING.filter((field) => container[field] !== undefined);
    const why = 'may not be set for init containers without restartPolicy=Always';
    return [...errors, ...refused.map((field) => fieldError.forbidden(`${path}.${field}`, why))];
  });
}

const OF_PLANNED = [...OF_LASTING, 'ports', 'resources', 'resizePolicy'] as const;

/** Problems of the containers added to a running pod, which cannot have all that others have. */
export function validateAddedContainers(
  containers: readonly (Container & { readonly targetContainerName?: string })[],
  volumes: ReadonlySet<string>,
  seen: Set<string>,
): FieldError[] {
  const known = new Set(seen);
  return errorsOf(containers, (container, i) => {
    const path = `spec.ephemeralContainers[${i}]`;
    const errors = [...validateOne(path, container, volumes), ...duplicate(path, container, seen)];
    const target = container.targetContainerName ?? '';
    if (target !== '' && !known.has(target)) errors.push(fieldError.notFound(`${path}.targetContainerName`, target));
    for (const field of OF_PLANNED)
      if (container[field] !== undefined && Object.keys(container[field]).length > 0)
        errors.push(fieldError.forbidden(`${path}.${field}`, 'cannot be set for an Ephemeral Container'));
    return errors;
  });
}
