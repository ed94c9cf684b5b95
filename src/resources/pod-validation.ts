import { type FieldError, fieldError } from '../meta/field-error.js';
import { dns1123Label, dns1123Subdomain } from '../meta/names.js';
import { compareQuantities, parseQuantity } from '../meta/quantity.js';
import { sameValue } from '../registry/equality.js';
import type { Container } from './pod-container.js';
import type { Pod } from './pod-schema.js';
import type { PodSpec } from './pod-spec.js';
import type { Volume } from './pod-volume.js';

const invalid = (path: string, value: string, messages: readonly string[]) =>
  messages.map((message) => fieldError.invalid(path, value, message));

function oneOf(path: string, value: string | undefined, supported: readonly string[]): FieldError[] {
  if (value === undefined || value === '') return [fieldError.required(path)];
  return supported.includes(value) ? [] : [fieldError.notSupported(path, value, supported)];
}

/** A name that must be there, be a label, and be the only one of its kind. */
function labelName(path: string, name: string, seen: Set<string>): FieldError[] {
  const errors = name === '' ? [fieldError.required(path)] : invalid(path, name, dns1123Label(name));
  if (name !== '' && seen.has(name)) errors.push(fieldError.duplicate(path, name));
  seen.add(name);
  return errors;
}

function validateVolumes(volumes: readonly Volume[]): FieldError[] {
  const seen = new Set<string>();
  return volumes.flatMap((volume, i) => {
    const path = `spec.volumes[${i}]`;
    const { name, ...sources } = volume;
    const [, ...more] = Object.keys(sources);
    return [
      ...more.map((source) => fieldError.forbidden(`${path}.${source}`, 'may not specify more than 1 volume type')),
      ...labelName(`${path}.name`, name, seen),
    ];
  });
}

const ENV_NAME = /^[-._a-zA-Z][-._a-zA-Z0-9]*$/;
const ENV_NAME_TEXT =
  "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit (e.g. 'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1', regex used for validation is '[-._a-zA-Z][-._a-zA-Z0-9]*')";
const MAX_PORT = 65_535;
const PORT_TEXT = 'must be between 1 and 65535, inclusive';

function validatePorts(path: string, ports: NonNullable<Container['ports']>): FieldError[] {
  const seen = new Set<string>();
  return ports.flatMap(({ name = '', containerPort, hostPort = 0, protocol }, i) => {
    const at = `${path}.ports[${i}]`;
    const errors: FieldError[] = [];
    if (name !== '' && seen.has(name)) errors.push(fieldError.duplicate(`${at}.name`, name));
    seen.add(name);
    if (containerPort === 0) errors.push(fieldError.required(`${at}.containerPort`));
    else if (containerPort < 0 || containerPort > MAX_PORT)
      errors.push(fieldError.invalid(`${at}.containerPort`, containerPort, PORT_TEXT));
    if (hostPort < 0 || hostPort > MAX_PORT) errors.push(fieldError.invalid(`${at}.hostPort`, hostPort, PORT_TEXT));
    return [...errors, ...oneOf(`${at}.protocol`, protocol, ['SCTP', 'TCP', 'UDP'])];
  });
}

function validateEnv(path: string, env: NonNullable<Container['env']>): FieldError[] {
  return env.flatMap(({ name, value = '', valueFrom }, i) => {
    const at = `${path}.env[${i}]`;
    const errors =
      name === ''
        ? [fieldError.required(`${at}.name`)]
        : ENV_NAME.test(name)
          ? []
          : [fieldError.invalid(`${at}.name`, name, ENV_NAME_TEXT)];
    if (valueFrom && value !== '')
      errors.push(fieldError.invalid(`${at}.valueFrom`, '', 'may not be specified when `value` is not empty'));
    return errors;
  });
}

function validateMounts(
  path: string,
  mounts: NonNullable<Container['volumeMounts']>,
  volumes: readonly Volume[],
): FieldError[] {
  const seen = new Set<string>();
  return mounts.flatMap(({ name, mountPath }, i) => {
    const at = `${path}.volumeMounts[${i}]`;
    const errors: FieldError[] = [];
    if (name === '') errors.push(fieldError.required(`${at}.name`));
    else if (!volumes.some((volume) => volume.name === name)) errors.push(fieldError.notFound(`${at}.name`, name));
    if (mountPath === '') errors.push(fieldError.required(`${at}.mountPath`));
    if (seen.has(mountPath)) errors.push(fieldError.invalid(`${at}.mountPath`, mountPath, 'must be unique'));
    seen.add(mountPath);
    return errors;
  });
}

function validateResources(path: string, { limits = {}, requests = {} }: Container['resources']): FieldError[] {
  return Object.entries(requests).flatMap(([name, request]) => {
    const limit = limits[name];
    if (limit === undefined || compareQuantities(parseQuantity(request), parseQuantity(limit)) <= 0) return [];
    return [
      fieldError.invalid(
        `${path}.resources.requests`,
        request,
        `must be less than or equal to ${name} limit of ${limit}`,
      ),
    ];
  });
}

function validateContainers(
  field: string,
  containers: readonly Container[],
  volumes: readonly Volume[],
  seen: Set<string>,
): FieldError[] {
  return containers.flatMap((container, i) => {
    const path = `spec.${field}[${i}]`;
    const { name, image = '', ports = [], env = [], volumeMounts = [], resources } = container;
    const errors = labelName(`${path}.name`, name, seen);
    if (image === '') errors.push(fieldError.required(`${path}.image`));
    else if (image !== image.trim())
      errors.push(fieldError.invalid(`${path}.image`, image, 'must not have leading or trailing whitespace'));
    return [
      ...errors,
      ...oneOf(`${path}.terminationMessagePolicy`, container.terminationMessagePolicy, [
        'FallbackToLogsOnError',
        'File',
      ]),
      ...validatePorts(path, ports),
      ...validateEnv(path, env),
      ...validateMounts(path, volumeMounts, volumes),
      ...oneOf(`${path}.imagePullPolicy`, container.imagePullPolicy, ['Always', 'IfNotPresent', 'Never']),
      ...validateResources(path, resources),
    ];
  });
}

