import { quote } from '../values/quote.js';
import type { AuthorizationAttributes } from './authorizer.js';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Describes the forbidden action for messages, without escaping. */
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
 * Returns the message of a refusal (spec 8.7). For a resource it is the part after `… is forbidden: `, and for a path the whole message,
 * including `forbidden: `. Characters with a meaning in HTML are escaped, but not in the authorizer's reason.
 */
export function forbiddenMessage(attributes: AuthorizationAttributes, reason: string): string {
  const text = describe(attributes).replace(/[&<>]/g, (char) => ENTITIES[char] ?? char);
  return `${attributes.resourceRequest ? '' : 'forbidden: '}${text}${reason === '' ? '' : `: ${reason}`}`;
}
