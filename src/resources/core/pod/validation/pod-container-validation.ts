import { errorsOf, type FieldError, fieldError, printed } from '../../../../meta/field-error.js';
import { dns1123Label } from '../../../../meta/names.js';
import { listAtomic } from '../../../../schema/authoring.js';
import { printGoSyntax } from '../../../../schema/print-go-syntax.js';
import { hasPartsOfPages, validateResources } from '../../../shared/resource-rules.js';
import { checked, named, oneOf, portName, portNumber } from '../../../shared/value-rules.js';
import { coreV1 } from '../../core-v1.js';
import type { Container, PodSpec } from '../../core-v1.types.js';
import { allContainers } from '../pod-containers.js';
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

// Stored containers that were found valid. Only rules that depend on more than the container are checked for them again.
const inOrder = new WeakSet<Container>();

/** The context in which a container is validated. */
interface ContainerContext {
  readonly volumes: Volumes;
  readonly rules: PodRules;
  /** The grace period of the pod in seconds. */
  readonly gracePeriod: number | undefined;
  readonly restartPolicy: string | undefined;
  /** Names of the pod's resource claims. */
  readonly claims: ReadonlySet<string>;
  /** Whether the pod uses the user namespace of its node. */
  readonly hostUsers: boolean;
  /** Whether the relaxed rule for names of variables applies. */
  readonly freely: boolean;
  /** Whether fractions of huge pages are accepted. */
  readonly anyPages: boolean;
}

/** Whether the stored pod has fractions of huge pages. */
export function mayHavePartsOfPages({ before }: PodRules): boolean {
  if (!before) return false;
  const { spec } = before;
  return (
    allContainers<Container>(spec).some(({ resources }) => resources !== undefined && hasPartsOfPages(resources)) ||
    (spec.overhead !== undefined && hasPartsOfPages({ limits: spec.overhead }))
  );
}

/** Checks the rules that all types of containers share. */
function validateOne(path: string, container: Container, around: ContainerContext): FieldError[] {
  const { volumes, rules, freely, anyPages, hostUsers, restartPolicy } = around;
  const { resources, resizePolicy = [], securityContext: rights } = container;
  const claims = resources?.claims ?? [];
  // The result of these rules depends on more than the container.
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

/** Checks that no other container has this name. With `nameless`, an empty name counts, too. */
function duplicate(path: string, { name }: Container, seen: Set<string>, nameless = true): FieldError[] {
  if (seen.has(name)) return [fieldError.duplicate(`${path}.name`, name)];
  if (nameless || name !== '') seen.add(name);
  return [];
}

/** Checks that containers which run at the same time do not use the same port of the node. */
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

/** Returns the problems of all containers of a pod. `volumes` are the volumes without problems. */
export function validateAllContainers(spec: PodSpec, volumes: Volumes, rules: PodRules): FieldError[] {
  const { containers, initContainers = [], ephemeralContainers = [] } = spec;
  const around: ContainerContext = {
    volumes,
    rules,
    gracePeriod: spec.terminationGracePeriodSeconds,
    restartPolicy: spec.restartPolicy,
    claims: new Set(spec.resourceClaims?.map(({ name }) => name).filter((name) => name !== '')),
    hostUsers: spec.hostUsers ?? true,
    freely: mayNameFreely(spec, rules),
    anyPages: mayHavePartsOfPages(rules),
  };
  // The reference treats an absent list like an empty one.
  const errors = validateContainers(containers ?? [], around);
  const names = new Set((containers ?? []).map(({ name }) => name));
  errors.push(...validateInitContainers(initContainers, around, new Set(names)));
  for (const { name } of initContainers) names.add(name);
  return [...errors, ...validateAddedContainers(ephemeralContainers, around, names)];
}

/** Validates the regular containers. */
function validateContainers(containers: readonly Container[], around: ContainerContext): FieldError[] {
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

/** Validates the init containers. Those that keep running may have probes. */
function validateInitContainers(
  containers: readonly Container[],
  around: ContainerContext,
  seen: Set<string>,
): FieldError[] {
  const path = 'spec.initContainers';
  return errorsOf(containers, (container, i) => {
    const at = `${path}[${i}]`;
    const { restartPolicy } = container;
    const errors = validateOne(at, container, around);
    if (restartPolicy !== undefined && restartPolicy !== 'Always')
      errors.push(fieldError.notSupported(`${at}.restartPolicy`, restartPolicy, ['Always']));
    // Init containers run one at a time, so each is checked alone. The reference reports their ports with index 0.
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

/** Validates ephemeral containers, which may not have all members. `others` are the names of the other containers. */
function validateAddedContainers(
  containers: NonNullable<PodSpec['ephemeralContainers']>,
  around: ContainerContext,
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
      // The reference stores resources by value, so empty ones count as absent. Other members count even if they are empty.
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

/** Checks the image of a container of a pod. Templates may have white space around it. */
export function validateImage(path: string, { image = '' }: Container): FieldError[] {
  if (image === image.trim()) return [];
  return [fieldError.invalid(`${path}.image`, image, 'must not have leading or trailing whitespace')];
}
