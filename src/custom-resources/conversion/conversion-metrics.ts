import { reading } from '../../meta/clock.js';
import type { Host } from '../../meta/host.js';
import { counter, DOUBLING_SECONDS, histogram } from '../../metrics/families.js';

const RESULT = ['result', 'failure_type'];
const requests = counter(
  'apiserver_conversion_webhook_request_total',
  'Counter for conversion webhook requests with success/failure and failure error type',
  RESULT,
);
const duration = histogram(
  'apiserver_conversion_webhook_duration_seconds',
  'Conversion webhook request latency',
  RESULT,
  [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 45, 60],
);
const ofDefinition = histogram(
  'apiserver_crd_conversion_webhook_duration_seconds',
  'CRD webhook conversion duration in seconds',
  ['crd_name', 'from_version', 'to_version', 'succeeded'],
  DOUBLING_SECONDS,
);

/** The kind of failure of a conversion request. */
export type ConversionFailure = 'call' | 'malformed_response' | 'partial_response' | 'invalid_converted_object';

/** Starts to measure one request to a conversion webhook. @returns a function to call at its end, with the failure if there is one. */
export function measureQuestion(
  { metrics, clock }: Pick<Host, 'metrics' | 'clock'>,
  definition: string,
  fromVersion: string,
  toVersion: string,
): (failure?: ConversionFailure) => void {
  const since = reading(clock);
  return (failure) => {
    const seconds = (reading(clock) - since) / 1000;
    const labels = failure === undefined ? ['success', ''] : ['failure', `conversion_webhook_${failure}_failure`];
    metrics.add(requests, labels);
    metrics.observe(duration, labels, seconds);
    metrics.observe(ofDefinition, [definition, fromVersion, toVersion, String(failure === undefined)], seconds);
  };
}
