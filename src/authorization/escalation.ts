import { quote } from '../meta/field-error.js';
import type { UserInfo } from '../meta/user-info.js';
import { TooManyPermissions, uncovered } from './covers.js';
import { compactRules, describeRule, quoteList } from './describe-rules.js';
import type { PolicyRule } from './policy-rule.js';
import type { ResolvedRules } from './rule-resolver.js';

/**
 * Why a user with these rules may not hand out the wanted ones; undefined when he holds them all (gap file auth, 5.9.4).
 */
export function escalationProblem(
  user: UserInfo,
  held: ResolvedRules,
  wanted: readonly PolicyRule[],
): string | undefined {
  const who = `user ${quote(user.username)} (groups=${quoteList(user.groups ?? [])})`;
  try {
    const missing = uncovered(held.rules, wanted);
    if (missing.length === 0) return undefined;
    const lines = [...new Set(compactRules(missing).map(describeRule))].sort(byCodePoint);
    const unresolved = held.errors.map(({ message }) => message).join(' ');
    return (
      `${who} is attempting to grant RBAC permissions not currently held:\n${lines.join('\n')}` +
      `${held.errors.length === 0 ? '' : `; resolution errors: [${unresolved}]`}`
    );
  } catch (error) {
    if (error instanceof TooManyPermissions)
      return `${who} is attempting to grant more than can be compared: ${error.message}`;
    throw error;
  }
}

const byCodePoint = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
