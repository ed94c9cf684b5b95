import type { UserInfo } from '../../meta/user-info.js';
import type { PolicyRule } from '../../resources/rbac/rbac-v1.types.js';
import { quote } from '../../values/quote.js';
import { CALLERS_LIMITS, uncovered } from './covers.js';
import { compactRules, describeRule, quoteList } from './describe-rules.js';
import { TooManyPermissions } from './owned-rules.js';
import type { ResolvedRules } from './rule-resolver.js';

/** The most characters of each list that a refusal shows. Real roles need far fewer. */
const MOST_SHOWN = 64 * 1024;

/** Returns why a user with these rules may not grant the wanted ones; undefined when the user holds them all. */
export function escalationProblem(
  user: UserInfo,
  held: Pick<ResolvedRules, 'rules' | 'errors'>,
  required: readonly PolicyRule[],
): string | undefined {
  try {
    const missing = uncovered(held.rules, required, CALLERS_LIMITS);
    if (missing.length === 0) return undefined;
    const lines = [...new Set(compactRules(missing).map(describeRule))].sort(byCodePoint);
    const unresolved = held.errors.map(({ message }) => message);
    return (
      `${nameOf(user)} is attempting to grant RBAC permissions not currently held:\n${shown(lines, '\n')}` +
      `${unresolved.length === 0 ? '' : `; resolution errors: [${shown(unresolved, ' ')}]`}`
    );
  } catch (error) {
    if (error instanceof TooManyPermissions)
      return `${nameOf(user)} is attempting to grant more than can be compared: ${error.message}`;
    throw error;
  }
}

const nameOf = ({ username, groups = [] }: UserInfo) =>
  `user ${quote(username)} (groups=${shown([quoteList(groups)], '')})`;

/** Joins the parts, and cuts the text with a note when it is too long to show. */
function shown(parts: readonly string[], separator: string): string {
  const text = parts.join(separator);
  return text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN)}... (and more)`;
}

const byCodePoint = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
