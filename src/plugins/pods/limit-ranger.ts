import type { AdmissionAttributes, AdmissionPluginFactory } from '../../admission/admission-plugin.js';
import { forbidden } from '../../admission/forbid.js';
import { domainName } from '../../meta/dialect.js';
import { type Flow, run, settled, yieldIfDue } from '../../meta/flow.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { MAX_ANNOTATION_BYTES } from '../../meta/object-meta-validation.js';
import type { Amounts } from '../amounts.js';
import { type ClaimObject, isOfClaim } from '../storage/claim.js';
import { type LimitItem, limitProblems, requestProblems } from './limit-problems.js';
import { type Container, isOfPod, type PodObject, withSpec } from './pod.js';
import { podResources } from './pod-resources.js';

interface LimitRangeObject extends ApiObject {
  readonly spec: { readonly limits?: readonly LimitItem[] | null };
}

const PREFIX = 'LimitRanger plugin set: ';

/** Gives new pods the default amounts of the limit ranges in their namespace, and refuses amounts beyond the limits. */
export const limitRanger: AdmissionPluginFactory = ({ dialect, lister }) => {
  const ranges = lister<LimitRangeObject>('', 'limitranges');
  const annotation = domainName(dialect, 'limit-ranger');
  const isPod = isOfPod('CREATE');
  const isNewClaim = isOfClaim('CREATE');
  const isOldClaim = isOfClaim('UPDATE');
  const itemsOf = ({ spec }: LimitRangeObject) => spec.limits ?? [];

  return {
    name: 'LimitRanger',
    handles: (attributes) => isPod(attributes) || isNewClaim(attributes) || isOldClaim(attributes),
    admit(attributes) {
      if (!isPod(attributes)) return undefined;
      const pod = attributes.object as PodObject; // handles() lets only pods in
      return run(withAllDefaults(pod, ranges.list(attributes.namespace).map(itemsOf), annotation));
    },
    validate(attributes) {
      const { object, oldObject, namespace } = attributes;
      if (oldObject?.metadata.deletionTimestamp !== undefined) return;
      const problemsOf = isPod(attributes) ? podProblems(object as PodObject) : claimProblems(object as ClaimObject);
      return run(validateAll(attributes, ranges.list(namespace).map(itemsOf), problemsOf));
    },
  };
};

function* withAllDefaults(
  pod: PodObject,
  ranges: readonly (readonly LimitItem[])[],
  annotation: string,
): Flow<PodObject> {
  let filled = pod;
  for (const items of ranges) {
    yield* settled(yieldIfDue());
    filled = withDefaults(filled, items, annotation);
  }
  return filled;
}

/** Checks the ranges in order; the first with a problem decides. @throws ApiError 403 */
function* validateAll(
  attributes: AdmissionAttributes,
  ranges: readonly (readonly LimitItem[])[],
  problemsOf: (item: LimitItem) => readonly string[],
): Flow<void> {
  for (const items of ranges) {
    yield* settled(yieldIfDue());
    refuse(attributes, items.flatMap(problemsOf));
  }
}

/** @throws ApiError 403 with all problems, each once. */
function refuse(attributes: AdmissionAttributes, problems: readonly string[]): void {
  const texts = [...new Set(problems)];
  if (texts.length > 0) throw forbidden(attributes, texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`);
}

function podProblems({ spec }: PodObject): (item: LimitItem) => readonly string[] {
  return (item) => {
    if (item.type === 'Container')
      return [...(spec.containers ?? []), ...(spec.initContainers ?? [])].flatMap(({ resources }) =>
        limitProblems(item, resources?.requests ?? {}, resources?.limits ?? {}),
      );
    return item.type === 'Pod' ? limitProblems(item, podResources(spec, 'requests'), podResources(spec, 'limits')) : [];
  };
}

const claimProblems =
  ({ spec }: ClaimObject) =>
  (item: LimitItem): readonly string[] =>
    item.type === 'PersistentVolumeClaim' ? requestProblems(item, spec.resources.requests ?? {}) : [];

/** Returns the pod with default amounts for those that its containers lack. */
function withDefaults(pod: PodObject, items: readonly LimitItem[], annotation: string): PodObject {
  const ofContainers = items.filter(({ type }) => type === 'Container');
  const limits: Amounts = Object.assign({}, ...ofContainers.map((item) => item.default));
  const requests: Amounts = Object.assign({}, ...ofContainers.map((item) => item.defaultRequest));
  const messages: string[] = [];
  let length = 0;
  const fill = (sort: string) => (container: Container) => {
    // A pod whose annotations exceed the limit is refused anyway, so the remaining containers are left as they are.
    if (length > MAX_ANNOTATION_BYTES) return container;
    const [addedRequests, allRequests] = filled(container.resources?.requests, requests);
    const [addedLimits, allLimits] = filled(container.resources?.limits, limits);
    const report = (added: readonly string[], what: string) => {
      if (added.length === 0) return;
      const text = `${added.join(', ')} ${what} for ${sort} ${container.name}`;
      length += text.length;
      messages.push(text);
    };
    report(addedRequests, 'request');
    report(addedLimits, 'limit');
    if (addedRequests.length + addedLimits.length === 0) return container;
    return {
      ...container,
      resources: {
        ...container.resources,
        ...(allLimits ? { limits: allLimits } : {}),
        ...(allRequests ? { requests: allRequests } : {}),
      },
    };
  };
  const containers = pod.spec.containers?.map(fill('container'));
  const initContainers = pod.spec.initContainers?.map(fill('init container'));
  if (messages.length === 0) return pod;
  const { metadata } = pod;
  const annotations = { ...metadata.annotations, [annotation]: PREFIX + messages.join('; ') };
  return { ...withSpec(pod, { containers, initContainers }), metadata: { ...metadata, annotations } };
}

/** Returns the names of the missing amounts, and all amounts together. */
function filled(specified: Amounts | undefined, defaults: Amounts): readonly [string[], Amounts | undefined] {
  const missing = Object.keys(defaults).filter((name) => specified === undefined || !Object.hasOwn(specified, name));
  if (missing.length === 0) return [[], specified];
  return [missing.sort(), { ...defaults, ...specified }];
}
