import { counter, gauge, histogram } from '../metrics/families.js';

const LEVEL = ['priority_level'] as const;
const FLOW = ['priority_level', 'flow_schema'] as const;
const SECONDS = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];

const subsystem = 'API Priority and Fairness subsystem';
const seatsOfFlow = `Concurrency (number of seats) occupied by the currently executing (initial stage for a WATCH, any stage otherwise) requests in the ${subsystem}`;
const nominalSeats = 'Nominal number of execution seats configured for each priority level';

export const rejectedRequests = counter(
  'apiserver_flowcontrol_rejected_requests_total',
  `Number of requests rejected by ${subsystem}`,
  [...FLOW, 'reason'],
  { stability: 'BETA' },
);
export const dispatchedRequests = counter(
  'apiserver_flowcontrol_dispatched_requests_total',
  `Number of requests executed by ${subsystem}`,
  FLOW,
  { stability: 'BETA' },
);
export const inqueueRequests = gauge(
  'apiserver_flowcontrol_current_inqueue_requests',
  `Number of requests currently pending in queues of the ${subsystem}`,
  FLOW,
  { stability: 'BETA' },
);
export const inqueueSeats = gauge(
  'apiserver_flowcontrol_current_inqueue_seats',
  `Number of seats currently pending in queues of the ${subsystem}`,
  FLOW,
);
export const executingRequests = gauge(
  'apiserver_flowcontrol_current_executing_requests',
  `Number of requests in initial (for a WATCH) or any (for a non-WATCH) execution stage in the ${subsystem}`,
  FLOW,
  { stability: 'BETA' },
);
export const executingSeats = gauge('apiserver_flowcontrol_current_executing_seats', seatsOfFlow, FLOW, {
  stability: 'BETA',
});
export const concurrencyInUse = gauge('apiserver_flowcontrol_request_concurrency_in_use', seatsOfFlow, FLOW, {
  deprecatedIn: '1.31',
});
export const noAccommodation = counter(
  'apiserver_flowcontrol_request_dispatch_no_accommodation_total',
  'Number of times a dispatch attempt resulted in a non accommodation due to lack of available seats',
  FLOW,
);

export const nominalLimit = gauge('apiserver_flowcontrol_nominal_limit_seats', nominalSeats, LEVEL, {
  stability: 'BETA',
});
export const concurrencyLimit = gauge('apiserver_flowcontrol_request_concurrency_limit', nominalSeats, LEVEL, {
  deprecatedIn: '1.30',
});
export const lowerLimit = gauge(
  'apiserver_flowcontrol_lower_limit_seats',
  'Configured lower bound on number of execution seats available to each priority level',
  LEVEL,
);
export const upperLimit = gauge(
  'apiserver_flowcontrol_upper_limit_seats',
  'Configured upper bound on number of execution seats available to each priority level',
  LEVEL,
);
export const currentLimit = gauge(
  'apiserver_flowcontrol_current_limit_seats',
  'current derived number of execution seats available to each priority level',
  LEVEL,
);
export const demandHighWatermark = gauge(
  'apiserver_flowcontrol_demand_seats_high_watermark',
  'High watermark, over last adjustment period, of demand_seats',
  LEVEL,
);
export const demandAverage = gauge(
  'apiserver_flowcontrol_demand_seats_average',
  'Time-weighted average, over last adjustment period, of demand_seats',
  LEVEL,
);
export const demandDeviation = gauge(
  'apiserver_flowcontrol_demand_seats_stdev',
  'Time-weighted standard deviation, over last adjustment period, of demand_seats',
  LEVEL,
);
export const demandSmoothed = gauge('apiserver_flowcontrol_demand_seats_smoothed', 'Smoothed seat demands', LEVEL);
export const targetSeats = gauge('apiserver_flowcontrol_target_seats', 'Seat allocation targets', LEVEL);
export const fairFraction = gauge(
  'apiserver_flowcontrol_seat_fair_frac',
  "Fair fraction of server's concurrency to allocate to each priority level that can use it",
  [],
);
export const currentR = gauge('apiserver_flowcontrol_current_r', 'R(time of last change)', LEVEL);
export const dispatchR = gauge('apiserver_flowcontrol_dispatch_r', 'R(time of last dispatch)', LEVEL);
export const latestS = gauge('apiserver_flowcontrol_latest_s', 'S(most recently dispatched request)', LEVEL);
export const nextS = gauge(
  'apiserver_flowcontrol_next_s_bounds',
  'min and max, over queues, of S(oldest waiting request in queue)',
  [...LEVEL, 'bound'],
);
export const nextDiscountedS = gauge(
  'apiserver_flowcontrol_next_discounted_s_bounds',
  'min and max, over queues, of S(oldest waiting request in queue) - estimated work in progress',
  [...LEVEL, 'bound'],
);

export const queueLength = histogram(
  'apiserver_flowcontrol_request_queue_length_after_enqueue',
  `Length of queue in the ${subsystem}, as seen by each request after it is enqueued`,
  FLOW,
  [0, 10, 25, 50, 100, 250, 500, 1000],
);
export const waitDuration = histogram(
  'apiserver_flowcontrol_request_wait_duration_seconds',
  'Length of time a request spent waiting in its queue',
  [...FLOW, 'execute'],
  SECONDS,
  { stability: 'BETA' },
);
export const executionDuration = histogram(
  'apiserver_flowcontrol_request_execution_seconds',
  `Duration of initial stage (for a WATCH) or any (for a non-WATCH) stage of request execution in the ${subsystem}`,
  [...FLOW, 'type'],
  SECONDS,
);
export const watchCount = histogram(
  'apiserver_flowcontrol_watch_count_samples',
  'count of watchers for mutating requests in API Priority and Fairness',
  FLOW,
  [0, 1, 10, 100, 1000, 10_000],
);
export const estimatedSeats = histogram(
  'apiserver_flowcontrol_work_estimated_seats',
  'Number of estimated seats (maximum of initial and final seats) associated with requests in API Priority and Fairness',
  FLOW,
  [1, 2, 4, 10],
);

/** The upper bounds of buckets for the ratio of a number of requests to its limit. */
export const REQUEST_RATIOS = [0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.25, 0.5, 0.75, 1];
export const SEAT_RATIOS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1];
export const DEMAND_RATIOS = [0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.7, 2, 2.8, 4, 6];
const observed = 'Observations, at the end of every nanosecond, of';
const PHASE = ['phase', ...LEVEL];
export const requestUtilization = histogram(
  'apiserver_flowcontrol_priority_level_request_utilization',
  `${observed} number of requests (as a fraction of the relevant limit) waiting or in any stage of execution (but only initial stage for WATCHes)`,
  PHASE,
  REQUEST_RATIOS,
);
export const seatUtilization = histogram(
  'apiserver_flowcontrol_priority_level_seat_utilization',
  `${observed} utilization of seats for any stage of execution (but only initial stage for WATCHes)`,
  PHASE,
  SEAT_RATIOS,
);
export const demandRatio = histogram(
  'apiserver_flowcontrol_demand_seats',
  `${observed} (the number of seats each priority level could use) / (nominal number of seats for that level)`,
  LEVEL,
  DEMAND_RATIOS,
);
