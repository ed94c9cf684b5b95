import { extraKey } from '../../authentication/extra-key.js';
import { parseServiceAccount } from '../../authentication/service-account-user.js';
import { type Dialect, groupOf } from '../../meta/dialect.js';
import type { RequestHeaders } from '../../meta/request-headers.js';

const PREFIX = 'impersonate-';
const USER = 'impersonate-user';
const GROUP = 'impersonate-group';
const UID = 'impersonate-uid';
const EXTRA = 'impersonate-extra-';

/** One attribute that a caller wants to act as; each is authorized separately. */
export type Impersonation =
  | { readonly kind: 'User' | 'Group' | 'UID'; readonly name: string }
  | { readonly kind: 'ServiceAccount'; readonly namespace: string; readonly name: string }
  | { readonly kind: 'UserExtra'; readonly key: string; readonly name: string };

/**
 * Returns what the headers ask for, in the order of authorization (spec 11.21); [] if they ask for no impersonation.
 * @throws Error if there are such headers but none that names the user; it is answered as text with status 500.
 */
export function readImpersonation(headers: RequestHeaders, dialect: Dialect): readonly Impersonation[] {
  const names = headers.names(PREFIX).filter((name) => name.startsWith(PREFIX));
  if (names.length === 0) return [];
  const user = headers.get(USER) ?? '';
  const uid = headers.get(UID) ?? '';
  const about: Impersonation[] = [
    ...headers.all(GROUP).map((name) => ({ kind: 'Group', name }) as const),
    ...names
      .filter((name) => name.startsWith(EXTRA))
      .flatMap((header) => {
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
