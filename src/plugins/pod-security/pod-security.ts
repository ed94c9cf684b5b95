import type { AdmissionAttributes, AdmissionPluginFactory } from '../../admission/admission-plugin.js';
import { isFor } from '../../admission/matching/rule.js';
import { forbiddenRequest } from '../../admission/refusal.js';
import { ruledPlugin } from '../../admission/ruled-plugin.js';
import { equalJson } from '../../json/equal.js';
import { apiError } from '../../meta/api-error.js';
import { type Dialect, domainName } from '../../meta/dialect.js';
import { formatFieldErrors } from '../../meta/field-error.js';
import type { Host } from '../../meta/host.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { counter } from '../../metrics/families.js';
import type { Metrics } from '../../metrics/metrics.js';
import type { Deployment } from '../../resources/apps/apps-v1.types.js';
import type { CronJob, Job } from '../../resources/batch/batch-v1.types.js';
import type {
  Container,
  Namespace,
  Pod,
  PodTemplate,
  ReplicationController,
} from '../../resources/core/core-v1.types.js';
import { refuseUnknownMembers } from '../../values/did-you-mean.js';
import { quote } from '../../values/quote.js';
import { baselineChecks } from './baseline.js';
import type { Check, SecuredPod, Violation } from './check.js';
import { formatLevel, isAtMost, type LevelVersion, type Mode, type Policy, PRIVILEGED, readPolicy } from './level.js';
import { restrictedChecks } from './restricted.js';

/** The options of {@link podSecurity}: the policy for namespaces without labels, and exemptions. */
export interface PodSecurityOptions {
  /** The policy for namespaces without labels. Default: the privileged level, which allows everything. */
  readonly defaults?: Partial<Policy>;
  /** Users, namespaces and runtime classes that are not checked. Default: none. */
  readonly exemptions?: {
    readonly usernames?: readonly string[];
    readonly namespaces?: readonly string[];
    readonly runtimeClasses?: readonly string[];
  };
}

/** A kind that has a pod template in its spec. */
type Workload = Deployment | Job | ReplicationController;
/** The resources whose objects contain a pod template, by API group. */
const TEMPLATED: Readonly<Record<string, readonly string[]>> = {
  '': ['podtemplates', 'replicationcontrollers'],
  apps: ['replicasets', 'deployments', 'statefulsets', 'daemonsets'],
  batch: ['jobs', 'cronjobs'],
};
const WRITES = ['CREATE', 'UPDATE'] as const;
const MOST_PODS = 3000;
type ReadPolicy = ReturnType<typeof readPolicy>;

/**
 * Enforces the pod security levels that the labels of namespaces name. It refuses pods that violate the enforced level; violations of the
 * `audit` and `warn` levels cause annotations and warnings. Objects with pod templates are never refused. It also refuses invalid labels of
 * namespaces, and warns of existing pods that violate a newly enforced level.
 * @throws TypeError for an option that does not exist.
 */
