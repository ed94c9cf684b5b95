import type { AdmissionAttributes, AdmissionHost } from '../../admission/admission-plugin.js';
import { type ApiError, isApiError } from '../../meta/api-error.js';
import { reading } from '../../meta/clock.js';
import { counter, histogram } from '../../metrics/families.js';

const duration = histogram(
  'apiserver_admission_webhook_admission_duration_seconds',
  'Admission webhook latency histogram in seconds, identified by name and broken out for each operation and API resource and type (validate or admit).',
  ['name', 'type', 'operation', 'rejected'],
  [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 25],
  { stability: 'STABLE' },
);
const requests = counter(
  'apiserver_admission_webhook_request_total',
  'Admission webhook request total, identified by name and broken out for each admission type (validating or mutating) and operation. Additional labels specify whether the request was rejected or not and an HTTP status code. Codes greater than 600 are truncated to 600, to keep the metrics cardinality bounded.',
  ['name', 'type', 'operation', 'code', 'rejected'],
);
const rejections = counter(
  'apiserver_admission_webhook_rejection_count',
  'Admission webhook rejection count, identified by name and broken out for each admission type (validating or admit) and operation. Additional labels specify an error type (calling_webhook_error or apiserver_internal_error if an error occurred; no_error otherwise) and optionally a non-zero rejection code if the webhook rejects the request with an HTTP status code (honored by the apiserver when the code is greater or equal to 400). Codes greater than 600 are truncated to 600, to keep the metrics cardinality bounded.',
  ['name', 'type', 'operation', 'error_type', 'rejection_code'],
);
const failedOpen = counter(
  'apiserver_admission_webhook_fail_open_count',
  'Admission webhook fail open count, identified by name and broken out for each admission type (validating or mutating).',
  ['name', 'type'],
);

const GREATEST_CODE = 600;

/** The error of a failed call: the webhook was not reached (400), or its answer is invalid (503). */
export class FailedCall extends Error {
  readonly code: number;

  constructor(message: string, code: 400 | 503) {
    super(message);
    this.name = 'FailedCall';
    this.code = code;
  }
}

/** The result of a call: an answer that allows, an ignored failure, or an error that refuses. */
export type Outcome = 'allowed' | { readonly ignored: FailedCall } | { readonly refused: unknown };

/** Starts to measure a call. @returns a function to call with its result. */
export function measureCall(
  { metrics, clock }: AdmissionHost,
  name: string,
  { operation }: AdmissionAttributes,
  mutating: boolean,
): (outcome: Outcome) => void {
  const type = mutating ? 'admit' : 'validating';
  const since = reading(clock);
  return (outcome) => {
    const rejected = outcome !== 'allowed' && 'refused' in outcome;
    let code = 200;
    if (outcome !== 'allowed' && 'ignored' in outcome) {
      code = outcome.ignored.code;
      metrics.add(failedOpen, [name, type]);
    }
    if (rejected) {
      const { refused } = outcome;
      code = Math.min(codeOf(refused), GREATEST_CODE);
      metrics.add(rejections, [name, type, operation, sortOf(refused), String(code)]);
    }
    metrics.observe(duration, [name, type, operation, String(rejected)], (reading(clock) - since) / 1000);
    metrics.add(requests, [name, type, operation, String(code), String(rejected)]);
  };
}

function codeOf(refused: unknown): number {
  if (refused instanceof FailedCall || isApiError(refused)) return (refused as FailedCall | ApiError).code;
  return 0;
}

function sortOf(refused: unknown): string {
  if (refused instanceof FailedCall) return 'calling_webhook_error';
  return isApiError(refused) ? 'no_error' : 'apiserver_internal_error';
}
