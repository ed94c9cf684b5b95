import { counter, DOUBLING_SECONDS, gauge, histogram } from '../../metrics/families.js';
import type { MetricFamily } from '../../metrics/metrics.js';

const ROUTE = ['verb', 'group', 'version', 'resource', 'subresource', 'scope', 'component'];
const DRY_ROUTE = ['verb', 'dry_run', ...ROUTE.slice(1)];
/** The histogram buckets of the service-level indicators: upper bounds in seconds. */
const SLI_BUCKETS = [0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60];
const HALF_A_KIBIBYTE_MILLION = 31;

export const requestTotal: MetricFamily = {
  name: 'apiserver_request_total',
  help: 'Counter of apiserver requests broken out for each verb, dry run value, group, version, resource, scope, component, and HTTP response code.',
  type: 'counter',
  labels: [...DRY_ROUTE, 'code'],
  stability: 'STABLE',
};
export const requestDuration: MetricFamily = {
  name: 'apiserver_request_duration_seconds',
  help: 'Response latency distribution in seconds for each verb, dry run value, group, version, resource, subresource, scope and component.',
  type: 'histogram',
  labels: DRY_ROUTE,
  buckets: [0.005, 0.025, ...SLI_BUCKETS],
  stability: 'STABLE',
};
const sli = {
  help: 'Response latency distribution (not counting webhook duration and priority & fairness queue wait times) in seconds for each verb, group, version, resource, subresource, scope and component.',
  type: 'histogram',
  labels: ROUTE,
  buckets: SLI_BUCKETS,
  stability: 'ALPHA',
} as const;
export const requestSliDuration: MetricFamily = { ...sli, name: 'apiserver_request_sli_duration_seconds' };
export const requestSloDuration: MetricFamily = {
  ...sli,
  name: 'apiserver_request_slo_duration_seconds',
  deprecatedIn: '1.27',
};
export const fieldValidationDuration = histogram(
  'field_validation_request_duration_seconds',
  'Response latency distribution in seconds for each field validation value',
  ['field_validation'],
  SLI_BUCKETS,
);
export const responseSizes = histogram(
  'apiserver_response_sizes',
  'Response size distribution in bytes for each group, version, verb, resource, subresource, scope and component.',
  ROUTE,
  [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9],
  { stability: 'STABLE' },
);
export const requestBodySize = histogram(
  'apiserver_request_body_size_bytes',
  'Apiserver request body size in bytes broken out by resource and verb.',
  ['resource', 'verb'],
  Array.from({ length: HALF_A_KIBIBYTE_MILLION }, (_, i) => 50_000 + i * 100_000),
);
export const requestedDeprecatedApis = gauge(
  'apiserver_requested_deprecated_apis',
  'Gauge of deprecated APIs that have been requested, broken out by API group, version, resource, subresource, and removed_release.',
  ['group', 'version', 'resource', 'subresource', 'removed_release'],
  { stability: 'STABLE' },
);
export const longRunningRequests = gauge(
  'apiserver_longrunning_requests',
  'Gauge of all active long-running apiserver requests broken out by verb, group, version, resource, scope and component. Not all requests are tracked this way.',
  ROUTE,
  { stability: 'STABLE' },
);
export const requestTerminations: MetricFamily = {
  name: 'apiserver_request_terminations_total',
  help: 'Number of requests which apiserver terminated in self-defense.',
  type: 'counter',
  labels: [...ROUTE, 'code'],
  stability: 'ALPHA',
};
export const selfRequests = counter(
  'apiserver_selfrequest_total',
  'Counter of apiserver self-requests broken out for each verb, API resource and subresource.',
  ['verb', 'resource', 'subresource'],
);
export const filterDuration = histogram(
  'apiserver_request_filter_duration_seconds',
  'Request filter latency distribution in seconds, for each filter type',
  ['filter'],
  [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 5, 10, 15, 30],
);
export const watchEvents = counter('apiserver_watch_events_total', 'Number of events sent in watch clients', [
  'group',
  'version',
  'kind',
]);
export const watchEventSizes = histogram(
  'apiserver_watch_events_sizes',
  'Watch event size distribution in bytes',
  ['group', 'version', 'kind'],
  Array.from({ length: 8 }, (_, i) => 1024 * 2 ** i),
);
export const currentInFlight = gauge(
  'apiserver_current_inflight_requests',
  'Maximal number of currently used inflight request limit of this apiserver per request kind in last second.',
  ['request_kind'],
  { stability: 'STABLE' },
);
export const currentInQueue = gauge(
  'apiserver_current_inqueue_requests',
  'Maximal number of queued requests in this apiserver per request kind in last second.',
  ['request_kind'],
);
export const authenticatedUserRequests = counter(
  'authenticated_user_requests',
  'Counter of authenticated requests broken out by username.',
  ['username'],
);
export const authenticationAttempts = counter('authentication_attempts', 'Counter of authenticated attempts.', [
  'result',
]);
export const authenticationDuration = histogram(
  'authentication_duration_seconds',
  'Authentication duration in seconds broken out by result.',
  ['result'],
  DOUBLING_SECONDS,
);
export const authorizationAttempts = counter(
  'authorization_attempts_total',
  "Counter of authorization attempts broken down by result. It can be either 'allowed', 'denied', 'no-opinion' or 'error'.",
  ['result'],
);
export const authorizationDecisions = counter(
  'apiserver_authorization_decisions_total',
  'Total number of terminal decisions made by an authorizer split by authorizer type, name, and decision.',
  ['type', 'name', 'decision'],
);
export const authorizationDuration = histogram(
  'authorization_duration_seconds',
  'Authorization duration in seconds broken out by result.',
  ['result'],
  DOUBLING_SECONDS,
);
/** The histogram buckets of ratios between a number of requests and its limit. */
export const CURRENT_RATIOS = [0, 0.001, 0.01, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1];
export const readVsWrite = histogram(
  'apiserver_flowcontrol_read_vs_write_current_requests',
  'Observations, at the end of every nanosecond, of the number of requests (as a fraction of the relevant limit) waiting or in regular stage of execution',
  ['phase', 'request_kind'],
  CURRENT_RATIOS,
);
export const requestAborts = counter(
  'apiserver_request_aborts_total',
  'Number of requests which apiserver aborted possibly due to a timeout, for each group, version, verb, resource, subresource and scope',
  ROUTE.slice(0, -1),
);
export const requestPostTimeout = counter(
  'apiserver_request_post_timeout_total',
  'Tracks the activity of the request handlers after the associated requests have been timed out by the apiserver',
  ['source', 'status'],
);
