import type { PolicyDecision } from '../../cel/rules.js';
import { counter, histogram } from '../../metrics/families.js';
import type { Metrics } from '../../metrics/metrics.js';

const LABELS = ['policy', 'policy_binding', 'error_type', 'enforcement_action'];
const checks = counter(
  'apiserver_validating_admission_policy_check_total',
  'Validation admission policy check total, labeled by policy and further identified by binding and enforcement action taken.',
  LABELS,
  { stability: 'BETA' },
);
const duration = histogram(
  'apiserver_validating_admission_policy_check_duration_seconds',
  'Validation admission latency for individual validation expressions in seconds, labeled by policy and further including binding and enforcement action taken.',
  LABELS,
  [0.0000005, 0.001, 0.01, 0.1, 1],
  { stability: 'BETA' },
);

/** Counts a decision once for each action that was taken. A decision that admits without an error is not counted. */
export function countCheck(
  metrics: Metrics,
  policy: string,
  binding: string,
  decision: PolicyDecision,
  validationActions: readonly string[],
): void {
  const actions = decision.action === 'deny' ? validationActions.map((each) => each.toLowerCase()) : ['allow'];
  if (decision.action === 'admit' && decision.evaluation !== 'error') return;
  for (const action of actions) {
    const labels = [policy, binding, errorType(decision), action];
    metrics.add(checks, labels);
    metrics.observe(duration, labels, (decision.elapsed ?? 0) / 1000);
  }
}

/** Returns the type of an error from its message, as upstream does. */
function errorType({ evaluation, message }: PolicyDecision): string {
  if (evaluation === 'admit') return 'no_error';
  if (message.startsWith('compilation')) return 'compile_error';
  return message.startsWith('validation failed due to running out of cost budget') ? 'out_of_budget' : 'invalid_error';
}
