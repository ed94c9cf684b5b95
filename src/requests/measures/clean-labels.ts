import { parseBoolean, type Query } from '../../meta/query.js';
import type { RequestHeaders } from '../../meta/request-headers.js';
import { PATCH_MEDIA_TYPES } from '../../patch/media-types.js';

// These functions follow upstream in reducing values that callers choose to a few labels.

const METHODS: ReadonlySet<string> = new Set([
  'APPLY',
  'CONNECT',
  'DELETE',
  'GET',
  'LIST',
  'PATCH',
  'POST',
  'PUT',
  'WATCH',
]);
const CONNECTS: ReadonlySet<string> = new Set(['log', 'exec', 'portforward', 'attach', 'proxy']);
const LEVELS: ReadonlySet<string> = new Set(['', 'Ignore', 'Warn', 'Strict']);
const KNOWN_USERS: ReadonlySet<string> = new Set([
  'admin',
  'client',
  'kube_proxy',
  'kubelet',
  'system:serviceaccount:kube-system:default',
]);

/** Returns the verb for metrics: a GET of several objects is LIST, or WATCH if the query has `watch`; an unknown method is `other`. */
export function cleanVerb(
  { method, headers }: { readonly method: string; readonly headers: RequestHeaders },
  query: Query,
  { scope, subresource, watches }: { readonly scope: string; readonly subresource: string; readonly watches: boolean },
): string {
  if (watches) return 'WATCH';
  if (CONNECTS.has(subresource)) return 'CONNECT';
  if (method === 'GET' && parseBoolean(query.first('watch')) === true) return 'WATCH';
  if (method === 'GET' || method === 'HEAD') return scope === 'resource' || scope === '' ? 'GET' : 'LIST';
  if (method === 'PATCH' && headers.get('content-type') === PATCH_MEDIA_TYPES.apply) return 'APPLY';
  return METHODS.has(method) ? method : 'other';
}

export function cleanDryRun(query: Query): string {
  if (!query.has('dryRun')) return '';
  return query.all('dryRun').every((value) => value === 'All') ? 'All' : 'invalid';
}

export function cleanFieldValidation(query: Query): string {
  if (!query.has('fieldValidation')) return '';
  const [level = '', ...more] = query.all('fieldValidation');
  return more.length === 0 && LEVELS.has(level) ? level : 'invalid';
}

export function cleanUsername(username: string): string {
  if (KNOWN_USERS.has(username)) return username;
  return username.includes('@') ? 'email_id' : 'other';
}
