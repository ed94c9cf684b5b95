import { reading } from '../meta/clock.js';
import type { Host } from '../meta/host.js';
import type { LabelValues, MetricFamily } from '../metrics/metrics.js';
import type { Configuration } from './configuration.js';
import * as families from './families.js';
import { type FlowCounts, type RefusalReason, WORK_UNITS } from './flow-request.js';
import type { LevelUsage } from './level-usage.js';
import type { PriorityLevel } from './priority-level.js';

const wasDispatched = ({ dispatched }: FlowCounts) => dispatched > 0;
const wasQueued = (counts: FlowCounts) => counts.wasQueued;
const wasDelayed = ({ notAccommodated }: FlowCounts) => notAccommodated > 0;

/**
 * The metrics of flow schemas: the family, the value, and whether the flow schema has a series, as upstream creates it with the first event.
 */
const PER_FLOW: readonly (readonly [MetricFamily, (counts: FlowCounts) => number, (counts: FlowCounts) => boolean])[] =
  [
    [families.dispatchedRequests, (counts) => counts.dispatched, wasDispatched],
    [families.inqueueRequests, (counts) => counts.waiting, wasQueued],
    [families.inqueueSeats, (counts) => counts.seatsWaiting, wasQueued],
    [families.executingRequests, (counts) => counts.executing, wasDispatched],
    [families.executingSeats, (counts) => counts.seatsExecuting, wasDispatched],
    [families.concurrencyInUse, (counts) => counts.seatsExecuting, wasDispatched],
    [families.noAccommodation, (counts) => counts.notAccommodated, wasDelayed],
  ];

const PER_LEVEL: readonly (readonly [MetricFamily, (level: PriorityLevel) => number])[] = [
  [families.nominalLimit, (level) => level.nominal],
  [families.concurrencyLimit, (level) => level.nominal],
  [families.lowerLimit, (level) => level.lower],
  [families.upperLimit, (level) => level.upper],
  [families.currentLimit, (level) => level.current ?? 0],
  [families.demandHighWatermark, ({ queueSet }) => queueSet.demand.highWatermark],
  [families.demandAverage, ({ queueSet }) => queueSet.demand.average],
  [families.demandDeviation, ({ queueSet }) => queueSet.demand.deviation],
  [families.demandSmoothed, ({ queueSet }) => queueSet.demand.smoothed],
  [families.targetSeats, (level) => level.target],
  [families.currentR, ({ queueSet }) => queueSet.r / WORK_UNITS],
];

/** The gauges that exist only for levels that have dispatched a request from a queue. */
const PER_DISPATCH = [
  [families.dispatchR, 'r'],
  [families.latestS, 's'],
] as const;
const BOUNDS = [
  [families.nextS, 'next'],
  [families.nextDiscountedS, 'discounted'],
] as const;

/** Registers gauges that are computed only when metrics are read, so that requests do not pay for them. */
export function exposeMetrics({ metrics, clock }: Pick<Host, 'metrics' | 'clock'>, configuration: Configuration): void {
  const now = () => reading(clock);
  for (const [family, read, exists] of PER_FLOW)
    metrics.collect(family, () =>
      [...configuration.counts].filter(exists).map((counts) => [counts.labels, read(counts)] as const),
    );
  metrics.collect(families.rejectedRequests, () => [...configuration.counts].flatMap(refusals));
  for (const [family, read] of PER_LEVEL)
    metrics.collect(family, () => [...configuration.levels].map((level) => [[level.name], read(level)] as const));
  for (const [family, member] of PER_DISPATCH)
    metrics.collect(family, () =>
      [...configuration.levels].flatMap(({ name, queueSet: { lastDispatch } }) =>
        lastDispatch ? [[[name], lastDispatch[member] / WORK_UNITS] as const] : [],
      ),
    );
  for (const [family, member] of BOUNDS)
    metrics.collect(family, () =>
      [...configuration.levels].flatMap(({ name, queueSet: { lastDispatch } }) =>
        lastDispatch
          ? (['min', 'max'] as const).map(
              (bound, i) => [[name, bound], (lastDispatch[member][i] ?? 0) / WORK_UNITS] as const,
            )
          : [],
      ),
    );
  const usage = (family: MetricFamily, phase: readonly string[], what: Parameters<LevelUsage['read']>[0]) =>
    metrics.collect(family, () =>
      [...configuration.levels].flatMap(({ name, queueSet }) =>
        queueSet.usage ? [[[...phase, name], queueSet.usage.read(what, now())] as const] : [],
      ),
    );
  for (const phase of ['waiting', 'executing'] as const) usage(families.requestUtilization, [phase], phase);
  usage(families.seatUtilization, ['executing'], 'seats');
  usage(families.demandRatio, [], 'demand');
  metrics.collect(families.fairFraction, () => [[[], configuration.fairFraction]]);
}

function refusals({ labels, refused }: FlowCounts): (readonly [LabelValues, number])[] {
  return (Object.entries(refused) as [RefusalReason, number][]) // The keys are the refusal reasons, so the cast is safe.
    .filter(([, count]) => count > 0)
    .map(([reason, count]) => [[...labels, reason], count]);
}
