import { allContainers } from '../../../../admission/pods/all-containers.js';
import { errorsOf, type FieldError, fieldError, printed } from '../../../../meta/field-error.js';
import { dns1123Label } from '../../../../meta/names.js';
import { listAtomic } from '../../../../schema/authoring.js';
import { printGoSyntax } from '../../../../schema/print-go-syntax.js';
import { hasPartsOfPages, validateResources } from '../../../fragments/resource-rules.js';
import { checked, named, oneOf, portName, portNumber } from '../../../fragments/value-rules.js';
import { coreV1 } from '../../core-v1.js';
import type { Container, PodSpec } from '../../core-v1.types.js';
import { validateResizePolicies } from '../pod-resize.js';
import { validateUsedClaims } from './pod-claim-validation.js';
import { mayNameFreely, validateVariableSources, validateVariables } from './pod-environment-validation.js';
import { type Volumes, validateDevices, validateMounts } from './pod-mount-validation.js';
import { validateProbes } from './pod-probe-validation.js';
import type { PodRules } from './pod-rules.js';
import { validateRights, validateShared } from './pod-security-validation.js';

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

// Containers of stored pods that are known to be in order, but for what depends on more than themselves.
const inOrder = new WeakSet<Container>();

/** What a container is looked at with. */
interface Around {
  readonly volumes: Volumes;
  readonly rules: PodRules;
  /** Seconds that the pod has to stop in. */
  readonly gracePeriod: number | undefined;
  readonly restartPolicy: string | undefined;
  /** Names of what the pod claims of devices. */
  readonly claims: ReadonlySet<string>;
  /** Whether the pod uses the users of its node. */
  readonly hostUsers: boolean;
  /** Whether names of variables may be nearly everything. */
  readonly freely: boolean;
  /** Whether there may be parts of large pages. */
  readonly anyPages: boolean;
}

/** Whether a pod had parts of large pages before. */
export function mayHavePartsOfPages({ before }: PodRules): boolean {
  if (!before) return false;
  const { spec } = before;
  return (
    allContainers<Container>(spec).some(({ resources }) => resources !== undefined && hasPartsOfPages(resources)) ||
    (spec.overhead !== undefined && hasPartsOfPages({ limits: spec.overhead }))
  );
}

/** The rules that containers of every kind share. */
function validateOne(path: string, container: Container, around: Around): FieldError[] {
  const { volumes, rules, freely, anyPages, hostUsers, restartPolicy } = around;
  const { resources, resizePolicy = [], securityContext: rights } = container;
  const claims = resources?.claims ?? [];
  // What depends on more than the container.
  const places = [
    ...validateMounts(`${path}.volumeMounts`, container, volumes),
    ...validateDevices(`${path}.volumeDevices`, container, volumes),
  ];
  const others = [
    ...(claims.length === 0 ? [] : validateUsedClaims(`${path}.resources.claims`, claims, around.claims)),
    ...validateResizePolicies(`${path}.resizePolicy`, resizePolicy, restartPolicy),
  ];
  const ofHost = { privileged: rules.allowPrivileged, unmasked: !hostUsers };
  const at = `${path}.securityContext`;
  const isKnown = inOrder.has(container);
  if (isKnown) return [...places, ...others, ...validateShared(at, rights, ofHost)];
  const { name, image = '', ports = [], env = [], envFrom = [] } = container;
  const messages = ['File', 'FallbackToLogsOnError'];
  const errors = [
    ...named(`${path}.name`, name, dns1123Label),
    ...(image === '' ? [fieldError.required(`${path}.image`)] : []),
    ...oneOf(`${path}.terminationMessagePolicy`, container.terminationMessagePolicy, messages),
    ...validatePorts(`${path}.ports`, ports),
    ...validateVariables(`${path}.env`, env, freely),
    ...validateVariableSources(`${path}.envFrom`, envFrom, freely),
    ...places,
    ...oneOf(`${path}.imagePullPolicy`, container.imagePullPolicy, ['Always', 'IfNotPresent', 'Never']),
    ...validateResources(`${path}.resources`, resources, { anyPages }),
    ...others,
    ...validateRights(at, rights, ofHost),
  ];
  const shared = places.length + others.length + validateShared(at, rights, ofHost).length;
  const isFine = errors.length === shared && !freely && !anyPages;
  if (isFine && Object.isFrozen(container)) inOrder.add(container);
  return errors;
}

/** A name that another container has. Those that do a pod's work count even without one. */
function duplicate(path: string, { name }: Container, seen: Set<string>, nameless = true): FieldError[] {
  if (seen.has(name)) return [fieldError.duplicate(`${path}.name`, name)];
  if (nameless || name !== '') seen.add(name);
  return [];
}

/** Two ports of one container, or of several that run together, on one port of the node. */
function portConflicts(path: string, containers: readonly Container[]): FieldError[] {
  const taken = new Set<string>();
  return errorsOf(containers, ({ ports = [] }, i) =>
    errorsOf(ports, ({ hostPort = 0, hostIP = '', protocol }, j) => {
      if (hostPort === 0) return [];
      const shown = `${protocol}/${hostIP}/${hostPort}`;
      const twice = taken.has(shown);
      taken.add(shown);
      return twice ? [fieldError.duplicate(`${path}[${i}].ports[${j}].hostPort`, shown)] : [];
    }),
  );
}

