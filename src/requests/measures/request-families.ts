import type { MetricFamily } from '../../metrics/metrics.js';

const ROUTE = ['verb', 'group', 'version', 'resource', 'subresource', 'scope', 'component'];
const DRY_ROUTE = ['verb', 'dry_run', ...ROUTE.slice(1)];
/** Seconds, as service levels are agreed on. */
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
export const fieldValidationDuration: MetricFamily = {
  name: 'field_validation_request_duration_seconds',
  help: 'Response latency distribution in seconds for each field validation value',
  type: 'histogram',
  labels: ['field_validation'],
  buckets: SLI_BUCKETS,
  stability: 'ALPHA',
};
export const responseSizes: MetricFamily = {
  name: 'apiserver_response_sizes',
  help: 'Response size distribution in bytes for each group, version, verb, resource, subresource, scope and component.',
  type: 'histogram',
  labels: ROUTE,
  buckets: [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9],
  stability: 'STABLE',
};
export const requestBodySize: MetricFamily = {
  name: 'apiserver_request_body_size_bytes',
  help: 'Apiserver request body size in bytes broken out by resource and verb.',
  type: 'histogram',
  labels: ['resource', 'verb'],
  buckets: Array.from({ length: HALF_A_KIBIBYTE_MILLION }, (_, i) => 50_000 + i * 100_000),
  stability: 'ALPHA',
};
export const requestedDeprecatedApis: MetricFamily = {
  name: 'apiserver_requested_deprecated_apis',
  help: 'Gauge of deprecated APIs that have been requested, broken out by API group, version, resource, subresource, and removed_release.',
  type: 'gauge',
  labels: ['group', 'version', 'resource', 'subresource', 'removed_release'],
  stability: 'STABLE',
};
export const longRunningRequests: MetricFamily = {
  name: 'apiserver_longrunning_requests',
  help: 'Gauge of all active long-running apiserver requests broken out by verb, group, version, resource, scope and component. Not all requests are tracked this way.',
  type: 'gauge',
  labels: ROUTE,
  stability: 'STABLE',
};
export const requestTerminations: MetricFamily = {
  name: 'apiserver_request_terminations_total',
  help: 'Number of requests which apiserver terminated in self-defense.',
  type: 'counter',
  labels: [...ROUTE, 'code'],
  stability: 'ALPHA',
};
export const selfRequests: MetricFamily = {
  name: 'apiserver_selfrequest_total',
  help: 'Counter of apiserver self-requests broken out for each verb, API resource and subresource.',
  type: 'counter',
  labels: ['verb', 'resource', 'subresource'],
  stability: 'ALPHA',
};
export const filterDuration: MetricFamily = {
  name: 'apiserver_request_filter_duration_seconds',
  help: 'Request filter latency distribution in seconds, for each filter type',
  type: 'histogram',
  labels: ['filter'],
  buckets: [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 5, 10, 15, 30],
  stability: 'ALPHA',
};
export const watchEvents: MetricFamily = {
  name: 'apiserver_watch_events_total',
  help: 'Number of events sent in watch clients',
  type: 'counter',
  labels: ['group', 'version', 'kind'],
  stability: 'ALPHA',
};
export const watchEventSizes: MetricFamily = {
  name: 'apiserver_watch_events_sizes',
  help: 'Watch event size distribution in bytes',
  type: 'histogram',
  labels: ['group', 'version', 'kind'],
  buckets: Array.from({ length: 8 }, (_, i) => 1024 * 2 ** i),
  stability: 'ALPHA',
};
export const currentInFlight: MetricFamily = {
  name: 'apiserver_current_inflight_requests',
  help: 'Maximal number of currently used inflight request limit of this apiserver per request kind in last second.',
  type: 'gauge',
  labels: ['request_kind'],
  stability: 'STABLE',
};
export const currentInQueue: MetricFamily = {
  name: 'apiserver_current_inqueue_requests',
  help: 'Maximal number of queued requests in this apiserver per request kind in last second.',
  type: 'gauge',
  labels: ['request_kind'],
  stability: 'ALPHA',
};
/** Doubles from a millisecond. */
const DOUBLING = Array.from({ length: 15 }, (_, i) => 0.001 * 2 ** i);
export const authenticatedUserRequests: MetricFamily = {
  name: 'authenticated_user_requests',
  help: 'Counter of authenticated requests broken out by username.',
  type: 'counter',
  labels: ['username'],
  stability: 'ALPHA',
};
export const authenticationAttempts: MetricFamily = {
  name: 'authentication_attempts',
  help: 'Counter of authenticated attempts.',
  type: 'counter',
  labels: ['result'],
  stability: 'ALPHA',
};
export const authenticationDuration: MetricFamily = {
  name: 'authentication_duration_seconds',
  help: 'Authentication duration in seconds broken out by result.',
  type: 'histogram',
  labels: ['result'],
  buckets: DOUBLING,
  stability: 'ALPHA',
};
export const authorizationAttempts: MetricFamily = {
  name: 'authorization_attempts_total',
  help: "Counter of authorization attempts broken down by result. It can be either 'allowed', 'denied', 'no-opinion' or 'error'.",
  type: 'counter',
  labels: ['result'],
  stability: 'ALPHA',
};
export const authorizationDecisions: MetricFamily = {
  name: 'apiserver_authorization_decisions_total',
  help: 'Total number of terminal decisions made by an authorizer split by authorizer type, name, and decision.',
  type: 'counter',
  labels: ['type', 'name', 'decision'],
  stability: 'ALPHA',
};
export const authorizationDuration: MetricFamily = {
  name: 'authorization_duration_seconds',
  help: 'Authorization duration in seconds broken out by result.',
  type: 'histogram',
  labels: ['result'],
  buckets: DOUBLING,
  stability: 'ALPHA',
};
