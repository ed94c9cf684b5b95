import { dns1123Label, dns1123Subdomain } from '../meta/names.js';
import type { UserInfo } from '../meta/user-info.js';

const serviceAccountPrefix = 'system:serviceaccount:';
const serviceAccountsGroup = 'system:serviceaccounts';

/** Returns the user name of a service account. */
export function serviceAccountUsername(namespace: string, name: string): string {
  return `${serviceAccountPrefix}${namespace}:${name}`;
}

/** Returns all groups of a service account except `system:authenticated`. */
export function serviceAccountGroups(namespace: string): readonly string[] {
  return [serviceAccountsGroup, `${serviceAccountsGroup}:${namespace}`];
}

/** Returns the service account that a user name denotes; undefined for any other user (spec 11.21). */
export function parseServiceAccount(
  username: string,
): { readonly namespace: string; readonly name: string } | undefined {
  if (!username.startsWith(serviceAccountPrefix)) return undefined;
  const [namespace = '', name = '', ...rest] = username.slice(serviceAccountPrefix.length).split(':');
  const valid = rest.length === 0 && dns1123Label(namespace).length === 0 && dns1123Subdomain(name).length === 0;
  return valid ? { namespace, name } : undefined;
}

export interface ServiceAccountFacts {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** Extra fields by the last segment of their key, such as `pod-name`. Fields that are undefined or empty are left out. */
  readonly extra?: Readonly<Record<string, string | undefined>>;
}

/** Returns the user that a service account acts as (spec 14.7, 14.8). */
export function serviceAccountUser(
  { namespace, name, uid, extra = {} }: ServiceAccountFacts,
  labelDomain: string,
): UserInfo {
  const facts: Record<string, readonly string[]> = {};
  for (const [key, value] of Object.entries(extra))
    if (value) facts[`authentication.${labelDomain}/${key}`] = Object.freeze([value]);
  return Object.freeze({
    username: serviceAccountUsername(namespace, name),
    uid,
    groups: Object.freeze(serviceAccountGroups(namespace)),
    ...(Object.keys(facts).length === 0 ? {} : { extra: Object.freeze(facts) }),
  });
}
