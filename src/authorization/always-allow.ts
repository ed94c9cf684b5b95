import type { AuthorizerFactory, Decision, UserRules } from './authorizer.js';

const ALLOW: Decision = Object.freeze({ decision: 'Allow', reason: '', authorizer: 'always-allow' });
const ALL: UserRules = Object.freeze({
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
  incomplete: false,
});

/** The name by which a server recognizes that its authorizers allow everything. */
export const ALWAYS_ALLOW = 'always-allow';

/** Allows every request that no earlier authorizer denied. It is insecure (spec 12.2). */
export function alwaysAllow(): AuthorizerFactory {
  return () => ({ name: ALWAYS_ALLOW, authorize: () => ALLOW, rulesFor: () => ALL });
}
