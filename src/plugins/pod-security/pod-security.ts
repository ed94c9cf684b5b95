import type { AdmissionAttributes, AdmissionPluginFactory } from '../../admission/admission-plugin.js';
import { forbidden } from '../../admission/forbid.js';
import { equalJson } from '../../json/equal.js';
import { apiError } from '../../meta/api-error.js';
import { type Dialect, domainName, groupOf } from '../../meta/dialect.js';
import { formatFieldErrors } from '../../meta/field-error.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { quote } from '../../values/quote.js';
import { describeViolations, nameViolations, violationsOf } from './evaluate.js';
import { EvaluationCounter } from './evaluation-metrics.js';
import { formatLevel, isAtMost, type LevelVersion, type Mode, type Policy, PRIVILEGED, readPolicy } from './level.js';
import type { SecuredContainer, SecuredPod, SecuredPodObject } from './secured-pod.js';

/** The options of {@link podSecurity} in addition to the labels of namespaces. */
export interface PodSecurityOptions {
  /** The policy of a namespace without labels. Default: everything is allowed. */
  readonly defaults?: Partial<Policy>;
  /** Users, namespaces and runtime classes that are not checked. */
  readonly exemptions?: {
    readonly usernames?: readonly string[];
    readonly namespaces?: readonly string[];
    readonly runtimeClasses?: readonly string[];
  };
}

/** The place of the pod template in each kind, by the stem of the kind's group. */
const TEMPLATES: Readonly<Record<string, readonly [stem: string, path: readonly string[]]>> = {
  podtemplates: ['', ['template']],
  replicationcontrollers: ['', ['spec', 'template']],
  replicasets: ['apps', ['spec', 'template']],
  deployments: ['apps', ['spec', 'template']],
  statefulsets: ['apps', ['spec', 'template']],
  daemonsets: ['apps', ['spec', 'template']],
  jobs: ['batch', ['spec', 'template']],
  cronjobs: ['batch', ['spec', 'jobTemplate', 'spec', 'template']],
};
const MOST_PODS = 3000;
type ReadPolicy = ReturnType<typeof readPolicy>;

/**
 * Holds pods to the level that the labels of their namespace name. It refuses pods that violate the enforced level, and warns of violations
 * of the others. Templates only cause warnings. It also refuses labels of namespaces that cannot be parsed, and warns of existing pods when
 * the labels change.
 */
