import type { JsonObject } from '../../json/value.js';
import type { UserInfo } from '../../meta/user-info.js';
import type { AuthorizationAttributes } from '../authorizer.js';

/** The spec of a SubjectAccessReview v1; members that are empty are absent (spec 12.5). */
export function accessReviewSpec({ user, ...asked }: AuthorizationAttributes): JsonObject {
  const { username, uid = '', groups = [], extra = {} } = user;
  const { namespace, verb, group, version, resource, subresource, name, path } = asked;
  return filled({
    ...(asked.resourceRequest
      ? { resourceAttributes: filled({ namespace, verb, group, version, resource, subresource, name }) }
      : { nonResourceAttributes: filled({ path, verb }) }),
    user: username,
    groups,
    extra,
    uid,
  });
}

/** The spec as v1beta1 has it: `group` for `groups`. */
export function inVersion(spec: JsonObject, version: 'v1' | 'v1beta1'): JsonObject {
  if (version === 'v1') return spec;
  const { groups, ...rest } = spec;
  return { ...rest, ...(groups === undefined ? {} : { group: groups }) };
}

/** Texts whose lengths together say how large a question is. */
export function questionSize({
  namespace,
  verb,
  group,
  version,
  resource,
  subresource,
  name,
  path,
}: AuthorizationAttributes): number {
  const parts = [namespace, verb, group, version, resource, subresource, name, path];
  return parts.reduce((sum, part) => sum + part.length, 0);
}

/** Without empty texts, lists and objects. */
function filled(members: JsonObject): JsonObject {
  const isEmpty = (value: unknown) =>
    value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
  return Object.fromEntries(Object.entries(members).filter(([, value]) => !isEmpty(value)));
}

const userTexts = new WeakMap<UserInfo, string>();

/** One text for equal questions, and another for each other one; of a user who does not change it is made once. */
export function questionText({ user, ...asked }: AuthorizationAttributes): string {
  const { namespace, verb, group, version, resource, subresource, name, path } = asked;
  const parts = asked.resourceRequest ? [verb, group, version, resource, subresource, namespace, name] : [verb, path];
  return JSON.stringify(parts) + userText(user);
}

function userText(user: UserInfo): string {
  const before = userTexts.get(user);
  if (before !== undefined) return before;
  const { username, uid = '', groups = [], extra = {} } = user;
  const text = JSON.stringify([username, uid, groups, Object.entries(extra)]);
  if (Object.isFrozen(user)) userTexts.set(user, text);
  return text;
}
