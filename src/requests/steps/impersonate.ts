import { anonymousUser, authenticatedGroup, unauthenticatedGroup } from '../../authentication/authenticated-group.js';
import { extraKey } from '../../authentication/request-header.js';
import {
  parseServiceAccount,
  serviceAccountGroups,
  serviceAccountUsername,
} from '../../authentication/service-account-user.js';
import type { AuthorizationAttributes } from '../../authorization/authorizer.js';
import { apiError } from '../../meta/api-error.js';
import { type Dialect, groupOf } from '../../meta/dialect.js';
import { yieldIfDue } from '../../meta/flow.js';
import type { RequestHeaders } from '../../meta/request-headers.js';
import type { UserInfo } from '../../meta/user-info.js';
import { messageOf } from '../../values/message-of.js';
import { internalErrorResult } from '../answers/internal-error.js';
import type { Exchange } from '../exchange.js';
import type { Result } from '../result.js';
import { refusal } from './authorize.js';

/**
 * Lets an authorized caller act as another user: user, groups, extra fields and uid are authorized one by one, with the verb `impersonate`
 * (spec 11.21). Later steps see only the impersonated user; no attribute of the caller carries over.
 * @throws ApiError 403; 400, in some API dialects, for impersonation headers that name no user (spec 19.20).
 */
export function impersonate(exchange: Exchange): Result | undefined | Promise<undefined> {
  const { request, environment } = exchange;
  let impersonations: readonly Impersonation[];
  try {
    impersonations = readImpersonation(request.headers, environment.host.dialect);
  } catch (error) {
    if (environment.host.dialect.rulings.clientFault === 400) throw apiError.badRequest(messageOf(error));
    return internalErrorResult(exchange, messageOf(error));
  }
  return impersonations.length === 0 ? undefined : impersonateAll(exchange, impersonations);
}

async function impersonateAll(exchange: Exchange, impersonations: readonly Impersonation[]): Promise<undefined> {
  const { environment, user } = exchange;
  const group = groupOf(environment.host.dialect, 'authentication');
  for (const impersonation of impersonations) {
    const attributes = attributesOf(impersonation, user, group);
    const decision = await environment.authorizer.authorize(attributes);
    exchange.observer?.checked(attributes, decision);
    if (decision.decision !== 'Allow') throw refusal(exchange, attributes, decision.reason);
    await yieldIfDue();
  }
  exchange.user = impersonatedUser(impersonations);
  exchange.audit?.impersonated(exchange.user);
  exchange.observer?.impersonated(exchange.user);
  return undefined;
}

function attributesOf(impersonation: Impersonation, user: UserInfo, authentication: string): AuthorizationAttributes {
  const { kind, name } = impersonation;
  const common = { user, verb: 'impersonate', resourceRequest: true, subresource: '', namespace: '', name, path: '' };
  const core = { ...common, group: '', version: '' };
  const own = { ...common, group: authentication, version: 'v1' };
  switch (kind) {
    case 'User':
      return { ...core, resource: 'users' };
    case 'ServiceAccount':
      return { ...core, resource: 'serviceaccounts', namespace: impersonation.namespace };
    case 'Group':
      return { ...core, resource: 'groups' };
    case 'UserExtra':
      return { ...own, resource: 'userextras', subresource: impersonation.key };
    case 'UID':
      return { ...own, resource: 'uids' };
  }
}

function impersonatedUser(impersonations: readonly Impersonation[]): UserInfo {
  let username = '';
  let uid: string | undefined;
  let defaultGroups: readonly string[] = [];
  const groups: string[] = [];
  const extra = new Map<string, string[]>();
  for (const impersonation of impersonations) {
    const { name } = impersonation;
    switch (impersonation.kind) {
      case 'User':
        username = name;
        break;
      case 'ServiceAccount':
        username = serviceAccountUsername(impersonation.namespace, name);
        defaultGroups = serviceAccountGroups(impersonation.namespace);
        break;
      case 'Group':
        groups.push(name);
        break;
      case 'UserExtra': {
        const values = extra.get(impersonation.key);
        if (values) values.push(name);
        else extra.set(impersonation.key, [name]);
        break;
      }
      case 'UID':
        uid = name;
    }
  }
  return {
    username,
    groups: withSystemGroup(username, groups.length > 0 ? groups : defaultGroups),
    ...(uid === undefined ? {} : { uid }),
    ...(extra.size === 0 ? {} : { extra: Object.fromEntries(extra) }),
  };
}

/** Adds the group `system:authenticated`, or `system:unauthenticated` for the anonymous user. This group is not authorized separately. */
function withSystemGroup(username: string, groups: readonly string[]): readonly string[] {
  if (groups.includes(unauthenticatedGroup)) return groups;
  if (username === anonymousUser) return [...groups, unauthenticatedGroup];
  return groups.includes(authenticatedGroup) ? groups : [...groups, authenticatedGroup];
}

const USER = 'impersonate-user';
const GROUP = 'impersonate-group';
const UID = 'impersonate-uid';
const EXTRA = 'impersonate-extra-';

/** One attribute that a caller impersonates; each is authorized separately. */
type Impersonation =
  | { readonly kind: 'User' | 'Group' | 'UID'; readonly name: string }
  | { readonly kind: 'ServiceAccount'; readonly namespace: string; readonly name: string }
  | { readonly kind: 'UserExtra'; readonly key: string; readonly name: string };

/**
 * Returns the attributes that the headers impersonate, in the order of authorization (spec 11.21); [] if there are no such headers.
 * @throws Error if there are impersonation headers but none that names the user.
 */
export function readImpersonation(headers: RequestHeaders, dialect: Dialect): readonly Impersonation[] {
  const user = headers.get(USER) ?? '';
  const uid = headers.get(UID) ?? '';
  const about: Impersonation[] = [
    ...headers.all(GROUP).map((name) => ({ kind: 'Group', name }) as const),
    ...headers.names(EXTRA).flatMap((header) => {
      const key = extraKey(header.slice(EXTRA.length));
      return headers.all(header).map((name) => ({ kind: 'UserExtra', key, name }) as const);
    }),
    ...(uid === '' ? [] : [{ kind: 'UID', name: uid } as const]),
  ];
  if (user === '') {
    if (about.length === 0) return [];
    throw new Error(`requested [${about.map((each) => print(each, dialect)).join(' ')}] without impersonating a user`);
  }
  const account = parseServiceAccount(user);
  return [account ? { kind: 'ServiceAccount', ...account } : { kind: 'User', name: user }, ...about];
}

/** Prints an object reference as Go does: kind, namespace, name, uid, version, resource version and path. */
function print(impersonation: Impersonation, dialect: Dialect): string {
  const { kind, name } = impersonation;
  const version = kind === 'UID' || kind === 'UserExtra' ? `${groupOf(dialect, 'authentication')}/v1` : '';
  return `{${[kind, '', name, '', version, '', kind === 'UserExtra' ? impersonation.key : ''].join(' ')}}`;
}
