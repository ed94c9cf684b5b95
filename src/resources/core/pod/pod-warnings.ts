import { type Dialect, domainName } from '../../../meta/dialect.js';
import { childPath } from '../../../meta/field-error.js';
import type { ObjectMeta } from '../../../meta/object-meta.js';
import { quote } from '../../../values/quote.js';
import { fractionWarnings } from '../../shared/resource-rules.js';
import type { Container, PodSpec, Volume } from '../core-v1.types.js';
import { oldLabelText } from '../persistent-volume/old-labels.js';
import { claimSizeWarnings } from '../persistent-volume-claim/persistent-volume-claim-validation.js';
import { type PlacedContainer, placedContainers } from './pod-containers.js';

type Affinity = NonNullable<PodSpec['affinity']>;
type NodeTerm = NonNullable<
  NonNullable<Affinity['nodeAffinity']>['requiredDuringSchedulingIgnoredDuringExecution']
>['nodeSelectorTerms'][number];

/** A template for pods. */
interface Template {
  readonly metadata: ObjectMeta;
  readonly spec: PodSpec;
}

interface Generated {
  readonly metadata: ObjectMeta;
}

const NO_PODS = 'labelSelector: a null labelSelector results in matching no pod';
const BYTES = ['memory', 'ephemeral-storage'] as const;

/**
 * Returns the warnings about a template: deprecated labels, annotations and volumes, and values that are probably mistakes.
 * @param path path of the template
 */
export function podTemplateWarnings({ metadata, spec }: Template, path: string, dialect: Dialect): readonly string[] {
  const at = childPath(path, 'spec');
  const annotation = annotationWarnings(metadata, childPath(path, 'metadata'), dialect);
  const { hostAliases = [], imagePullSecrets = [], securityContext, terminationGracePeriodSeconds = 0 } = spec;
  const containers = [...placedContainers(spec, at)];
  const nameOf = ({ name = '' }: { readonly name?: string }) => name;
  return [
    ...nodeLabelWarnings(spec, at, dialect),
    ...annotation.gone('scheduler.alpha.', 'critical-pod', 'priorityClassName', '1.16'),
    ...annotation.gone('security.alpha.', 'sysctls', 'sysctls', '1.11'),
    ...annotation.gone('security.alpha.', 'unsafe-sysctls', 'sysctls', '1.11'),
    ...volumeWarnings(spec.volumes ?? [], `${at}.volumes`),
    ...findRepeated(hostAliases.map(({ ip }) => ip)).map(
      ([i, ip]) => `${at}.hostAliases[${i}].ip: duplicate ip ${quote(ip)}`,
    ),
    ...findRepeated(imagePullSecrets.map(nameOf)).map(
      ([i, name]) => `${at}.imagePullSecrets[${i}].name: duplicate name ${quote(name)}`,
    ),
    ...imagePullSecrets.flatMap((secret, i) =>
      nameOf(secret) === '' ? [`${at}.imagePullSecrets[${i}].name: invalid empty name ""`] : [],
    ),
    ...fractionWarnings(`${at}.overhead`, spec.overhead, BYTES),
    ...(securityContext?.seccompProfile ? [] : annotation.gone('seccomp.security.alpha.', 'pod', ...SECCOMP)),
    ...containers.flatMap((container) => containerWarnings(container, securityContext, annotation)),
    ...portWarnings(containers),
    ...(terminationGracePeriodSeconds < 0
      ? [`${at}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`]
      : []),
    ...podAffinityWarnings(spec.affinity, `${at}.affinity`),
  ];
}

/** Returns the warnings about a controller's template if the controller's spec is new or changed. Default path: `spec.template`. */
export function changedTemplateWarnings(
  object: Generated,
  old: Generated | undefined,
  template: Template | undefined,
  dialect: Dialect,
  path = 'spec.template',
): readonly string[] {
  const isNew = old === undefined || old.metadata.generation !== object.metadata.generation;
  return isNew && template ? podTemplateWarnings(template, path, dialect) : [];
}

const SECCOMP = ['seccompProfile', '1.27'] as const;

type AnnotationWarnings = ReturnType<typeof annotationWarnings>;

/**
 * Returns functions that create warnings about deprecated annotations. An annotation's key consists of `stem`, the label domain of the API
 * dialect, a slash and `name`: `scheduler.alpha.kubernetes.io/critical-pod`.
 */
