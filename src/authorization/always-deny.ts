import type { AuthorizerFactory, Decision } from './authorizer.js';

// Not Deny: an authorizer after this one may still allow (spec 12.2).
const NO_OPINION: Decision = Object.freeze({
  decision: 'NoOpinion',
  reason: 'Everything is forbidden.',
  authorizer: 'always-deny',
});

/** Never allows anything; alone, that forbids everything. */
export function alwaysDeny(): AuthorizerFactory {
  return () => ({ name: 'always-deny', authorize: () => NO_OPINION });
}
