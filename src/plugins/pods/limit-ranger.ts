import type { AdmissionAttributes } from '../../admission/admission-plugin.js';
import { isFor } from '../../admission/matching/rule.js';
import { forbiddenRequest } from '../../admission/refusal.js';
import { ruledPlugin } from '../../admission/ruled-plugin.js';
import { domainName } from '../../meta/dialect.js';
import { type Flow, run, settled, yieldIfDue } from '../../meta/flow.js';
import { MAX_ANNOTATION_BYTES } from '../../meta/object-meta-validation.js';
import type {
  Container,
  LimitRange,
  LimitRangeItem,
  PersistentVolumeClaim,
  Pod,
} from '../../resources/core/core-v1.types.js';
import { parseQuantity, quantityToNumber } from '../../values/quantity.js';
import { type Amounts, amountOf, compareAmounts } from '../amounts.js';
import { withSpec } from './pod.js';
import { podResources } from './pod-resources.js';

const PREFIX = 'LimitRanger plugin set: ';

/**
 * Sets the default requests and limits of new pods according to the limit ranges in their namespace, and refuses quantities beyond the
 * allowed ranges.
 */
export const limitRanger = ruledPlugin<Pod | PersistentVolumeClaim>({
  name: 'LimitRanger',
  rules: [
    { operations: ['CREATE'], apiGroups: [''], resources: ['pods'] },
    { operations: ['CREATE', 'UPDATE'], apiGroups: [''], resources: ['persistentvolumeclaims'] },
  ],
  create({ dialect, lister }) {
    const ranges = lister<LimitRange>('', 'limitranges');
    const annotation = domainName(dialect, 'limit-ranger');
    const itemsOf = ({ spec }: LimitRange) => spec.limits ?? [];

    return {
      admit(attributes) {
        if (!isFor<Pod>(attributes, '', 'pods')) return undefined;
        return run(withAllDefaults(attributes.object, ranges.list(attributes.namespace).map(itemsOf), annotation));
      },
      validate(attributes) {
        if (attributes.oldObject?.metadata.deletionTimestamp !== undefined) return undefined;
        const items = ranges.list(attributes.namespace).map(itemsOf);
        if (isFor<Pod>(attributes, '', 'pods'))
          return run(validateAll(attributes, items, podProblems(attributes.object)));
        if (isFor<PersistentVolumeClaim>(attributes, '', 'persistentvolumeclaims'))
          return run(validateAll(attributes, items, claimProblems(attributes.object)));
        return undefined;
      },
    };
  },
});

function* withAllDefaults(pod: Pod, ranges: readonly (readonly LimitRangeItem[])[], annotation: string): Flow<Pod> {
  let filled = pod;
  for (const items of ranges) {
    yield* settled(yieldIfDue());
    filled = withDefaults(filled, items, annotation);
  }
  return filled;
}

/** Checks the limit ranges in order. The violations of the first violated range are reported. @throws ApiError 403 */
function* validateAll(
  attributes: AdmissionAttributes,
  ranges: readonly (readonly LimitRangeItem[])[],
  problemsOf: (item: LimitRangeItem) => readonly string[],
): Flow<void> {
  for (const items of ranges) {
    yield* settled(yieldIfDue());
    refuse(attributes, items.flatMap(problemsOf));
  }
}

