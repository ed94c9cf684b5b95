import type { JsonObject } from '../../json/value.js';
import { reading } from '../../meta/clock.js';
import type { Host } from '../../meta/host.js';
import type { UserInfo } from '../../meta/user-info.js';
import { counter, histogram, USUAL_SECONDS } from '../../metrics/families.js';
import { ExpiringCache } from '../../outbound/expiring-cache.js';
import {
  type AttemptObserver,
  flagOf,
  reviewWebhook,
  textOf,
  type WebhookConnection,
} from '../../outbound/review-webhook.js';
import type { LabelOperator } from '../../selectors/label-requirement.js';
import { refuseUnknownMembers } from '../../values/did-you-mean.js';
import { messageOf } from '../../values/message-of.js';
import type { AuthorizationAttributes, AuthorizerFactory, Decision, UserRules } from '../authorizer.js';
import type { SelectorRequirements } from '../selector-attributes.js';
import type { MatchConditions, Matched } from './match-conditions.js';

/** The options of {@link webhook}. */
export interface WebhookAuthorizerOptions {
  /** The connection to the webhook. */
  readonly connection: WebhookConnection;
  /** The name of the authorizer, unique in a server. Default `webhook`. */
  readonly name?: string;
  /** The version of the SubjectAccessReview that is sent. Default `v1beta1`, as in upstream. */
  readonly version?: 'v1' | 'v1beta1';
  /** How long an Allow is cached, in milliseconds. Default five minutes. */
  readonly allowedLifetime?: number;
  /** How long a decision other than Allow is cached, in milliseconds. Default half a minute. */
  readonly otherLifetime?: number;
  /** The time limit of each attempt, in milliseconds. Default 30 seconds. */
  readonly timeout?: number;
  /** The decision when the webhook fails. Default `NoOpinion`. */
  readonly failurePolicy?: 'NoOpinion' | 'Deny';
}

const SECOND = 1000;
const MAX_KEPT = 8192;
const RULES: UserRules = Object.freeze({
  resourceRules: [],
  nonResourceRules: [],
  incomplete: true,
  error: new Error('webhook authorizer does not support user rule resolution'),
});

const OPTIONS: readonly (keyof WebhookAuthorizerOptions)[] = [
  'connection',
  'name',
  'version',
  'allowedLifetime',
  'otherLifetime',
  'timeout',
  'failurePolicy',
];

/**
 * Makes an authorizer whose decisions come from a webhook that receives SubjectAccessReviews (spec 12.12).
 * @throws TypeError for an option that does not exist, and for an unknown failure policy.
 */
export function webhook(options: WebhookAuthorizerOptions): AuthorizerFactory {
  refuseUnknownMembers('webhook()', options, OPTIONS);
  const { failurePolicy = 'NoOpinion' } = options;
  if (failurePolicy !== 'NoOpinion' && failurePolicy !== 'Deny')
    throw new TypeError("webhook(): failurePolicy must be 'NoOpinion' or 'Deny'");
  return conditionalWebhook(options, undefined);
}

/** Makes a webhook authorizer that returns NoOpinion without a call if one of the match conditions is false. */
export function conditionalWebhook(
  options: WebhookAuthorizerOptions,
  conditions: MatchConditions | undefined,
): AuthorizerFactory {
  const { connection, name = 'webhook', version = 'v1beta1', failurePolicy = 'NoOpinion' } = options;
  const { allowedLifetime = 300 * SECOND, otherLifetime = 30 * SECOND, timeout = 30 * SECOND } = options;
  const unmatched: Decision = Object.freeze({ decision: 'NoOpinion', reason: '', authorizer: name });
  const failureDecision = (error: unknown): Decision => ({
    decision: failurePolicy,
    reason: '',
    error: error instanceof Error ? error : new Error(String(error)),
    authorizer: name,
  });

  return (host) => {
    const apiVersion = `authorization.${host.dialect.groupSuffix}/${version}`;
    const ask = reviewWebhook(connection, timeout, host);
    const known = new ExpiringCache<Decision>(host.clock, MAX_KEPT);

    async function decideByReview(spec: JsonObject, key: string | undefined): Promise<Decision> {
      const meter = new AttemptMeter(host, name);
      try {
        const review = {
          kind: 'SubjectAccessReview',
          apiVersion,
          metadata: { creationTimestamp: null },
          spec: inVersion(spec, version),
          status: { allowed: false },
        };
        const status = await ask(review, meter);
        const decision = decisionOf(status, name);
        meter.decided();
        // As in upstream, a response that both allows and denies is cached like one that allows.
        const lifetime = flagOf(status, 'allowed') ? allowedLifetime : otherLifetime;
        if (key !== undefined) known.set(key, decision, lifetime);
        return decision;
      } catch (error) {
        host.log(`Failed to make webhook authorizer request: ${messageOf(error)}`);
        meter.failed(failurePolicy === 'NoOpinion');
        return failureDecision(error);
      }
    }

    return {
      name,
      authorize(attributes: AuthorizationAttributes) {
        if (conditions) {
          const { matches, error } = measuredConditions(host, name, () => conditions(accessReviewSpec(attributes)));
          if (error !== undefined) return failureDecision(new Error(error));
          if (!matches) return unmatched;
        }
        const key = reviewKey(attributes);
        const before = key === undefined ? undefined : known.get(key);
        return before ?? decideByReview(accessReviewSpec(attributes), key);
      },
      rulesFor: () => RULES,
    };
  };
}