export function podSecurity({ defaults, exemptions = {} }: PodSecurityOptions = {}): AdmissionPluginFactory {
  const byDefault: Policy = { enforce: PRIVILEGED, audit: PRIVILEGED, warn: PRIVILEGED, ...defaults };
  const { usernames = [], namespaces: exemptNamespaces = [], runtimeClasses = [] } = exemptions;
  return (host) => {
    const { dialect, lister, metrics } = host;
    const counter = new EvaluationCounter(metrics);
    const namespaces = lister('', 'namespaces');
    const pods = lister<SecuredPodObject>('', 'pods');
    const policyOf = ({ metadata }: ApiObject) => readPolicy(metadata.labels ?? {}, byDefault, dialect);

    /** Returns the policy of a namespace; undefined when the namespace does not exist. */
    const policyIn = (name: string) => {
      const namespace = namespaces.get('', name);
      return namespace && policyOf(namespace);
    };

    function validatePod(attributes: AdmissionAttributes): void {
      const [pod, old] = [attributes.object, attributes.oldObject] as readonly (SecuredPodObject | undefined)[]; // both are pods
      const readPolicyResult = isExempt(attributes) ? undefined : policyIn(attributes.namespace);
      if (!pod || !readPolicyResult) return;
      const { policy, errors } = readPolicyResult;
      if (errors.length === 0 && isFullyPrivileged(policy)) {
        attributes.annotate(key('enforce-policy'), formatLevel(PRIVILEGED));
        counter.evaluated(true, policy.enforce, 'enforce', attributes);
      } else if (!(old && isSame(pod, old, dialect))) evaluate(attributes, pod, readPolicyResult, true);
    }

    /** Templates are never refused, because the pods made from them are. */
    function validateTemplate(attributes: AdmissionAttributes, template: SecuredPod): void {
      const readPolicyResult = isExempt(attributes) ? undefined : policyIn(attributes.namespace);
      if (!readPolicyResult) return;
      const { policy, errors } = readPolicyResult;
      const reportsViolations = policy.warn.level !== 'privileged' || policy.audit.level !== 'privileged';
      if (errors.length > 0 || reportsViolations) evaluate(attributes, template, readPolicyResult, false);
    }

    function evaluate(
      attributes: AdmissionAttributes,
      pod: SecuredPod,
      policyResult: ReadPolicy,
      enforces: boolean,
    ): void {
      if (isExemptClass(pod)) {
        exempt(attributes, 'runtimeClass');
        return;
      }
      const { enforce, audit, warn } = policyResult.policy;
      if (policyResult.errors.length > 0) {
        counter.misunderstood(attributes);
        attributes.annotate(key('error'), `Failed to parse policy: ${formatFieldErrors(policyResult.errors)}`);
      }
      if (enforces) attributes.annotate(key('enforce-policy'), formatLevel(enforce));
      const refused = enforces ? violationsOf(pod, enforce, host) : [];
      if (enforces) counter.evaluated(refused.length === 0, enforce, 'enforce', attributes);
      const audited = violationsOf(pod, audit, host);
      if (audited.length > 0) {
        counter.evaluated(false, audit, 'audit', attributes);
        const what = `would violate PodSecurity ${quote(formatLevel(audit))}: ${describeViolations(audited)}`;
        attributes.annotate(key('audit-violations'), what);
      }
      if (refused.length > 0) {
        const why = `violates PodSecurity ${quote(formatLevel(enforce))}: ${describeViolations(refused)}`;
        throw forbidden(attributes, why);
      }
      const warned = violationsOf(pod, warn, host);
      if (warned.length > 0) {
        counter.evaluated(false, warn, 'warn', attributes);
        attributes.warn(`would violate PodSecurity ${quote(formatLevel(warn))}: ${describeViolations(warned)}`);
      }
    }
    const key = (name: string) => `pod-security.${domainName(dialect, name)}`;
    function exempt(attributes: AdmissionAttributes, why: string): void {
      attributes.annotate(key('exempt'), why);
      counter.exempted(attributes);
    }
    /** Returns whether a request is exempt, and records the exemption. */
    function isExempt(attributes: AdmissionAttributes): boolean {
      const isOfNamespace = exemptNamespaces.includes(attributes.namespace);
      if (!isOfNamespace && !usernames.includes(attributes.user.username)) return false;
      exempt(attributes, isOfNamespace ? 'namespace' : 'user');
      return true;
    }
    const isExemptClass = ({ spec: { runtimeClassName = '' } }: SecuredPod) =>
      runtimeClassName !== '' && runtimeClasses.includes(runtimeClassName);

    function checkNamespace(attributes: AdmissionAttributes): void {
      const { object, oldObject } = attributes;
      const next = policyOf(object as ApiObject); // there is one in what it handles
      const before = oldObject && policyOf(oldObject);
      if (next.errors.length > 0 && !equalJson(next.errors, before?.errors))
        throw apiError.invalid({ group: '', kind: 'Namespace' }, attributes.name, next.errors);
      const name = object?.metadata.name ?? '';
      // A request that creates a namespace has no existing pods to warn of.
      if (!before || !isStricter(next.policy.enforce, before.policy.enforce)) return;
      if (exemptNamespaces.includes(name)) warnOfExemption(attributes, next.policy);
      else for (const warning of podWarnings(name, next.policy.enforce)) attributes.warn(warning);
    }

    /** Warns that the labels of an exempt namespace have no effect. */
    function warnOfExemption(attributes: AdmissionAttributes, policy: Policy): void {
      const { name = '', labels = {} } = (attributes.object as ApiObject).metadata; // a namespace
      if (isFullyPrivileged(policy) || equalJson({ ...policy }, { ...byDefault })) return;
      const isLabeled = (mode: Mode) => [mode, `${mode}-version`].some((label) => Object.hasOwn(labels, key(label)));
      const labeledModes = (['enforce', 'audit', 'warn'] as const).filter(
        (mode) => policy[mode].level !== 'privileged' && isLabeled(mode),
      );
      const words = labeledModes.map((mode) => `${mode}=${formatLevel(policy[mode])}`).join(', ');
      attributes.warn(
        `namespace ${quote(name)} is exempt from Pod Security, and the policy (${words}) will be ignored`,
      );
    }

    /** Returns warnings for the pods of a namespace that violate a level, grouped by violation. */
    function podWarnings(namespace: string, level: LevelVersion): readonly string[] {
      const all = firstOfEach(pods.list(namespace).filter((pod) => !isExemptClass(pod)));
      const looked = all.slice(0, MOST_PODS);
      const names = new Map<string, string[]>();
      for (const pod of looked) {
        const reason = nameViolations(violationsOf(pod, level, host));
        if (reason !== '') names.set(reason, [...(names.get(reason) ?? []), pod.metadata.name ?? '']);
      }
      const warnings = [...names].map(([reason, of]) => `${podWords(of)}: ${reason}`).sort();
      const bound = `new PodSecurity enforce level only checked against the first ${looked.length} of ${all.length} existing pods`;
      const about = `existing pods in namespace ${quote(namespace)} violate the new PodSecurity enforce level ${quote(formatLevel(level))}`;
      return [...(looked.length < all.length ? [bound] : []), ...(warnings.length > 0 ? [about, ...warnings] : [])];
    }

    return {
      name: 'PodSecurity',
      handles: (attributes) =>
        (attributes.operation === 'CREATE' || attributes.operation === 'UPDATE') &&
        sortOf(attributes, dialect) !== undefined,
      validate(attributes) {
        const sort = sortOf(attributes, dialect);
        if (sort === 'namespace') return checkNamespace(attributes);
        if (sort === 'pod') return validatePod(attributes);
        const template = templateOf(attributes.object as ApiObject, sort ?? []);
        if (template) validateTemplate(attributes, template);
        return undefined;
      },
    };
  };
}