/** Refuses the request if there are violations. @throws ApiError 403 with all violations, without duplicates. */
function refuse(attributes: AdmissionAttributes, problems: readonly string[]): void {
  const texts = [...new Set(problems)];
  if (texts.length > 0)
    throw forbiddenRequest(attributes, texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`);
}

function podProblems({ spec }: Pod): (item: LimitRangeItem) => readonly string[] {
  return (item) => {
    if (item.type === 'Container')
      return [...(spec.containers ?? []), ...(spec.initContainers ?? [])].flatMap(({ resources }) =>
        limitProblems(item, resources?.requests ?? {}, resources?.limits ?? {}),
      );
    return item.type === 'Pod' ? limitProblems(item, podResources(spec, 'requests'), podResources(spec, 'limits')) : [];
  };
}

const claimProblems =
  ({ spec }: PersistentVolumeClaim) =>
  (item: LimitRangeItem): readonly string[] =>
    item.type === 'PersistentVolumeClaim' ? requestProblems(item, spec.resources.requests ?? {}) : [];

/** Returns the pod with default requests and limits where its containers specify none. */
function withDefaults(pod: Pod, items: readonly LimitRangeItem[], annotation: string): Pod {
  const ofContainers = items.filter(({ type }) => type === 'Container');
  const limits: Amounts = Object.assign({}, ...ofContainers.map((item) => item.default));
  const requests: Amounts = Object.assign({}, ...ofContainers.map((item) => item.defaultRequest));
  const messages: string[] = [];
  let length = 0;
  const fill = (sort: string) => (container: Container) => {
    // A pod whose annotations are too large is refused later, so its remaining containers get no defaults.
    if (length > MAX_ANNOTATION_BYTES) return container;
    const [addedRequests, allRequests] = fillDefaults(container.resources?.requests, requests);
    const [addedLimits, allLimits] = fillDefaults(container.resources?.limits, limits);
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

/** Adds the default quantities of resources that have none. Returns the sorted names of these resources, and all quantities. */
function fillDefaults(specified: Amounts | undefined, defaults: Amounts): readonly [string[], Amounts | undefined] {
  const missing = Object.keys(defaults).filter((name) => specified === undefined || !Object.hasOwn(specified, name));
  if (missing.length === 0) return [[], specified];
  return [missing.sort(), { ...defaults, ...specified }];
}

const isLess = (a: string, b: string): boolean => a !== b && compareAmounts(a, b) < 0;
const numberOf = (amount: string | undefined): number =>
  amount === undefined ? 0 : quantityToNumber(parseQuantity(amount));

/** Returns how the requests and limits of a container or a pod violate a limit range. */
function limitProblems(item: LimitRangeItem, requests: Amounts, limits: Amounts): string[] {
  const { type, max = {}, maxLimitRequestRatio = {} } = item;
  const problems = minProblems(item, requests, limits);
  for (const [name, most] of Object.entries(max)) {
    const [request, limit] = [amountOf(requests, name), amountOf(limits, name)];
    const refuse = (why: string) => problems.push(`maximum ${name} usage per ${type} is ${most}${why}`);
    if (limit === undefined) refuse('.  No limit is specified');
    else if (isLess(most, limit)) refuse(`, but limit is ${limit}`);
    else if (request !== undefined && isLess(most, request)) refuse(`, but request is ${request}`);
  }
  for (const [name, most] of Object.entries(maxLimitRequestRatio)) {
    const [request, limit] = [numberOf(amountOf(requests, name)), numberOf(amountOf(limits, name))];
    const refuse = (why: string) =>
      problems.push(`${name} max limit to request ratio per ${type} is ${most}, but ${why}`);
    if (request === 0) refuse('no request is specified or request is 0');
    else if (limit === 0) refuse('no limit is specified or limit is 0');
    else if (limit / request > numberOf(most)) refuse(`provided ratio is ${(limit / request).toFixed(6)}`);
  }
  return problems;
}

/** Returns how the requests of a claim violate a limit range. Claims have only requests, no limits. */
function requestProblems(item: LimitRangeItem, requests: Amounts): string[] {
  const problems = minProblems(item, requests, {});
  for (const [name, most] of Object.entries(item.max ?? {})) {
    const request = amountOf(requests, name);
    const refuse = (why: string) => problems.push(`maximum ${name} usage per ${item.type} is ${most}${why}`);
    if (request === undefined) refuse('.  No request is specified');
    else if (isLess(most, request)) refuse(`, but request is ${request}`);
  }
  return problems;
}

function minProblems({ type, min = {} }: LimitRangeItem, requests: Amounts, limits: Amounts): string[] {
  const problems: string[] = [];
  for (const [name, least] of Object.entries(min)) {
    const [request, limit] = [amountOf(requests, name), amountOf(limits, name)];
    const refuse = (why: string) => problems.push(`minimum ${name} usage per ${type} is ${least}${why}`);
    if (request === undefined) refuse('.  No request is specified');
    else if (isLess(request, least)) refuse(`, but request is ${request}`);
    else if (limit !== undefined && isLess(limit, least)) refuse(`, but limit is ${limit}`);
  }
  return problems;
}
