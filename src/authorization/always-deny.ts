import type { AuthorizerFactory, Decision } from './authorizer.js';

// The decision is not Deny, because a later authorizer may still allow the request (spec 12.2).
const NO_OPINION: Decision = Object.freeze({
  decision: 'NoOpinion',
  reason: 'Everything is forbidden.',
  authorizer: 'always-deny',
});

/** Returns an authorizer that never allows a request. As the only authorizer it forbids everything. */
export function alwaysDeny(): AuthorizerFactory {
  return () => ({ name: 'always-deny', authorize: () => NO_OPINION });
}