function annotationWarnings({ annotations }: ObjectMeta, path: string, dialect: Dialect) {
  const warn = (stem: string, name: string, text: string): string[] => {
    if (annotations === undefined) return [];
    const key = `${stem}${domainName(dialect, name)}`;
    return Object.hasOwn(annotations, key) ? [`${path}.annotations[${key}]: ${text}`] : [];
  };
  return {
    gone: (stem: string, name: string, field: string, since: string) =>
      warn(stem, name, `non-functional in v${since}+; use the "${field}" field instead`),
    old: (stem: string, name: string, field: string, since: string) =>
      warn(stem, name, `deprecated since v${since}; use the "${field}" field instead`),
  };
}

function containerWarnings(
  { container, path }: PlacedContainer,
  ofPod: PodSpec['securityContext'],
  annotation: AnnotationWarnings,
): readonly string[] {
  const { name, securityContext: own, resources, env = [] } = container;
  const hasAppArmor = (ofPod?.appArmorProfile ?? own?.appArmorProfile) !== undefined;
  return [
    ...(own?.seccompProfile ? [] : annotation.gone('container.seccomp.security.alpha.', name, ...SECCOMP)),
    ...(hasAppArmor ? [] : annotation.old('container.apparmor.security.beta.', name, 'appArmorProfile', '1.30')),
    ...resourceWarnings(resources, `${path}.resources`),
    ...variableWarnings(env, `${path}.env`),
  ];
}

function resourceWarnings({ limits, requests }: Container['resources'], path: string): readonly string[] {
  const warnings: string[] = [];
  for (const name of BYTES)
    warnings.push(
      ...fractionWarnings(`${path}.limits`, limits, [name]),
      ...fractionWarnings(`${path}.requests`, requests, [name]),
    );
  return warnings;
}

/** Returns warnings about deprecated node labels, and about spread constraints that select no pods. */
function nodeLabelWarnings(spec: PodSpec, path: string, dialect: Dialect): readonly string[] {
  const oldLabel = oldLabelText(dialect);
  const old = (key: string, say: (text: string) => string): string[] => {
    const warning = oldLabel(key);
    return warning === undefined ? [] : [say(warning)];
  };
  const ofTerm = ({ matchExpressions = [] }: NodeTerm, at: string) =>
    matchExpressions.flatMap(({ key }, i) => old(key, (text) => `${at}.matchExpressions[${i}].key: ${key} is ${text}`));
  const { requiredDuringSchedulingIgnoredDuringExecution: required, ...rest } = spec.affinity?.nodeAffinity ?? {};
  const at = `${path}.affinity.nodeAffinity`;
  return [
    ...Object.keys(spec.nodeSelector ?? {}).flatMap((key) =>
      old(key, (text) => `${path}.nodeSelector[${key}]: ${text}`),
    ),
    ...(required?.nodeSelectorTerms ?? []).flatMap((term, i) =>
      ofTerm(term, `${at}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[${i}]`),
    ),
    ...(rest.preferredDuringSchedulingIgnoredDuringExecution ?? []).flatMap(({ preference }, i) =>
      ofTerm(preference, `${at}.preferredDuringSchedulingIgnoredDuringExecution[${i}].preference`),
    ),
    ...(spec.topologySpreadConstraints ?? []).flatMap(({ topologyKey, labelSelector }, i) => [
      ...old(topologyKey, (text) => `${path}.topologySpreadConstraints[${i}].topologyKey: ${topologyKey} is ${text}`),
      ...(labelSelector === undefined ? [`${path}.topologySpreadConstraints[${i}].${NO_PODS}`] : []),
    ]),
  ];
}

/** Returns warnings about pod affinities that select no pods. */
function podAffinityWarnings(affinity: Affinity | undefined, path: string): readonly string[] {
  if (affinity === undefined) return [];
  return (['podAffinity', 'podAntiAffinity'] as const).flatMap((field) => {
    const { requiredDuringSchedulingIgnoredDuringExecution: required = [], ...rest } = affinity[field] ?? {};
    const preferred = rest.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    const at = `${path}.${field}`;
    return [
      ...required.flatMap(({ labelSelector }, i) =>
        labelSelector === undefined ? [`${at}.requiredDuringSchedulingIgnoredDuringExecution[${i}].${NO_PODS}`] : [],
      ),
      ...preferred.flatMap(({ podAffinityTerm }, i) =>
        podAffinityTerm.labelSelector === undefined
          ? [`${at}.preferredDuringSchedulingIgnoredDuringExecution[${i}].podAffinityTerm.${NO_PODS}`]
          : [],
      ),
    ];
  });
}