/** Problems of all containers of a pod, which is to stop within its grace period. `volumes` are those without fault. */
export function validateAllContainers(spec: PodSpec, volumes: Volumes, rules: PodRules): FieldError[] {
  const { containers, initContainers = [], ephemeralContainers = [] } = spec;
  const around: Around = {
    volumes,
    rules,
    gracePeriod: spec.terminationGracePeriodSeconds,
    restartPolicy: spec.restartPolicy,
    claims: new Set(spec.resourceClaims?.map(({ name }) => name).filter((name) => name !== '')),
    hostUsers: spec.hostUsers ?? true,
    freely: mayNameFreely(spec, rules),
    anyPages: mayHavePartsOfPages(rules),
  };
  // On the wire a list of none is the same as none.
  const errors = validateContainers(containers ?? [], around);
  const names = new Set((containers ?? []).map(({ name }) => name));
  errors.push(...validateInitContainers(initContainers, around, new Set(names)));
  for (const { name } of initContainers) names.add(name);
  return [...errors, ...validateAddedContainers(ephemeralContainers, around, names)];
}

/** Those that do a pod's work. */
function validateContainers(containers: readonly Container[], around: Around): FieldError[] {
  const path = 'spec.containers';
  if (containers.length === 0) return [fieldError.required(path)];
  const seen = new Set<string>();
  const errors = errorsOf(containers, (container, i) => {
    const at = `${path}[${i}]`;
    return [
      ...validateOne(at, container, around),
      ...duplicate(at, container, seen),
      ...validateProbes(at, container, around.gracePeriod),
      ...(container.restartPolicy === undefined
        ? []
        : [fieldError.forbidden(`${at}.restartPolicy`, 'may not be set for non-init containers')]),
    ];
  });
  return [...errors, ...portConflicts(path, containers)];
}

const OF_LASTING = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const;

/** Those that run first; the ones that stay may be probed. */
function validateInitContainers(containers: readonly Container[], around: Around, seen: Set<string>): FieldError[] {
  const path = 'spec.initContainers';
  return errorsOf(containers, (container, i) => {
    const at = `${path}[${i}]`;
    const { restartPolicy } = container;
    const errors = validateOne(at, container, around);
    if (restartPolicy !== undefined && restartPolicy !== 'Always')
      errors.push(fieldError.notSupported(`${at}.restartPolicy`, restartPolicy, ['Always']));
    // Each runs alone; the wire reports its ports as those of the first.
    errors.push(...duplicate(at, container, seen, false), ...portConflicts(path, [container]));
    const refused = OF_LASTING.filter((field) => container[field] !== undefined);
    const why = 'may not be set for init containers without restartPolicy=Always';
    if (restartPolicy === 'Always') errors.push(...validateProbes(at, container, around.gracePeriod));
    else errors.push(...refused.map((field) => fieldError.forbidden(`${at}.${field}`, why)));
    if ((container.resizePolicy ?? []).length > 0) {
      const shown = printed(printGoSyntax(listAtomic(coreV1.struct('ContainerResizePolicy')), container.resizePolicy));
      errors.push(fieldError.invalid(`${at}.resizePolicy`, shown, 'must not be set for init containers'));
    }
    return errors;
  });
}

const OF_PLANNED = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
] as const;

/** Those added to a running pod, which cannot have all that others have. `others` are the names of the others. */
function validateAddedContainers(
  containers: NonNullable<PodSpec['ephemeralContainers']>,
  around: Around,
  others: ReadonlySet<string>,
): FieldError[] {
  const seen = new Set(others);
  return errorsOf(containers, (container, i) => {
    const path = `spec.ephemeralContainers[${i}]`;
    const { targetContainerName: target = '', volumeMounts = [] } = container;
    const errors = [
      ...validateOne(path, container, around),
      ...validateImage(path, container),
      ...duplicate(path, container, seen),
    ];
    if (target !== '' && !others.has(target)) errors.push(fieldError.notFound(`${path}.targetContainerName`, target));
    const refuse = (field: string) =>
      errors.push(fieldError.forbidden(`${path}.${field}`, 'cannot be set for an Ephemeral Container'));
    for (const field of OF_PLANNED) {
      // Resources are held by value, so that empty ones count as absent; the others count even where they are empty.
      const value = container[field];
      if (field === 'resources' ? Object.keys(value ?? {}).length > 0 : value !== undefined) refuse(field);
    }
    for (const [j, { subPath = '', subPathExpr = '' }] of volumeMounts.entries()) {
      if (subPath !== '') refuse(`volumeMounts[${j}].subPath`);
      if (subPathExpr !== '') refuse(`volumeMounts[${j}].subPathExpr`);
    }
    return errors;
  });
}

/** The image of a container that is to run, which templates may have with blanks around it. */
export function validateImage(path: string, { image = '' }: Container): FieldError[] {
  if (image === image.trim()) return [];
  return [fieldError.invalid(`${path}.image`, image, 'must not have leading or trailing whitespace')];
}
