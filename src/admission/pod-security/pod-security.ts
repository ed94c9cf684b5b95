import { equalJson } from '../../json/equal.js';
import { apiError } from '../../meta/api-error.js';
import { type Dialect, domainName, groupOf } from '../../meta/dialect.js';
import { formatFieldErrors } from '../../meta/field-error.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { quote } from '../../values/quote.js';
import type { AdmissionAttributes, AdmissionPluginFactory } from '../admission-plugin.js';
import { forbidden } from '../forbid.js';
import { allContainers } from '../pods/all-containers.js';
import { describeViolations, nameViolations, violationsOf } from './evaluate.js';
import { EvaluationCounter } from './evaluation-metrics.js';
import { formatLevel, isAtMost, type LevelVersion, type Policy, PRIVILEGED, readPolicy } from './level.js';
import type { SecuredContainer, SecuredPod, SecuredPodObject } from './secured-pod.js';

/** What {@link podSecurity} is given beyond the labels of namespaces. */
export interface PodSecurityOptions {
  /** What holds where a namespace does not say. Default: everything is allowed. */
  readonly defaults?: Partial<Policy>;
  /** Who and what is not looked at. */
  readonly exemptions?: {
    readonly usernames?: readonly string[];
    readonly namespaces?: readonly string[];
    readonly runtimeClasses?: readonly string[];
  };
}

/** Where kinds keep the template of their pods, by the stem of their group. */
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

/**
 * Holds pods to the level that the labels of their namespace name: refuses what is beyond the enforced one, and warns of what is beyond
 * another. Of templates it only warns. Labels of namespaces must be understood, and pods that are there are looked at when they change.
 */
export function podSecurity({ defaults, exemptions = {} }: PodSecurityOptions = {}): AdmissionPluginFactory {
  const byDefault: Policy = { enforce: PRIVILEGED, audit: PRIVILEGED, warn: PRIVILEGED, ...defaults };
  const { usernames = [], namespaces: exemptNamespaces = [], runtimeClasses = [] } = exemptions;
  return ({ dialect, lister, metrics }) => {
    const counter = new EvaluationCounter(metrics);
    const namespaces = lister('', 'namespaces');
    const pods = lister<SecuredPodObject>('', 'pods');
    const policyOf = ({ metadata }: ApiObject) => readPolicy(metadata.labels ?? {}, byDefault, dialect);

    function evaluate(attributes: AdmissionAttributes, pod: SecuredPod, enforces: boolean): void {
      const namespace = namespaces.get('', attributes.namespace);
      if (!namespace) return;
      const exemption = exemptionOf(attributes, pod);
      if (exemption !== undefined) {
        attributes.annotate(key('exempt'), exemption);
        counter.exempted(attributes);
        return;
      }
      const { policy, errors } = policyOf(namespace);
      const { enforce, audit, warn } = policy;
      if (errors.length > 0) {
        counter.misunderstood(attributes);
        attributes.annotate(key('error'), `Failed to parse policy: ${formatFieldErrors(errors)}`);
      }
      if (enforces) attributes.annotate(key('enforce-policy'), formatLevel(enforce));
      const refused = enforces ? violationsOf(pod, enforce, dialect) : [];
      if (enforces) counter.evaluated(refused.length === 0, enforce, 'enforce', attributes);
      if (refused.length > 0) {
        const why = `violates PodSecurity ${quote(formatLevel(enforce))}: ${describeViolations(refused)}`;
        throw forbidden(attributes, why);
      }
      const audited = violationsOf(pod, audit, dialect);
      if (audited.length > 0) {
        counter.evaluated(false, audit, 'audit', attributes);
        const what = `would violate PodSecurity ${quote(formatLevel(audit))}: ${describeViolations(audited)}`;
        attributes.annotate(key('audit-violations'), what);
      }
      const warned = violationsOf(pod, warn, dialect);
      if (warned.length > 0) {
        counter.evaluated(false, warn, 'warn', attributes);
        attributes.warn(`would violate PodSecurity ${quote(formatLevel(warn))}: ${describeViolations(warned)}`);
      }
    }
    const key = (name: string) => `pod-security.${domainName(dialect, name)}`;
    /** Why a pod is not looked at; undefined where it is. */
    function exemptionOf({ namespace, user }: AdmissionAttributes, { spec }: SecuredPod): string | undefined {
      if (exemptNamespaces.includes(namespace)) return 'namespace';
      if (usernames.includes(user.username)) return 'user';
      return spec.runtimeClassName !== undefined && runtimeClasses.includes(spec.runtimeClassName)
        ? 'runtimeClass'
        : undefined;
    }

    function checkNamespace(attributes: AdmissionAttributes): void {
      const { object, oldObject } = attributes;
      const next = policyOf(object as ApiObject); // there is one in what it handles
      const before = oldObject && policyOf(oldObject);
      if (next.errors.length > 0 && !equalJson(next.errors, before?.errors))
        throw apiError.invalid({ group: '', kind: 'Namespace' }, attributes.name, next.errors);
      const name = object?.metadata.name ?? '';
      if (!before || exemptNamespaces.includes(name) || !isStricter(next.policy.enforce, before.policy.enforce)) return;
      for (const warning of podWarnings(name, next.policy.enforce)) attributes.warn(warning);
    }

    /** What the pods of a namespace violate, the same violations together. */
    function podWarnings(namespace: string, level: LevelVersion): readonly string[] {
      const all = pods.list(namespace);
      const looked = all.slice(0, MOST_PODS);
      const names = new Map<string, string[]>();
      for (const pod of looked) {
        const reason = nameViolations(violationsOf(pod, level, dialect));
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
        const { object, oldObject } = attributes;
        const sort = sortOf(attributes, dialect);
        if (sort === 'namespace') return checkNamespace(attributes);
        if (sort === 'pod') {
          const [pod, old] = [object, oldObject] as readonly (SecuredPodObject | undefined)[]; // of its sort
          if (pod && !(old && isSame(pod, old))) evaluate(attributes, pod, true);
          return undefined;
        }
        const template = templateOf(object as ApiObject, sort ?? []);
        if (template) evaluate(attributes, template, false);
        return undefined;
      },
    };
  };
}

/** What a request is about; for templates their path. */
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
  const template = at as Partial<SecuredPod> | undefined; // of a kind that has it there
  return template?.spec ? (template as SecuredPod) : undefined;
}

/** Whether it holds the same containers with the same images: nothing else that matters can change. */
function isSame({ spec }: SecuredPodObject, { spec: old }: SecuredPodObject): boolean {
  const images = (containers: readonly SecuredContainer[]) => containers.map(({ name, image }) => [name, image ?? '']);
  return equalJson(images(allContainers(spec)), images(allContainers(old)));
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