/** Returns each string that repeats an earlier item of the list, with its index. */
function findRepeated(texts: readonly string[]): readonly (readonly [index: number, text: string])[] {
  const seen = new Set<string>();
  return texts.flatMap((text, i) => {
    if (seen.has(text)) return [[i, text] as const];
    seen.add(text);
    return [];
  });
}

type Port = NonNullable<Container['ports']>[number];

/** Returns warnings about environment variables that hide an earlier one of the same name without referring to it. */
function variableWarnings(variables: NonNullable<Container['env']>, path: string): readonly string[] {
  const seen = new Set<string>();
  return variables.flatMap(({ name, value = '', valueFrom }, i) => {
    const isFirst = !seen.has(name);
    seen.add(name);
    const reference = `$(${name})`;
    if (isFirst || (valueFrom === undefined && value !== reference && value.includes(reference))) return [];
    return [`${path}[${i}]: hides previous definition of ${quote(name)}, which may be dropped when using apply`];
  });
}

/** Returns warnings about ports that are declared twice or that overlap. */
function portWarnings(containers: readonly PlacedContainer[]): readonly string[] {
  const known = new Map<string, { readonly path: string; readonly port: Port }[]>();
  const warnings: string[] = [];
  let pairs = MOST_PAIRS;
  for (const { container, path: at } of containers)
    for (const [i, port] of (container.ports ?? []).entries()) {
      const path = `${at}.ports[${i}]`;
      if ((port.hostIP ?? '') !== '' && (port.hostPort ?? 0) === 0)
        warnings.push(`${path}: hostIP set without hostPort: ${printedPort(port)}`);
      const key = `${port.containerPort}/${port.protocol}`;
      const others = known.get(key) ?? [];
      for (const other of others) {
        const clash = portClash(port, other.port);
        if (clash !== undefined) warnings.push(`${path}: ${clash} port definition with ${other.path}`);
        if (--pairs === 0 || warnings.length === MOST) return warnings;
      }
      others.push({ path, port });
      known.set(key, others);
    }
  return warnings;
}

/** Maximum number of warnings, because the headers of a response have no room for more. */
const MOST = 100;
/** Maximum number of comparisons. All pairs of ports with the same number are compared, which would be too many in a large pod. */
const MOST_PAIRS = 100_000;

function portClash(a: Port, b: Port): string | undefined {
  const [ipA = '', ipB = ''] = [a.hostIP, b.hostIP];
  const [portA = 0, portB = 0] = [a.hostPort, b.hostPort];
  if (ipA === ipB && portA === portB) return 'duplicate';
  if (portA === 0 || portB === 0) return 'overlapping';
  return portA === portB && (ipA === '') !== (ipB === '') ? 'dangerously ambiguous' : undefined;
}

function printedPort({ name = '', hostPort = 0, containerPort, protocol, hostIP = '' }: Port): string {
  return `{Name:${name} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
}

/** Volume types that were removed or are deprecated. */
const GONE = [
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'gitRepo', 'deprecated in v1.11'],
  ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  ['quobyte', 'quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['cephfs', 'cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'rbd', 'deprecated in v1.28, non-functional in v1.31+'],
] as const;

/** Returns warnings about deprecated volumes, and about claims for fractions of bytes. */
function volumeWarnings(volumes: readonly Volume[], path: string): readonly string[] {
  const warnings: string[] = [];
  for (const [i, volume] of volumes.entries()) {
    const at = `${path}[${i}]`;
    for (const [field, shown, text] of GONE) if (volume[field] !== undefined) warnings.push(`${at}.${shown}: ${text}`);
    const claim = volume.ephemeral?.volumeClaimTemplate;
    if (claim) warnings.push(...claimSizeWarnings(claim.spec, `${at}.ephemeral.volumeClaimTemplate.spec`));
  }
  return warnings;
}