export function podSecurity(options: PodSecurityOptions = {}): AdmissionPluginFactory<ApiObject> {
  refuseUnknownMembers('podSecurity()', options, ['defaults', 'exemptions']);
  const { defaults = {}, exemptions = {} } = options;
  refuseUnknownMembers('podSecurity(): defaults', defaults, ['enforce', 'audit', 'warn']);
  refuseUnknownMembers('podSecurity(): exemptions', exemptions, ['usernames', 'namespaces', 'runtimeClasses']);
  const byDefault: Policy = { enforce: PRIVILEGED, audit: PRIVILEGED, warn: PRIVILEGED, ...defaults };
  const { usernames = [], namespaces: exemptNamespaces = [], runtimeClasses = [] } = exemptions;
  return ruledPlugin<ApiObject>({
    name: 'PodSecurity',
    rules: [
      { operations: WRITES, apiGroups: [''], resources: ['pods', 'pods/ephemeralcontainers', 'namespaces'] },
      ...Object.entries(TEMPLATED).map(([group, resources]) => ({ operations: WRITES, apiGroups: [group], resources })),
    ],
    create(host) {
      const { dialect, lister, metrics } = host;
      const counter = new EvaluationCounter(metrics);
      const namespaces = lister('', 'namespaces');
      const pods = lister<Pod>('', 'pods');
      const policyOf = ({ metadata }: ApiObject) => readPolicy(metadata.labels ?? {}, byDefault, dialect);

      /** Returns the policy of a namespace; undefined when the namespace does not exist. */
      const policyIn = (name: string) => {
        const namespace = namespaces.get('', name);
        return namespace && policyOf(namespace);
      };

      function validatePod(attributes: AdmissionAttributes<Pod>): void {
        const { object: pod, oldObject: old } = attributes;
        if (isExempt(attributes)) return;
        const readPolicyResult = policyIn(attributes.namespace);
        if (!readPolicyResult) {
          const error = apiError.internal(unknownNamespace(attributes));
          noteMissing(attributes, error.message);
          throw error;
        }
        const { policy, errors } = readPolicyResult;
        if (errors.length === 0 && isFullyPrivileged(policy)) {
          attributes.annotate(key('enforce-policy'), formatLevel(PRIVILEGED));
          counter.evaluated(true, policy.enforce, 'enforce', attributes);
        } else if (!(old && isSame(pod, old, dialect))) evaluate(attributes, pod, readPolicyResult, true);
      }

      /** Reports the violations by a pod template. Templates are never refused, because the pods created from them are checked. */
      function validateTemplate(attributes: AdmissionAttributes, template: SecuredPod): void {
        if (isExempt(attributes)) return;
        const readPolicyResult = policyIn(attributes.namespace);
        if (!readPolicyResult) {
          noteMissing(attributes, unknownNamespace(attributes));
          return;
        }
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
          counter.failed(attributes, 'false');
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
          throw forbiddenRequest(attributes, why);
        }
        const warned = violationsOf(pod, warn, host);
        if (warned.length > 0) {
          counter.evaluated(false, warn, 'warn', attributes);
          attributes.warn(`would violate PodSecurity ${quote(formatLevel(warn))}: ${describeViolations(warned)}`);
        }
      }
      const key = (name: string) => `pod-security.${domainName(dialect, name)}`;
      /** Records that the namespace of a request is missing, which only NamespaceLifecycle refuses. */
      function noteMissing(attributes: AdmissionAttributes, message: string): void {
        counter.failed(attributes, 'true');
        attributes.annotate(key('error'), `${message}: namespaces ${quote(attributes.namespace)} not found`);
      }
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

      function checkNamespace(attributes: AdmissionAttributes<Namespace>): void {
        const { object, oldObject } = attributes;
        const next = policyOf(object);
        const before = oldObject && policyOf(oldObject);
        if (next.errors.length > 0 && !equalJson(next.errors, before?.errors))
          throw apiError.invalid({ group: '', kind: 'Namespace' }, attributes.name, next.errors);
        const name = object.metadata.name ?? '';
        if (before && !isStricter(next.policy.enforce, before.policy.enforce)) return;
        if (exemptNamespaces.includes(name)) warnOfExemption(attributes, next.policy);
        // A new namespace has no existing pods to warn of.
        else if (before) {
          const checked = pods.list(name).filter((pod) => !isExemptClass(pod));
          for (const warning of podWarnings(checked, name, next.policy.enforce, host)) attributes.warn(warning);
        }
      }

      /** Warns that the labels of an exempt namespace have no effect. */
      function warnOfExemption(attributes: AdmissionAttributes<Namespace>, policy: Policy): void {
        const { name = '', labels = {} } = attributes.object.metadata;
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

      return {
        validate(attributes) {
          if (isFor<Namespace>(attributes, '', 'namespaces')) return checkNamespace(attributes);
          if (isFor<Pod>(attributes, '', 'pods')) return validatePod(attributes);
          const template = templateOf(attributes);
          if (template?.spec) validateTemplate(attributes, template);
          return undefined;
        },
      };
    },
  });
}

/**
 * Returns the pod template of an object. Members of the template may be missing, because the object can be a custom resource with the same
 * resource name.
 */
function templateOf({ object, resource }: AdmissionAttributes<ApiObject>): SecuredPod | undefined {
  if (resource.resource === 'podtemplates') return (object as PodTemplate).template;
  if (resource.resource === 'cronjobs') return (object as CronJob).spec?.jobTemplate?.spec?.template;
  return (object as Workload).spec?.template;
}

/**
 * Returns whether an update changes nothing that the levels check. Only images, annotations and ephemeral containers are compared, because
 * the other checked fields of an existing pod are immutable.
 */
