import type { AuthorizerFactory, Decision } from './authorizer.js';

const ALLOW: Decision = Object.freeze({ decision: 'Allow', reason: '', authorizer: 'always-allow' });

/** Allows everything that nobody before has denied: insecure (document 2, section 5.8). */
export function alwaysAllow(): AuthorizerFactory {
  return () => ({ name: 'always-allow', authorize: () => ALLOW });
}
