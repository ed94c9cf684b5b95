import { aggregateErrors } from '../../meta/aggregate-error.js';
import { type Flow, run, settled } from '../../meta/flow.js';
import { frozenUser } from '../authenticated-group.js';
import {
  type AuditNotes,
  type AuthenticationResult,
  type Authenticator,
  joinNotes,
  rejected,
  skipped,
  withNotes,
} from '../authenticator.js';

/** An authenticator that can also authenticate a bearer token alone, without the rest of the request. */
export interface TokenAuthenticator extends Authenticator {
  /**
   * Authenticates a token. `audiences` has the same meaning as in {@link Credentials}; `serverAudiences` are the server's own audiences, if
   * it has any.
   */
  authenticateToken(
    token: string,
    audiences: readonly string[] | undefined,
    serverAudiences?: readonly string[],
  ): AuthenticationResult | Promise<AuthenticationResult>;
}

/** Returns whether an authenticator can authenticate a token without the rest of a request. */
export function isTokenAuthenticator(authenticator: Authenticator): authenticator is TokenAuthenticator {
  return 'authenticateToken' in authenticator && typeof authenticator.authenticateToken === 'function';
}

/** The maximum length of a token in characters. A longer token is rejected unread. */
export const longestToken = 64 * 1024;

const EXTRA_SPACE = 'the provided Authorization header contains extra space before the bearer token, and is ignored';

/**
 * Returns the token in an Authorization header; '' when there is none. The header has `Bearer` in upper or lower case, one space and the
 * token; text after a further space is ignored (spec 11.8).
 */
export function readBearerToken(authorization: string | undefined): string {
  const value = authorization?.trim();
  // Almost every client sends exactly `Bearer `, so the comparison in lower case is rarely needed.
  if (!value?.startsWith('Bearer ') && value?.slice(0, 7).toLowerCase() !== 'bearer ') return '';
  const end = value.indexOf(' ', 7);
  return end < 0 ? value.slice(7) : value.slice(7, end);
}

/**
 * Returns the result for a request without a usable token. If the reason is that two spaces precede the token, the result has a warning.
 */
function withoutToken(authorization: string | undefined): AuthenticationResult {
  const lost = authorization?.trim().slice(0, 8).toLowerCase() === 'bearer  ';
  return lost ? { outcome: 'skipped', warnings: [EXTRA_SPACE] } : skipped;
}

/** Creates an authenticator that reads only the bearer token of a request. */
export function tokenAuthenticator(
  name: string,
  authenticateToken: TokenAuthenticator['authenticateToken'],
): TokenAuthenticator {
  return {
    name,
    authenticateToken,
    authenticate({ headers, audiences }) {
      const authorization = headers.get('authorization');
      const token = readBearerToken(authorization);
      return token === '' ? withoutToken(authorization) : authenticateToken(token, audiences);
    },
  };
}

/**
 * Calls the members for a token one after another; the first member that accepts the token decides. A token that every member skips is
 * rejected and does not count as absent (spec 11.8).
 * @param serverAudiences the audiences of a token that names no audiences. They are also required of every token, unless the caller
 * requests other audiences.
 */
export function bearerTokens(
  name: string,
  members: readonly TokenAuthenticator[],
  serverAudiences?: readonly string[],
): TokenAuthenticator {
  return tokenAuthenticator(name, (token, audiences = serverAudiences) =>
    token.length > longestToken ? UNKNOWN : run(authenticateInOrder(members, token, audiences, serverAudiences)),
  );
}

/** The error for an unknown token. All requests share one error object, so that clients that guess tokens cost little. */
const INVALID = Object.freeze(new Error('invalid bearer token'));
const UNKNOWN = Object.freeze(rejected(INVALID));

function* authenticateInOrder(
  members: readonly TokenAuthenticator[],
  token: string,
  audiences: readonly string[] | undefined,
  serverAudiences: readonly string[] | undefined,
): Flow<AuthenticationResult> {
  const errors: Error[] = [];
  let notes: AuditNotes | undefined;
  for (const member of members) {
    try {
      const answer = yield* settled(member.authenticateToken(token, audiences, serverAudiences));
      const namesNone = answer.outcome === 'authenticated' && !answer.audiences;
      const result = namesNone ? forAudiences(answer, audiences, serverAudiences) : answer;
      if (result.outcome === 'authenticated') {
        const accepted = Object.isFrozen(result.user) ? result : { ...result, user: frozenUser(result.user) };
        return notes ? withNotes(accepted, notes) : accepted;
      }
      if (result.outcome !== 'rejected') continue;
      errors.push(result.error);
      notes = joinNotes(notes, result.annotations);
    } catch (error) {
      errors.push(error instanceof Error ? error : new Error(String(error)));
    }
  }
  return errors.length === 0 && !notes ? UNKNOWN : rejected(aggregateErrors([INVALID, ...errors]), notes);
}

/** Returns the audiences of `requested` that are also in `tokenAudiences`, in the order of `requested` (spec 11.4). */
export function commonAudiences(tokenAudiences: readonly string[], requested: readonly string[]): readonly string[] {
  return requested.filter((audience) => tokenAudiences.includes(audience));
}

/**
 * Wraps an authenticator whose tokens name no audience. They are valid only for the server's own audiences. If none of these is requested,
 * tokens are skipped without being verified.
 */
export function forOwnAudiences<R>(
  authenticate: (token: string) => R,
): (token: string, requested?: readonly string[], own?: readonly string[]) => R | AuthenticationResult {
  return (token, requested, own) =>
    requested && own && commonAudiences(own, requested).length === 0 ? skipped : authenticate(token);
}

/**
 * Restricts the result for a token that names no audience to the requested audiences. The token is valid only for the server's own
 * audiences; if none of these is requested, the result is `skipped`.
 */
function forAudiences(
  result: Extract<AuthenticationResult, { readonly outcome: 'authenticated' }>,
  requested: readonly string[] | undefined,
  own: readonly string[] | undefined,
): AuthenticationResult {
  if (!requested || !own || requested === own) return result;
  const audiences = commonAudiences(own, requested);
  return audiences.length === 0 ? skipped : { ...result, audiences };
}
