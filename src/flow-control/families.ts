import type { MetricFamily, MetricStability } from '../metrics/metrics.js';

type Shape = Pick<MetricFamily, 'type' | 'labels' | 'stability' | 'buckets' | 'deprecatedIn'>;

const LEVEL = ['priority_level'] as const;
const FLOW = ['priority_level', 'flow_schema'] as const;
const SECONDS = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];

const gauge = (labels: readonly string[], stability: MetricStability = 'ALPHA'): Shape => ({
  type: 'gauge',
  labels,
  stability,
});
const family = (name: string, help: string, shape: Shape): MetricFamily => ({
  name: `apiserver_flowcontrol_${name}`,
  help,
  ...shape,
});
const subsystem = 'API Priority and Fairness subsystem';
const seatsOfFlow = `Concurrency (number of seats) occupied by the currently executing (initial stage for a WATCH, any stage otherwise) requests in the ${subsystem}`;
const nominalSeats = 'Nominal number of execution seats configured for each priority level';

export const rejectedRequests = family('rejected_requests_total', `Number of requests rejected by ${subsystem}`, {
  type: 'counter',
  labels: [...FLOW, 'reason'],
  stability: 'BETA',
});
export const dispatchedRequests = family('dispatched_requests_total', `Number of requests executed by ${subsystem}`, {
  type: 'counter',
  labels: FLOW,
  stability: 'BETA',
});
export const inqueueRequests = family(
  'current_inqueue_requests',
  `Number of requests currently pending in queues of the ${subsystem}`,
  gauge(FLOW, 'BETA'),
);
export const inqueueSeats = family(
  'current_inqueue_seats',
  `Number of seats currently pending in queues of the ${subsystem}`,
  gauge(FLOW),
);
export const executingRequests = family(
  'current_executing_requests',
  `Number of requests in initial (for a WATCH) or any (for a non-WATCH) execution stage in the ${subsystem}`,
  gauge(FLOW, 'BETA'),
);
export const executingSeats = family('current_executing_seats', seatsOfFlow, gauge(FLOW, 'BETA'));
export const concurrencyInUse = family('request_concurrency_in_use', seatsOfFlow, {
  ...gauge(FLOW),
  deprecatedIn: '1.31',
});
export const noAccommodation = family(
  'request_dispatch_no_accommodation_total',
  'Number of times a dispatch attempt resulted in a non accommodation due to lack of available seats',
  { type: 'counter', labels: FLOW, stability: 'ALPHA' },
);

export const nominalLimit = family('nominal_limit_seats', nominalSeats, gauge(LEVEL, 'BETA'));
export const concurrencyLimit = family('request_concurrency_limit', nominalSeats, {
  ...gauge(LEVEL),
  deprecatedIn: '1.30',
});
export const lowerLimit = family(
  'lower_limit_seats',
  'Configured lower bound on number of execution seats available to each priority level',
  gauge(LEVEL),
);
export const upperLimit = family(
  'upper_limit_seats',
  'Configured upper bound on number of execution seats available to each priority level',
  gauge(LEVEL),
);
export const currentLimit = family(
  'current_limit_seats',
  'current derived number of execution seats available to each priority level',
  gauge(LEVEL),
);
export const demandHighWatermark = family(
  'demand_seats_high_watermark',
  'High watermark, over last adjustment period, of demand_seats',
  gauge(LEVEL),
);
export const demandAverage = family(
  'demand_seats_average',
  'Time-weighted average, over last adjustment period, of demand_seats',
  gauge(LEVEL),
);
export const demandDeviation = family(
  'demand_seats_stdev',
  'Time-weighted standard deviation, over last adjustment period, of demand_seats',
  gauge(LEVEL),
);
export const demandSmoothed = family('demand_seats_smoothed', 'Smoothed seat demands', gauge(LEVEL));
export const targetSeats = family('target_seats', 'Seat allocation targets', gauge(LEVEL));
export const fairFraction = family(
  'seat_fair_frac',
  "Fair fraction of server's concurrency to allocate to each priority level that can use it",
  gauge([]),
);
export const currentR = family('current_r', 'R(time of last change)', gauge(LEVEL));
export const dispatchR = family('dispatch_r', 'R(time of last dispatch)', gauge(LEVEL));
export const latestS = family('latest_s', 'S(most recently dispatched request)', gauge(LEVEL));
export const nextS = family(
  'next_s_bounds',
  'min and max, over queues, of S(oldest waiting request in queue)',
  gauge([...LEVEL, 'bound']),
);
export const nextDiscountedS = family(
  'next_discounted_s_bounds',
  'min and max, over queues, of S(oldest waiting request in queue) - estimated work in progress',
  gauge([...LEVEL, 'bound']),
);

const histogram = (
  labels: readonly string[],
  buckets: readonly number[],
  stability: MetricStability = 'ALPHA',
): Shape => ({ type: 'histogram', labels, buckets, stability });

export const queueLength = family(
  'request_queue_length_after_enqueue',
  `Length of queue in the ${subsystem}, as seen by each request after it is enqueued`,
  histogram(FLOW, [0, 10, 25, 50, 100, 250, 500, 1000]),
);
export const waitDuration = family(
  'request_wait_duration_seconds',
  'Length of time a request spent waiting in its queue',
  histogram([...FLOW, 'execute'], SECONDS, 'BETA'),
);
export const executionDuration = family(
  'request_execution_seconds',
  `Duration of initial stage (for a WATCH) or any (for a non-WATCH) stage of request execution in the ${subsystem}`,
  histogram([...FLOW, 'type'], SECONDS),
);
export const watchCount = family(
  'watch_count_samples',
  'count of watchers for mutating requests in API Priority and Fairness',
  histogram(FLOW, [0, 1, 10, 100, 1000, 10_000]),
);
export const estimatedSeats = family(
  'work_estimated_seats',
  'Number of estimated seats (maximum of initial and final seats) associated with requests in API Priority and Fairness',
  histogram(FLOW, [1, 2, 4, 10]),
);