/** Returns the decision in the status of a response. @throws Error for members of wrong types. */
function decisionOf(status: JsonObject, authorizer: string): Decision {
  const [allowed, denied] = [flagOf(status, 'allowed'), flagOf(status, 'denied')];
  const reason = textOf(status, 'reason');
  // The error has no effect, but upstream refuses a response in which it is not a string.
  textOf(status, 'evaluationError');
  if (allowed && denied) {
    const error = new Error('webhook subject access review returned both allow and deny response');
    return Object.freeze({ decision: 'Deny', reason, error, authorizer });
  }
  if (denied) return Object.freeze({ decision: 'Deny', reason, authorizer });
  return Object.freeze({ decision: allowed ? 'Allow' : 'NoOpinion', reason, authorizer });
}

const LABELS = ['name', 'result'];
const evaluations = counter(
  'apiserver_authorization_webhook_evaluations_total',
  'Round-trips to authorization webhooks.',
  LABELS,
);
const duration = histogram(
  'apiserver_authorization_webhook_duration_seconds',
  'Request latency in seconds.',
  LABELS,
  USUAL_SECONDS,
);
const failedOpen = counter(
  'apiserver_authorization_webhook_evaluations_fail_open_total',
  'NoOpinion results due to webhook timeout or error.',
  LABELS,
);
const CONDITIONS = ['type', 'name'];
const conditionErrors = counter(
  'apiserver_authorization_match_condition_evaluation_errors_total',
  'Total number of errors when an authorization webhook encounters a match condition error split by authorizer type and name.',
  CONDITIONS,
);
const conditionExclusions = counter(
  'apiserver_authorization_match_condition_exclusions_total',
  'Total number of exclusions when an authorization webhook is skipped because match conditions exclude it.',
  CONDITIONS,
);
const conditionDuration = histogram(
  'apiserver_authorization_match_condition_evaluation_seconds',
  'Authorization match condition evaluation time in seconds, split by authorizer type and name.',
  CONDITIONS,
  [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25],
);

/** Measures the evaluation of a webhook's match conditions. */
export function measuredConditions(
  { metrics, clock }: Pick<Host, 'metrics' | 'clock'>,
  name: string,
  match: () => Matched,
): Matched {
  const since = reading(clock);
  const matched = match();
  const labels = ['Webhook', name];
  if (matched.error !== undefined) metrics.add(conditionErrors, labels);
  else if (!matched.matches) metrics.add(conditionExclusions, labels);
  metrics.observe(conditionDuration, labels, (reading(clock) - since) / 1000);
  return matched;
}

/** Counts and measures each attempt to call a webhook, as upstream does. */
class AttemptMeter implements AttemptObserver {
  readonly #host: Pick<Host, 'metrics' | 'clock'>;
  readonly #name: string;
  #since = 0;
  #last: { readonly result: string; readonly seconds: number } | undefined;

  constructor(host: Pick<Host, 'metrics' | 'clock'>, name: string) {
    this.#host = host;
    this.#name = name;
  }

  began(): void {
    this.#count();
    this.#since = reading(this.#host.clock);
  }

  ended(error: unknown, status: number | undefined): void {
    const isLate = status === GATEWAY_TIMEOUT || /timeout|deadline/i.test(messageOf(error));
    const result = error === undefined ? 'success' : isLate ? 'timeout' : 'error';
    this.#last = { result, seconds: (reading(this.#host.clock) - this.#since) / SECOND };
  }

  /** Counts the last attempt, whose response led to a decision. */
  decided(): void {
    this.#count();
  }

  /** Counts the last attempt as failed. @param isSkipped whether the request continues as if there were no webhook */
  failed(isSkipped: boolean): void {
    const { result = 'error', seconds = 0 } = this.#last ?? {};
    // A response that was received but has members of wrong types is a failure, too.
    this.#last = { result: result === 'success' ? 'error' : result, seconds };
    if (isSkipped) this.#host.metrics.add(failedOpen, [this.#name, this.#last.result]);
    this.#count();
  }