/** Problems of a pod's spec. Covers names, images, ports, variables, mounts, amounts and policies. */
export function validatePod({ spec }: Pod): FieldError[] {
  const {
    volumes = [],
    containers,
    initContainers = [],
    ephemeralContainers = [],
    serviceAccountName,
    nodeName,
    hostname,
    subdomain,
  } = spec;
  const seen = new Set<string>();
  const optional = (field: string, value: string | undefined, rule: (value: string) => readonly string[]) =>
    value === undefined || value === '' ? [] : invalid(`spec.${field}`, value, rule(value));
  // On the wire a list of none is the same as none.
  const noContainers = !containers || containers.length === 0 ? [fieldError.required('spec.containers')] : [];
  return [
    ...validateVolumes(volumes),
    ...noContainers,
    ...validateContainers('containers', containers ?? [], volumes, seen),
    ...validateContainers('initContainers', initContainers, volumes, seen),
    ...validateContainers('ephemeralContainers', ephemeralContainers, volumes, seen),
    ...oneOf('spec.restartPolicy', spec.restartPolicy, ['Always', 'OnFailure', 'Never']),
    ...oneOf('spec.dnsPolicy', spec.dnsPolicy, ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']),
    ...optional('serviceAccountName', serviceAccountName, dns1123Subdomain),
    ...optional('nodeName', nodeName, dns1123Subdomain),
    ...validateDeadline(spec.activeDeadlineSeconds),
    ...optional('hostname', hostname, dns1123Label),
    ...optional('subdomain', subdomain, dns1123Label),
  ];
}

function validateDeadline(seconds: number | undefined): FieldError[] {
  const good = seconds === undefined || (seconds >= 1 && seconds <= 0x7fffffff);
  return good
    ? []
    : [fieldError.invalid('spec.activeDeadlineSeconds', seconds, 'must be between 1 and 2147483647, inclusive')];
}

const MAY_CHANGE =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** A spec without what an update may change. */
function fixedPart(spec: PodSpec, other: PodSpec): object {
  const withoutImages = (containers: readonly Container[] | undefined) =>
    containers?.map(({ image: _, ...rest }) => rest);
  const {
    activeDeadlineSeconds: _a,
    tolerations: _t,
    schedulingGates: _s,
    terminationGracePeriodSeconds: grace = 0,
    ...rest
  } = spec;
  const graceFixed = (grace === 1 && (other.terminationGracePeriodSeconds ?? 0) < 0) || grace < 0 ? undefined : grace;
  return {
    ...rest,
    grace: graceFixed,
    containers: withoutImages(spec.containers),
    initContainers: withoutImages(spec.initContainers),
  };
}

function validateTolerations(next: PodSpec, old: PodSpec): FieldError[] {
  const known = (next.tolerations ?? []).map(({ tolerationSeconds: _, ...rest }) => rest);
  const kept = (old.tolerations ?? []).every(({ tolerationSeconds: _, ...rest }) =>
    known.some((other) => sameValue(other, rest)),
  );
  return kept
    ? []
    : [
        fieldError.forbidden(
          'spec.tolerations',
          'existing toleration can not be modified except its tolerationSeconds',
        ),
      ];
}

/** Problems of a changed pod: almost nothing of a spec may change. */
export function validatePodUpdate(next: Pod, old: Pod): FieldError[] {
  const errors = validatePod(next);
  const [spec, oldSpec] = [next.spec, old.spec];
  for (const field of ['containers', 'initContainers'] as const) {
    if ((spec[field]?.length ?? 0) === (oldSpec[field]?.length ?? 0)) continue;
    return [...errors, fieldError.forbidden(`spec.${field}`, 'pod updates may not add or remove containers')];
  }
  const [deadline, oldDeadline] = [spec.activeDeadlineSeconds, oldSpec.activeDeadlineSeconds];
  if (oldDeadline !== undefined && (deadline === undefined || deadline > oldDeadline)) {
    const why =
      deadline === undefined
        ? 'must not update from a positive integer to nil value'
        : 'must be less than or equal to previous value';
    errors.push(fieldError.invalid('spec.activeDeadlineSeconds', deadline ?? null, why));
  }
  errors.push(...validateTolerations(spec, oldSpec));
  const newGate = spec.schedulingGates?.some(
    (gate) => !oldSpec.schedulingGates?.some(({ name }) => name === gate.name),
  );
  if (newGate) errors.push(fieldError.forbidden('spec.schedulingGates', 'only deletion is allowed'));
  if (!sameValue(fixedPart(spec, oldSpec), fixedPart(oldSpec, spec)))
    errors.push(fieldError.forbidden('spec', MAY_CHANGE));
  return errors;
}

/** Containers may be added to a running pod, but those there stay as they are. */
export function validateEphemeralContainers(next: Pod, old: Pod): FieldError[] {
  const path = 'spec.ephemeralContainers';
  const errors = validatePod(next);
  for (const container of old.spec.ephemeralContainers ?? []) {
    const now = next.spec.ephemeralContainers?.find(({ name }) => name === container.name);
    if (!sameValue(now, container))
      errors.push(
        fieldError.forbidden(
          path,
          `existing ephemeral containers "${container.name}" may not be ${now ? 'changed' : 'removed'}\n`,
        ),
      );
  }
  return errors;
}
