import { reading } from '../../meta/clock.js';
import type { Host } from '../../meta/host.js';
import type { MetricFamily } from '../../metrics/metrics.js';
import type { Decision } from '../authorizer.js';

const family = { labels: ['name', 'result'], stability: 'ALPHA' } as const;
const evaluations: MetricFamily = {
  ...family,
  name: 'apiserver_authorization_webhook_evaluations_total',
  help: 'Round-trips to authorization webhooks.',
  type: 'counter',
};
const duration: MetricFamily = {
  ...family,
  name: 'apiserver_authorization_webhook_duration_seconds',
  help: 'Request latency in seconds.',
  type: 'histogram',
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
};
const failedOpen: MetricFamily = {
  ...family,
  name: 'apiserver_authorization_webhook_evaluations_fail_open_total',
  help: 'NoOpinion results due to webhook timeout or error.',
  type: 'counter',
};

/** Measures one question to a webhook. */
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
