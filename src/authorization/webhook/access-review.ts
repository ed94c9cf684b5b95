import type { JsonObject } from '../../json/value.js';
import type { UserInfo } from '../../meta/user-info.js';
import type { LabelOperator } from '../../selectors/label-requirement.js';
import type { AuthorizationAttributes } from '../authorizer.js';
import type { SelectorRequirements } from '../selector-attributes.js';

/** Returns the spec of a SubjectAccessReview v1, without empty members (spec 12.5). */
export function accessReviewSpec({ user, ...request }: AuthorizationAttributes): JsonObject {
  const { username, uid = '', groups = [], extra = {} } = user;
  const { namespace, verb, group, version, resource, subresource, name, path } = request;
  return filled({
    ...(request.resourceRequest
      ? {
          resourceAttributes: filled({
            ...{ namespace, verb, group, version, resource, subresource, name },
            ...selectorsOf(request),
          }),
        }
      : { nonResourceAttributes: filled({ path, verb }) }),
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

/** Returns the selectors in the form of a review. Requirements without a matching operator are left out, so that the rest selects more. */
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

/** Converts the spec to a version: v1beta1 has `group` instead of `groups`. */
export function inVersion(spec: JsonObject, version: 'v1' | 'v1beta1'): JsonObject {
  if (version === 'v1') return spec;
  const { groups, ...rest } = spec;
  return { ...rest, ...(groups === undefined ? {} : { group: groups }) };
}

/** Longer reviews are not cached, so the webhook is called for each. */
const LARGEST_KEPT = 10_000;

/** Removes empty strings, lists and objects. */
function filled(members: JsonObject): JsonObject {
  const isEmpty = (value: unknown) =>
    value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
  return Object.fromEntries(Object.entries(members).filter(([, value]) => !isEmpty(value)));
}

const userTexts = new WeakMap<UserInfo, string>();

/**
 * Returns a cache key for a review: equal for equal reviews and different for all others. The user's part is computed once for each frozen
 * user. Returns undefined for reviews that are too long to cache.
 */
export function questionText(attributes: AuthorizationAttributes): string | undefined {
  const { resourceRequest, verb, group, version, resource, subresource, namespace, name, path } = attributes;
  if (verb.length + namespace.length + name.length + resource.length + path.length > LARGEST_KEPT) return undefined;
  if (group.length + version.length + subresource.length > LARGEST_KEPT) return undefined;
  const user = userText(attributes.user);
  if (attributes.fieldSelector || attributes.labelSelector) {
    const text = JSON.stringify(accessReviewSpec(attributes)['resourceAttributes']);
    return text.length > LARGEST_KEPT ? undefined : `${text}${user}`;
  }
  if (!resourceRequest) return `${JSON.stringify([verb, path])}${user}`;
  // This runs for every request. Concatenation costs half as much as JSON, and it is unambiguous when no part contains the separator.
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