function isSame(next: Pod, old: Pod, dialect: Dialect): boolean {
  const prefix = `container.seccomp.security.alpha.${domainName(dialect, '')}`;
  const shown = ({ metadata }: Pod, { name, image = '' }: Container) => [
    image,
    metadata.annotations?.[prefix + name] ?? '',
  ];
  const all = (pod: Pod, list: 'containers' | 'initContainers') =>
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

const unknownNamespace = ({ namespace }: AdmissionAttributes): string =>
  `failed to lookup namespace ${quote(namespace)}`;

const isFullyPrivileged = (policy: Policy): boolean =>
  Object.values(policy).every(({ level }) => level === 'privileged');

/** Returns warnings for the pods of a namespace that violate a level, grouped by violation. */
function podWarnings(pods: readonly Pod[], namespace: string, level: LevelVersion, host: Host): readonly string[] {
  const looked = firstOfEach(pods).slice(0, MOST_PODS);
  const names = new Map<string, string[]>();
  for (const pod of looked) {
    const reason = nameViolations(violationsOf(pod, level, host));
    if (reason !== '') names.set(reason, [...(names.get(reason) ?? []), pod.metadata.name ?? '']);
  }
  const warnings = [...names].map(([reason, of]) => `${podWords(of)}: ${reason}`).sort();
  const bound = `new PodSecurity enforce level only checked against the first ${looked.length} of ${pods.length} existing pods`;
  const about = `existing pods in namespace ${quote(namespace)} violate the new PodSecurity enforce level ${quote(formatLevel(level))}`;
  return [...(looked.length < pods.length ? [bound] : []), ...(warnings.length > 0 ? [about, ...warnings] : [])];
}

/** Sorts pods so that pods without a controller and the first pod of each controller come before all other pods. */
function firstOfEach(pods: readonly Pod[]): readonly Pod[] {
  const seen = new Set<string>();
  const others: Pod[] = [];
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

/** Returns the rules that a level has in one release. */
function checksOf(level: LevelVersion['level'], release: number): readonly Check[] {
  if (level === 'privileged') return [];
  const inForce = (checks: readonly Check[]) => checks.filter(({ since = 0 }) => since <= release);
  const baseline = inForce(baselineChecks);
  if (level === 'baseline') return baseline;
  const restricted = inForce(restrictedChecks);
  const replaced = new Set(restricted.map(({ replaces }) => replaces));
  return [...baseline.filter(({ name }) => !replaced.has(name)), ...restricted];
}

/** Returns all violations of a level by a pod or a pod template. */
export function violationsOf(
  pod: SecuredPod,
  { level, version }: LevelVersion,
  { dialect, gates }: Pick<Host, 'dialect' | 'gates'>,
): readonly Violation[] {
  const release = version === 'latest' ? Number.POSITIVE_INFINITY : version;
  const hasUserNamespace = gates.UserNamespacesPodSecurityStandards && pod.spec.hostUsers === false;
  return checksOf(level, release)
    .filter(({ notInUserNamespace }) => !(hasUserNamespace && notInUserNamespace))
    .flatMap((check) => check.find(pod, release, dialect) ?? []);
}

export const describeViolations = (violations: readonly Violation[]): string =>
  violations.map(({ reason, detail }) => (detail === '' ? reason : `${reason} (${detail})`)).join(', ');
export const nameViolations = (violations: readonly Violation[]): string =>
  violations.map(({ reason }) => reason).join(', ');

const evaluations = counter(
  'pod_security_evaluations_total',
  'Number of policy evaluations that occurred, not counting ignored or exempt requests.',
  ['decision', 'policy_level', 'policy_version', 'mode', 'request_operation', 'resource', 'subresource'],
);
const exemptions = counter(
  'pod_security_exemptions_total',
  'Number of exempt requests, not counting ignored or out of scope requests.',
  ['request_operation', 'resource', 'subresource'],
);
const errors = counter(
  'pod_security_errors_total',
  'Number of errors preventing normal evaluation. Non-fatal errors may result in the latest restricted profile being used for evaluation.',
  ['fatal', 'request_operation', 'resource', 'subresource'],
);
/** The newest minor release that has its own metric label. All later ones share the label `future`. */
const NEWEST = 31;

/** Counts evaluations of pods by result, and exemptions and errors. */
export class EvaluationCounter {
  readonly #metrics: Metrics;

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
    // As in upstream, the most common result is exposed with the value 0 from the start.
    for (const operation of ['create', 'update'])
      for (const resource of ['pod', 'controller'])
        metrics.add(evaluations, ['allow', 'privileged', 'latest', 'enforce', operation, resource, ''], 0);
  }

  evaluated(allowed: boolean, { level, version }: LevelVersion, mode: Mode, attributes: AdmissionAttributes): void {
    const release = version === 'latest' ? version : version > NEWEST ? 'future' : `v1.${version}`;
    const decision = allowed ? 'allow' : 'deny';
    this.#metrics.add(evaluations, [decision, level, release, mode, ...requestLabels(attributes)]);
  }

  /** Counts an error: a namespace that is missing, which is fatal, or whose labels cannot be parsed, which is not. */
  failed(attributes: AdmissionAttributes, fatal: 'true' | 'false'): void {
    this.#metrics.add(errors, [fatal, ...requestLabels(attributes)]);
  }

  exempted(attributes: AdmissionAttributes): void {
    this.#metrics.add(exemptions, requestLabels(attributes));
  }
}

function requestLabels({ operation, resource, subresource }: AdmissionAttributes): string[] {
  const sort = resource.resource === 'pods' ? 'pod' : resource.resource === 'namespaces' ? 'namespace' : 'controller';
  return [operation.toLowerCase(), sort, subresource];
}
