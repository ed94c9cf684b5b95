import { readAuditPolicy } from '../audit/audit-policy.js';
import type { AuditOptions } from '../audit/audit-trail.js';
import type { Dialect } from '../meta/dialect.js';
import { refuseUnknownMembers } from '../values/did-you-mean.js';
import { messageOf } from '../values/message-of.js';

const MODES: readonly unknown[] = ['batch', 'blocking', 'blocking-strict'];

/** Returns what is wrong with the option `audit`; undefined if nothing is. */
export function checkAudit(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return 'must be an object with policy and sinks';
  refuseUnknownMembers('audit', value, ['policy', 'sinks']);
  const { policy, sinks } = value as { readonly policy?: unknown; readonly sinks?: unknown };
  if (typeof policy !== 'object' || policy === null) return 'policy must be an object: { rules: [...] }';
  if (!Array.isArray(sinks)) return 'sinks must be a list';
  for (const [i, sink] of sinks.entries()) {
    if (typeof sink === 'function') continue;
    const { write, mode = 'batch', batch = {}, truncate = {} } = Object(sink) as Record<string, unknown>;
    if (typeof write !== 'function') return `sinks[${i}] must be a function of events, or have write()`;
    if (!MODES.includes(mode)) return `sinks[${i}].mode must be 'batch', 'blocking' or 'blocking-strict'`;
    for (const [name, value] of [...Object.entries(Object(batch)), ...Object.entries(Object(truncate))])
      if (name !== 'throttle' && !(typeof value === 'number' && value >= (name === 'maxWait' ? 0 : 1)))
        return `sinks[${i}]: ${name} must be a positive number`;
    const { throttle } = Object(batch) as { readonly throttle?: unknown };
    const { qps, burst } = Object(throttle) as { readonly qps?: unknown; readonly burst?: unknown };
    if (throttle !== undefined && !(Number(qps) > 0 && Number(burst) >= 1))
      return `sinks[${i}]: throttle must have a qps and a burst above 0`;
  }
  return undefined;
}

/**
 * Checks the audit policy.
 * @throws TypeError for a policy that cannot be used.
 */
export function checkPolicy(audit: AuditOptions | undefined, dialect: Dialect): void {
  if (!audit) return;
  try {
    readAuditPolicy(audit.policy, dialect);
  } catch (error) {
    throw new TypeError(`ApiServer: option audit: policy: ${messageOf(error)}`, { cause: error });
  }
}