  #count(): void {
    if (!this.#last) return;
    const labels = [this.#name, this.#last.result];
    this.#host.metrics.add(evaluations, labels);
    this.#host.metrics.observe(duration, labels, this.#last.seconds);
    this.#last = undefined;
  }
}

const GATEWAY_TIMEOUT = 504;

/** Returns the spec of a SubjectAccessReview v1, without empty members (spec 12.5). */
export function accessReviewSpec({ user, ...request }: AuthorizationAttributes): JsonObject {
  const { username, uid = '', groups = [], extra = {} } = user;
  const { namespace, verb, group, version, resource, subresource, name, path } = request;
  return withoutEmpty({
    ...(request.resourceRequest
      ? {
          resourceAttributes: withoutEmpty({
            ...{ namespace, verb, group, version, resource, subresource, name },
            ...selectorsOf(request),
          }),
        }
      : { nonResourceAttributes: withoutEmpty({ path, verb }) }),
    user: username,
    groups,
    extra,
    uid,
  });
}

const OPERATORS: Readonly<Partial<Record<LabelOperator, string>>> = {
  '=': 'In',
  '==': 'In',
  in: 'In',
  '!=': 'NotIn',
  notin: 'NotIn',
  exists: 'Exists',
  '!': 'DoesNotExist',
};

/**
 * Returns the selectors as a SubjectAccessReview contains them. A requirement with an operator that SubjectAccessReviews do not have is
 * left out, so the review concerns more objects than the request selects.
 */
function selectorsOf({ fieldSelector = [], labelSelector = [] }: SelectorRequirements): JsonObject {
  const fields = fieldSelector.map(({ field, operator, value }) => ({
    key: field,
    operator: operator === '=' ? 'In' : 'NotIn',
    values: [value],
  }));
  const labels = labelSelector.flatMap(({ key, operator, values }) => {
    const known = OPERATORS[operator];
    return known === undefined ? [] : [{ key, operator: known, ...(values.length > 0 ? { values } : {}) }];
  });
  return {
    ...(fields.length > 0 ? { fieldSelector: { requirements: fields } } : {}),
    ...(labels.length > 0 ? { labelSelector: { requirements: labels } } : {}),
  };
}

/** Converts the spec of a SubjectAccessReview to a version: v1beta1 has `group` instead of `groups`. */
export function inVersion(spec: JsonObject, version: 'v1' | 'v1beta1'): JsonObject {
  if (version === 'v1') return spec;
  const { groups, ...rest } = spec;
  return { ...rest, ...(groups === undefined ? {} : { group: groups }) };
}

/**
 * The length in characters that the attributes of a cached request must stay below together. For a longer request, the webhook is called
 * each time.
 */
const TOO_LARGE = 10_000;

/** Removes empty strings, lists and objects. */
function withoutEmpty(members: JsonObject): JsonObject {
  const isEmpty = (value: unknown) =>
    value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
  return Object.fromEntries(Object.entries(members).filter(([, value]) => !isEmpty(value)));
}

const userTexts = new WeakMap<UserInfo, string>();

/**
 * Returns a cache key for a review; undefined for reviews that are too long to cache. Two reviews have the same key only if they are equal.
 * The part that describes the user is computed once for each frozen user object.
 */
export function reviewKey(attributes: AuthorizationAttributes): string | undefined {
  const { resourceRequest, verb, group, version, resource, subresource, namespace, name, path } = attributes;
  const target = group.length + version.length + resource.length + subresource.length;
  if (verb.length + target + namespace.length + name.length + path.length >= TOO_LARGE) return undefined;
  const user = userText(attributes.user);
  if (attributes.fieldSelector || attributes.labelSelector) {
    const text = JSON.stringify(accessReviewSpec(attributes)['resourceAttributes']);
    // Upstream caches selectors of any length. Here a long one is not cached, so that memory is bounded.
    return text.length >= TOO_LARGE ? undefined : `${text}${user}`;
  }
  if (!resourceRequest) return `${JSON.stringify([verb, path])}${user}`;
  // This code runs for every request. Concatenation costs half as much as JSON, and its result is unambiguous when no part contains a line
  // break.
  return isLine(verb) &&
    isLine(group) &&
    isLine(version) &&
    isLine(resource) &&
    isLine(subresource) &&
    isLine(namespace) &&
    isLine(name)
    ? `${verb}\n${group}\n${version}\n${resource}\n${subresource}\n${namespace}\n${name}\n${user}`
    : `${JSON.stringify([verb, group, version, resource, subresource, namespace, name])}${user}`;
}

const isLine = (text: string) => !text.includes('\n');

function userText(user: UserInfo): string {
  const before = userTexts.get(user);
  if (before !== undefined) return before;
  const { username, uid = '', groups = [], extra = {} } = user;
  const text = JSON.stringify([username, uid, groups, Object.entries(extra)]);
  if (Object.isFrozen(user)) userTexts.set(user, text);
  return text;
}
