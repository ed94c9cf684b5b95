import { aggregateErrors } from '../meta/aggregate-error.js';
import { type Flow, run, settled } from '../meta/flow.js';
import type { Host } from '../meta/host.js';
import { requireUniqueNames } from '../meta/plugin-list.js';
import { addAuthenticatedGroup, frozenUser } from './authenticated-group.js';
import {
  type AuditNotes,
  type AuthenticationResult,
  type Authenticator,
  type Credentials,
  joinNotes,
  rejected,
  skipped,
  withNotes,
} from './authenticator.js';
import { bearerTokens, isTokenAuthenticator, type TokenAuthenticator } from './tokens/bearer-token.js';
import { cachedTokens } from './tokens/token-cache.js';
import { webSocketToken } from './tokens/websocket-token.js';

/**
 * Combines the authenticators of a server into one, which calls them in this order (spec 11.2, 11.3):
 * - authenticators for credentials other than tokens, in the given order;
 * - token authenticators, for bearer tokens from the header and from WebSocket handshakes, with one cache for both;
 * - fallbacks, if all authenticators before them have skipped the request.
 * Users are added to the group `system:authenticated`. `skipped` and `rejected` both lead to 401. `authenticateToken` calls only the token
 * authenticators, so a token never makes its caller anonymous.
 * @param apiAudiences the server's own audiences: tokens must have one of them. Default: not checked.
 * @throws TypeError when a name is used twice.
 */
export function requestAuthenticator(
  authenticators: readonly Authenticator[],
  host: Pick<Host, 'clock' | 'dialect' | 'lister' | 'metrics'>,
  apiAudiences?: readonly string[],
): TokenAuthenticator {
  requireUniqueNames('authenticators', authenticators);
  const others: Authenticator[] = [];
  const tokens: TokenAuthenticator[] = [];
  const fallbacks: Authenticator[] = [];
  for (const authenticator of authenticators) {
    if (authenticator.fallback) fallbacks.push(authenticator);
    else if (isTokenAuthenticator(authenticator)) tokens.push(authenticator);
    else others.push(authenticator);
  }
  const cached = cachedTokens(bearerTokens('bearer-token', tokens, apiAudiences), host);
  const known = [...others, cached, webSocketToken(cached, host.dialect.groupSuffix)];

  // If an authenticator returns the same result object again, the caller also gets the same object again. Caches that are keyed by the user
  // object therefore stay valid between requests.
  const grouped = new WeakMap<AuthenticationResult, AuthenticationResult>();
  function withGroup(result: AuthenticationResult): AuthenticationResult {
    if (result.outcome !== 'authenticated') return result;
    const before = grouped.get(result);
    if (before) return before;
    const user = addAuthenticatedGroup(frozenUser(result.user));
    const answer = user === result.user ? result : Object.freeze({ ...result, user });
    if (Object.isFrozen(result.user)) grouped.set(result, answer);
    return answer;
  }

  function* authenticate(credentials: Credentials): Flow<AuthenticationResult> {
    const result = yield* authenticateInOrder(known, credentials);
    if (result.outcome !== 'skipped') return withGroup(result);
    const last = yield* authenticateInOrder(fallbacks, credentials);
    return last.outcome === 'rejected' || !result.warnings
      ? last
      : { ...last, warnings: [...result.warnings, ...(last.warnings ?? [])] };
  }
  function* authenticateToken(token: string, audiences: readonly string[] | undefined): Flow<AuthenticationResult> {
    return withGroup(yield* settled(cached.authenticateToken(token, audiences)));
  }
  return {
    name: 'request',
    authenticate: (credentials) => run(authenticate(credentials)),
    authenticateToken: (token, audiences) => run(authenticateToken(token, audiences)),
  };
}

/**
 * Calls the members one after another. The first member that accepts the caller decides, even if earlier members have rejected the caller.
 * If no member accepts the caller, one rejection is enough to reject the request (spec 11.3). A member that throws counts as rejecting.
 */
function* authenticateInOrder(members: readonly Authenticator[], credentials: Credentials): Flow<AuthenticationResult> {
  const errors: Error[] = [];
  const warnings: string[] = [];
  let notes: AuditNotes | undefined;
  for (const member of members) {
    let result: AuthenticationResult;
    try {
      result = yield* settled(member.authenticate(credentials));
    } catch (error) {
      result = rejected(error);
    }
    if (result.outcome === 'rejected') {
      errors.push(result.error);
      notes = joinNotes(notes, result.annotations);
    } else if (result.warnings) for (const warning of result.warnings) warnings.push(warning);
    if (result.outcome !== 'authenticated') continue;
    const accepted = warnings.length > (result.warnings?.length ?? 0) ? { ...result, warnings } : result;
    return notes ? withNotes(accepted, notes) : accepted;
  }
  const error = aggregateErrors(errors);
  if (error) return rejected(error, notes);
  return warnings.length > 0 ? { outcome: 'skipped', warnings } : skipped;
}