/** Returns what a request is for: a pod, a namespace, or the path of a pod template. */
function sortOf({ resource, subresource }: AdmissionAttributes, dialect: Dialect) {
  const { group, resource: name } = resource;
  if (group === '' && name === 'pods')
    return subresource === '' || subresource === 'ephemeralcontainers' ? 'pod' : undefined;
  if (subresource !== '') return undefined;
  if (group === '' && name === 'namespaces') return 'namespace';
  const [stem, path] = (Object.hasOwn(TEMPLATES, name) && TEMPLATES[name]) || [];
  return stem !== undefined && groupOf(dialect, stem) === group ? path : undefined;
}

function templateOf(object: ApiObject, path: readonly string[]): SecuredPod | undefined {
  let at: unknown = object;
  for (const member of path) at = (at as Readonly<Record<string, unknown>> | undefined)?.[member];
  const template = at as Partial<SecuredPod> | undefined; // such a kind has it at this path
  return template?.spec ? (template as SecuredPod) : undefined;
}

/**
 * Returns whether an update keeps everything that matters. In an existing pod only images, annotations and ephemeral containers can change.
 */
function isSame(next: SecuredPodObject, old: SecuredPodObject, dialect: Dialect): boolean {
  const prefix = `container.seccomp.security.alpha.${domainName(dialect, '')}`;
  const shown = ({ metadata }: SecuredPodObject, { name, image = '' }: SecuredContainer) => [
    image,
    metadata.annotations?.[prefix + name] ?? '',
  ];
  const all = (pod: SecuredPodObject, list: 'containers' | 'initContainers') =>
    (pod.spec[list] ?? []).map((container) => shown(pod, container));
  const { ephemeralContainers: before = [] } = old.spec;
  return (
    equalJson(all(next, 'containers'), all(old, 'containers')) &&
    equalJson(all(next, 'initContainers'), all(old, 'initContainers')) &&
    (next.spec.ephemeralContainers ?? []).every((container) => {
      const same = before.find(({ name }) => name === container.name);
      return same !== undefined && equalJson(shown(next, container), shown(old, same));
    })
  );
}

const isFullyPrivileged = (policy: Policy): boolean =>
  Object.values(policy).every(({ level }) => level === 'privileged');

/** Orders pods so that the first pod of each controller comes before the others. */
function firstOfEach(pods: readonly SecuredPodObject[]): readonly SecuredPodObject[] {
  const seen = new Set<string>();
  const others: SecuredPodObject[] = [];
  const first = pods.filter((pod) => {
    const uid = pod.metadata.ownerReferences?.find(({ controller }) => controller)?.uid;
    if (uid === undefined || !seen.has(uid)) {
      if (uid !== undefined) seen.add(uid);
      return true;
    }
    others.push(pod);
    return false;
  });
  return [...first, ...others];
}

function isStricter(next: LevelVersion, before: LevelVersion): boolean {
  if (next.level === 'privileged' || equalJson({ ...next }, { ...before })) return false;
  return next.version !== before.version || !isAtMost(next.level, before.level);
}

function podWords(names: readonly string[]): string {
  const [first, ...others] = [...names].sort();
  if (others.length === 0) return first ?? '';
  return `${first} (and ${others.length} other ${others.length === 1 ? 'pod' : 'pods'})`;
}
