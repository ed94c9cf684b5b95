import { quote } from '../values/quote.js';
import type { AuthorizationAttributes } from './authorizer.js';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Describes the forbidden action for messages, without escaping characters of HTML. */
function describe({
  user,
  verb,
  resourceRequest,
  group,
  resource,
  subresource,
  namespace,
  path,
}: AuthorizationAttributes): string {
  const who = `User ${quote(user.username)} cannot ${verb}`;
  if (!resourceRequest) return `${who} path ${quote(path)}`;
  const what = quote(subresource === '' ? resource : `${resource}/${subresource}`);
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${quote(namespace)}`;
  return `${who} resource ${what} in API group ${quote(group)} ${where}`;
}

/**
 * Returns the message of a refusal (spec 8.7). For a resource it is only the part that follows `… is forbidden: ` in the response. For a
 * path it is the whole message, which begins with `forbidden: `. Characters with a meaning in HTML are escaped, except in the authorizer's
 * reason.
 */
export function forbiddenMessage(attributes: AuthorizationAttributes, reason: string): string {
  const text = describe(attributes).replace(/[&<>]/g, (char) => ENTITIES[char] ?? char);
  return `${attributes.resourceRequest ? '' : 'forbidden: '}${text}${reason === '' ? '' : `: ${reason}`}`;
}
