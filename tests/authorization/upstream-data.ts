import type { AuthorizationAttributes } from '../../src/authorization/authorizer.js';
import type { UserInfo } from '../../src/meta/user-info.js';

// biome-ignore lint/suspicious/noExplicitAny: the tables have many shapes
export type Case = any;

interface UpstreamUser {
  readonly Name?: string;
  readonly name?: string;
  readonly Groups?: readonly string[];
  readonly groups?: readonly string[];
}

export const userOf = ({ Name, name, Groups, groups }: UpstreamUser = {}): UserInfo => ({
  username: Name ?? name ?? '',
  groups: Groups ?? groups ?? [],
});

/** Returns attributes whose absent members are empty. */
export function attributesWith(given: Partial<AuthorizationAttributes>): AuthorizationAttributes {
  return {
    user: { username: '' },
    verb: '',
    resourceRequest: true,
    group: '',
    version: '',
    resource: '',
    subresource: '',
    namespace: '',
    name: '',
    path: '',
    ...given,
  };
}

/** Returns attributes under the names of upstream's Go tables. */
export function attributesOf(given: Readonly<Record<string, unknown>>): AuthorizationAttributes {
  const text = (...names: string[]) =>
    String(names.map((name) => given[name]).find((value) => value !== undefined) ?? '');
  const resource = text('Resource', 'resource');
  return attributesWith({
    user: userOf((given['User'] ?? {}) as UpstreamUser),
    verb: text('Verb', 'verb'),
    resourceRequest: Boolean(given['ResourceRequest'] ?? given['resourceRequest'] ?? resource !== ''),
    group: text('APIGroup', 'apiGroup'),
    resource,
    subresource: text('Subresource', 'subresource'),
    namespace: text('Namespace', 'namespace', 'NS'),
    name: text('Name', 'name'),
    path: text('Path', 'path'),
  });
}
