import { aggregateErrors } from '../meta/aggregate-error.js';
import { type Flow, run, settled } from '../meta/flow.js';
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

/**
 * Calls the members one after another; the first that accepts the caller decides, even after others rejected. When none does, any rejection
 * rejects the request (spec 11.3). A member that throws counts as rejecting.
 */
export function unionAuthenticator(name: string, members: readonly Authenticator[]): Authenticator {
  return { name, authenticate: (credentials) => run(authenticateInOrder(members, credentials)) };
}

function* authenticateInOrder(members: readonly Authenticator[], credentials: Credentials): Flow<AuthenticationResult> {
  const errors: Error[] = [];
  const warnings: string[] = [];
  let notes: AuditNotes | undefined;
  for (const member of members) {
    const result = yield* ask(member, credentials);
    if (result.outcome === 'rejected') {
      errors.push(result.error);
      notes = joinNotes(notes, result.annotations);
    } else if (result.warnings) for (const warning of result.warnings) warnings.push(warning);
    if (result.outcome !== 'authenticated') continue;
    return withNotes(warnings.length > (result.warnings?.length ?? 0) ? { ...result, warnings } : result, notes);
  }
  const error = aggregateErrors(errors);
  if (error) return rejected(error, notes);
  return warnings.length > 0 ? { outcome: 'skipped', warnings } : skipped;
}

function* ask(member: Authenticator, credentials: Credentials): Flow<AuthenticationResult> {
  try {
    return yield* settled(member.authenticate(credentials));
  } catch (error) {
    return rejected(error);
  }
}
