import type { MatchResult } from '../../cel/rules.js';
import { counter, histogram } from '../../metrics/families.js';
import type { Metrics } from '../../metrics/metrics.js';

const LABELS = ['name', 'kind', 'type', 'operation'];
const identified =
  'identified by name of resource containing the match condition and broken out for each kind containing matchConditions (webhook or policy), operation and admission type (validate or admit).';
const errors = counter(
  'apiserver_admission_match_condition_evaluation_errors_total',
  `Admission match condition evaluation errors count, ${identified}`,
  LABELS,
);
const exclusions = counter(
  'apiserver_admission_match_condition_exclusions_total',
  `Admission match condition evaluation exclusions count, ${identified}`,
  LABELS,
);
const duration = histogram(
  'apiserver_admission_match_condition_evaluation_seconds',
  'Admission match condition evaluation time in seconds, identified by name and broken out for each kind containing matchConditions (webhook or policy), operation and type (validate or admit).',
  LABELS,
  [0.005, 0.025, 0.1, 0.5, 1, 2.5],
);

/** The webhook or policy that has the match conditions, as the values of metric labels. */
export interface ConditionsOf {
  readonly name: string;
  readonly kind: 'webhook' | 'policy';
  readonly type: 'admit' | 'validating' | 'validate';
  readonly operation: string;
}

/** Counts the result of match conditions. @param elapsed milliseconds */
export function countMatch(
  metrics: Metrics,
  { name, kind, type, operation }: ConditionsOf,
  { errors: failures = 0, failed }: MatchResult,
  elapsed: number,
): void {
  const labels = [name, kind, type, operation];
  if (failures > 0) metrics.add(errors, labels, failures);
  if (failed !== undefined) metrics.add(exclusions, labels);
  metrics.observe(duration, labels, elapsed / 1000);
}
