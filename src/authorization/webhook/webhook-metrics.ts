import { reading } from '../../meta/clock.js';
import type { Host } from '../../meta/host.js';
import { counter, histogram, USUAL_SECONDS } from '../../metrics/families.js';
import type { Decision } from '../authorizer.js';
import type { Matched } from './match-conditions.js';

const LABELS = ['name', 'result'];
const evaluations = counter(
  'apiserver_authorization_webhook_evaluations_total',
  'Round-trips to authorization webhooks.',
  LABELS,
);
const duration = histogram(
  'apiserver_authorization_webhook_duration_seconds',
  'Request latency in seconds.',
  LABELS,
  USUAL_SECONDS,
);
const failedOpen = counter(
  'apiserver_authorization_webhook_evaluations_fail_open_total',
  'NoOpinion results due to webhook timeout or error.',
  LABELS,
);
const CONDITIONS = ['type', 'name'];
const conditionErrors = counter(
  'apiserver_authorization_match_condition_evaluation_errors_total',
  'Total number of errors when an authorization webhook encounters a match condition error split by authorizer type and name.',
  CONDITIONS,
);
const conditionExclusions = counter(
  'apiserver_authorization_match_condition_exclusions_total',
  'Total number of exclusions when an authorization webhook is skipped because match conditions exclude it.',
  CONDITIONS,
);
const conditionDuration = histogram(
  'apiserver_authorization_match_condition_evaluation_seconds',
  'Authorization match condition evaluation time in seconds, split by authorizer type and name.',
  CONDITIONS,
  [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25],
);

/** Measures the evaluation of a webhook's match conditions. */
export function measuredConditions(
  { metrics, clock }: Pick<Host, 'metrics' | 'clock'>,
  name: string,
  match: () => Matched,
): Matched {
  const since = reading(clock);
  const matched = match();
  const labels = ['Webhook', name];
  if (matched.error !== undefined) metrics.add(conditionErrors, labels);
  else if (!matched.matches) metrics.add(conditionExclusions, labels);
  metrics.observe(conditionDuration, labels, (reading(clock) - since) / 1000);
  return matched;
}

/** Measures one call of a webhook. */
export async function measuredQuestion(
  { metrics, clock }: Pick<Host, 'metrics' | 'clock'>,
  name: string,
  ask: () => Promise<Decision>,
): Promise<Decision> {
  const since = reading(clock);
  const decision = await ask();
  const error = 'error' in decision ? decision.error : undefined;
  const labels = [name, error === undefined ? 'success' : resultOf(error)];
  metrics.add(evaluations, labels);
  metrics.observe(duration, labels, (reading(clock) - since) / 1000);
  if (error && decision.decision === 'NoOpinion') metrics.add(failedOpen, labels);
  return decision;
}

const resultOf = ({ name, message }: Error): string =>
  name === 'TimeoutError' || /timeout|deadline/i.test(message) ? 'timeout' : 'error';
