import { originalMember } from '../../../../json/original-members.js';
import { errorsOf, type FieldError, fieldError, printed } from '../../../../meta/field-error.js';
import { dns1123Label, dns1123Subdomain } from '../../../../meta/names.js';
import { listAtomic } from '../../../../schema/authoring.js';
import { printGoSyntax } from '../../../../schema/print-go-syntax.js';
import { trimSpace } from '../../../../values/trim-space.js';
import { hasPartsOfPages, validateResources } from '../../../shared/resource-rules.js';
import {
  notNegative,
  oneOf,
  portName,
  portNumber,
  portNumberOrName,
  validateOptional,
  validateRequired,
} from '../../../shared/value-rules.js';
import { coreV1 } from '../../core-v1.js';
import type { Container, PodSpec, ResourceRequirements } from '../../core-v1.types.js';
import { allContainers } from '../pod-containers.js';
import { validateResizePolicies } from '../pod-resources.js';
import { mayNameFreely, validateVariableSources, validateVariables } from './pod-environment-validation.js';
import { type Volumes, validateDevices, validateMounts } from './pod-mount-validation.js';
import type { PodRules } from './pod-rules.js';
import { validateRights, validateShared } from './pod-security-validation.js';

function validatePorts(path: string, ports: NonNullable<Container['ports']>): FieldError[] {
  const seen = new Set<string>();
  return errorsOf(ports, ({ name = '', containerPort, hostPort = 0, protocol }, i) => {
    const at = `${path}[${i}]`;
    const errors = validateOptional(`${at}.name`, name, portName);
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

// Stored containers that were found valid. For them, only rules that depend on more than the container are checked again.
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
  /** Whether the relaxed rule for names of environment variables applies. */
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
  // The following rules depend on more than the container, so they are checked even if the container itself is known to be valid.
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
    ...validateRequired(`${path}.name`, name, dns1123Label),
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

/** Checks that no earlier container has the same name. With `nameless`, a second empty name is reported, too. */
function duplicate(path: string, { name }: Container, seen: Set<string>, nameless = true): FieldError[] {
  if (seen.has(name)) return [fieldError.duplicate(`${path}.name`, name)];
  if (nameless || name !== '') seen.add(name);
  return [];
}

/** Checks that containers that run at the same time do not use the same port of the node. */
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

/** Returns the validation errors of all containers of a pod. `volumes` contains only valid volumes. */
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
  // As in upstream, an absent list of containers is treated like an empty one.
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

const REFUSED_FOR_INIT = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const;

/** Validates the init containers. Only those with the restart policy Always (sidecars) may have probes and lifecycle hooks. */
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
    // Init containers run one at a time, so each is checked alone. As in upstream, errors about their ports have the container index 0.
    errors.push(...duplicate(at, container, seen, false), ...portConflicts(path, [container]));
    const refused = REFUSED_FOR_INIT.filter((field) => container[field] !== undefined);
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

const REFUSED_FOR_EPHEMERAL = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
] as const;

/** Validates ephemeral containers, for which some fields are forbidden. `others` are the names of the other containers. */
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
    for (const field of REFUSED_FOR_EPHEMERAL) {
      // As in upstream, an empty `resources` counts as absent. Every other forbidden field counts as present even if it is empty.
      const value = originalMember(container, field);
      if (field === 'resources' ? Object.keys(container.resources ?? {}).length > 0 : value !== undefined)
        refuse(field);
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
  if (image === trimSpace(image)) return [];
  return [fieldError.invalid(`${path}.image`, image, 'must not have leading or trailing whitespace')];
}

type Probe = NonNullable<Container['livenessProbe']>;
type Lifecycle = NonNullable<Container['lifecycle']>;
type Handler = NonNullable<Lifecycle['postStart']> & Pick<Probe, 'grpc'>;

const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'] as const;
const SCHEMES: readonly string[] = ['HTTP', 'HTTPS'];
const HEADER_NAME = /^[-A-Za-z0-9]+$/;
const HEADER_TEXT =
  "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')";

/** Checks that a handler has exactly one complete action. */
function validateHandler(path: string, handler: Handler, gracePeriod: number | undefined): FieldError[] {
  const presentHandlers = HANDLERS.filter((name) => handler[name] !== undefined);
  const [first, ...more] = presentHandlers;
  if (first === undefined) return [fieldError.required(path, 'must specify a handler type')];
  return [
    ...validateWay(path, { [first]: handler[first] }, gracePeriod),
    ...more.map((name) => fieldError.forbidden(`${path}.${name}`, 'may not specify more than 1 handler type')),
  ];
}

function validateWay(path: string, handler: Handler, gracePeriod: number | undefined): FieldError[] {
  const { exec, httpGet, tcpSocket, grpc, sleep } = handler;
  if (exec) return exec.command?.length ? [] : [fieldError.required(`${path}.exec.command`)];
  if (httpGet) return validateHttpGet(`${path}.httpGet`, httpGet);
  if (tcpSocket) return portNumberOrName(`${path}.tcpSocket.port`, tcpSocket.port);
  if (grpc) return portNumber(`${path}.grpc.port`, grpc.port);
  const seconds = sleep?.seconds ?? 0;
  if (!sleep || gracePeriod === undefined || (seconds > 0 && seconds <= gracePeriod)) return [];
  const why = `must be greater than 0 and less than terminationGracePeriodSeconds (${gracePeriod})`;
  return [fieldError.invalid(`${path}.sleep`, seconds, why)];
}

function validateHttpGet(path: string, httpGet: NonNullable<Handler['httpGet']>): FieldError[] {
  const { scheme = '', httpHeaders = [] } = httpGet;
  const errors = (httpGet.path ?? '') === '' ? [fieldError.required(`${path}.path`)] : [];
  errors.push(...portNumberOrName(`${path}.port`, httpGet.port));
  if (!SCHEMES.includes(scheme)) errors.push(fieldError.notSupported(`${path}.scheme`, scheme, SCHEMES));
  for (const { name } of httpHeaders)
    if (!HEADER_NAME.test(name)) errors.push(fieldError.invalid(`${path}.httpHeaders`, name, HEADER_TEXT));
  return errors;
}

const COUNTS = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
] as const;

function validateProbe(path: string, probe: Probe | undefined): FieldError[] {
  if (!probe) return [];
  const errors = validateHandler(path, probe, undefined);
  for (const field of COUNTS) errors.push(...notNegative(`${path}.${field}`, probe[field]));
  const grace = probe.terminationGracePeriodSeconds;
  if (grace !== undefined && grace <= 0)
    errors.push(fieldError.invalid(`${path}.terminationGracePeriodSeconds`, grace, 'must be greater than 0'));
  return errors;
}

/** Returns the validation errors of a container's probes and lifecycle hooks. `gracePeriod` is the grace period of the pod in seconds. */
function validateProbes(path: string, container: Container, gracePeriod: number | undefined): FieldError[] {
  const { livenessProbe, readinessProbe, startupProbe, lifecycle } = container;
  const errors: FieldError[] = [];
  for (const turn of ['postStart', 'preStop'] as const) {
    const handler = lifecycle?.[turn];
    if (handler) errors.push(...validateHandler(`${path}.lifecycle.${turn}`, handler, gracePeriod));
  }
  const validateSingleSuccess = (name: string, probe: Probe | undefined) => {
    errors.push(...validateProbe(`${path}.${name}`, probe));
    if (probe && probe.successThreshold !== 1)
      errors.push(fieldError.invalid(`${path}.${name}.successThreshold`, probe.successThreshold ?? 0, 'must be 1'));
  };
  validateSingleSuccess('livenessProbe', livenessProbe);
  errors.push(...validateProbe(`${path}.readinessProbe`, readinessProbe));
  const grace = readinessProbe?.terminationGracePeriodSeconds;
  if (grace !== undefined)
    errors.push(
      fieldError.invalid(
        `${path}.readinessProbe.terminationGracePeriodSeconds`,
        grace,
        'must not be set for readinessProbes',
      ),
    );
  validateSingleSuccess('startupProbe', startupProbe);
  return errors;
}

type Claim = NonNullable<PodSpec['resourceClaims']>[number];

/** Returns the validation errors of a pod's resource claims. `podName` is '' if there is no pod yet. */
export function validatePodClaims(claims: readonly Claim[], podName: string): FieldError[] {
  const seen = new Set<string>();
  return errorsOf(claims, (claim, i) => {
    const path = `spec.resourceClaims[${i}]`;
    const { name, resourceClaimName, resourceClaimTemplateName } = claim;
    const errors = seen.has(name) ? [fieldError.duplicate(`${path}.name`, name)] : nameErrors(path, claim, podName);
    if (name !== '') seen.add(name);
    const refuse = (why: string) =>
      errors.push(fieldError.invalid(path, printed(printGoSyntax(coreV1.struct('PodResourceClaim'), claim)), why));
    if (resourceClaimName !== undefined && resourceClaimTemplateName !== undefined)
      refuse('at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified');
    if (resourceClaimName === undefined && resourceClaimTemplateName === undefined)
      refuse('must specify one of: `resourceClaimName`, `resourceClaimTemplateName`');
    return [
      ...errors,
      ...ofClaim(`${path}.resourceClaimName`, resourceClaimName),
      ...ofClaim(`${path}.resourceClaimTemplateName`, resourceClaimTemplateName),
    ];
  });
}

function nameErrors(path: string, { name, resourceClaimTemplateName }: Claim, podName: string): FieldError[] {
  const errors = validateRequired(`${path}.name`, name, dns1123Label);
  if (errors.length > 0 || resourceClaimTemplateName === undefined || podName === '') return errors;
  const claim = `${podName}-${name}`;
  return validateOptional(`${path}.name`, claim, (text) =>
    dns1123Subdomain(text).map((why) => `final ResourceClaim name: ${why}`),
  );
}

const ofClaim = (path: string, name: string | undefined): FieldError[] =>
  name === undefined ? [] : dns1123Subdomain(name).map((why) => fieldError.invalid(path, name, why));

/** Returns the validation errors of the claims that a container uses. `known` are the names of the pod's claims. */
function validateUsedClaims(
  path: string,
  claims: NonNullable<ResourceRequirements['claims']>,
  known: ReadonlySet<string>,
): FieldError[] {
  const seen = new Set<string>();
  return errorsOf(claims, ({ name }, i) => {
    const at = `${path}[${i}]`;
    if (name === '') return [fieldError.required(at)];
    const errors = seen.has(name) ? [fieldError.duplicate(at, name)] : [];
    seen.add(name);
    if (known.has(name)) return errors;
    const names = known.size === 0 ? ' which is empty' : `: ${[...known].sort().join(', ')}`;
    const detail = `must be one of the names in pod.spec.resourceClaims${names}`;
    return [...errors, { ...fieldError.notFound(at, name), detail }];
  });
}
