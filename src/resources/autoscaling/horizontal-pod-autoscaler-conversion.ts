import type { Dialect } from '../../meta/dialect.js';
import type { Draft } from '../../registry/strategy.js';
import { present } from '../../values/present.js';
import type { HorizontalPodAutoscaler as HorizontalPodAutoscalerV1 } from './autoscaling-v1.types.js';
import type { HorizontalPodAutoscaler, MetricSpec, MetricStatus } from './autoscaling-v2.types.js';
import { processorMetric, setHorizontalPodAutoscalerDefaults } from './horizontal-pod-autoscaler-defaults.js';
import { fromOldSpec, fromOldStatus, toOldSpec, toOldStatus } from './metric-forms.js';
import { readOldMetrics, withoutOldMetrics, writeOldMetrics } from './old-metrics.js';

type SpecV1 = HorizontalPodAutoscalerV1['spec'];
type StatusV1 = HorizontalPodAutoscalerV1['status'];
type Status = HorizontalPodAutoscaler['status'];

const API_VERSION = { v1: 'autoscaling/v1', v2: 'autoscaling/v2' };

/** The fields that a manager owns may include neither spec nor status. */
const NOTHING = Object.freeze({});

/** Converts an object to autoscaling/v2. Fields that v1 does not have are read from annotations. */
export function fromV1(object: HorizontalPodAutoscalerV1, dialect: Dialect): HorizontalPodAutoscaler {
  const { kind, metadata, spec = NOTHING as SpecV1, status = NOTHING as StatusV1 } = object;
  const { annotations, ...others } = metadata;
  const old = readOldMetrics(annotations, dialect);
  const { targetCPUUtilizationPercentage: target, ...bounds } = spec;
  const metrics = [...(old.metrics ?? []).map(fromOldSpec), ...(target === undefined ? [] : [processorMetric(target)])];
  const draft = {
    kind,
    apiVersion: API_VERSION.v2,
    metadata: annotations === undefined ? others : { ...others, annotations },
    spec: { ...bounds, metrics, ...(old.behavior ? { behavior: old.behavior } : {}) },
    status: statusFromV1(status, old),
  } as Draft<HorizontalPodAutoscaler>; // of new objects, except for parts that defaulting does not change
  if (spec !== NOTHING) setHorizontalPodAutoscalerDefaults(draft, dialect);
  return draft as HorizontalPodAutoscaler; // not edited from here on
}

function statusFromV1(status: StatusV1, old: ReturnType<typeof readOldMetrics>): Status {
  const { currentCPUUtilizationPercentage: processor, ...counts } = status;
  const observed: readonly MetricStatus[] =
    processor === undefined
      ? []
      : [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: processor } } }];
  // The annotation contains more than the field, so it takes precedence.
  const currentMetrics = old['current-metrics']?.map(fromOldStatus) ?? observed;
  return present<Status>({
    observedGeneration: counts.observedGeneration,
    lastScaleTime: counts.lastScaleTime ?? undefined,
    currentReplicas: counts.currentReplicas === 0 ? undefined : counts.currentReplicas,
    desiredReplicas: counts.desiredReplicas,
    currentMetrics: currentMetrics.length === 0 ? null : currentMetrics,
    conditions: old.conditions,
  });
}

const isProcessor = ({ type, resource }: MetricSpec | MetricStatus): boolean =>
  type === 'Resource' && resource?.name === 'cpu';

/** Converts an object to autoscaling/v1. */
export function toV1(object: HorizontalPodAutoscaler, dialect: Dialect): HorizontalPodAutoscalerV1 {
  const { kind, metadata, spec = NOTHING as HorizontalPodAutoscaler['spec'], status = NOTHING as Status } = object;
  const { annotations: oldAnnotations, ...others } = metadata;
  const { metrics = [], behavior, ...bounds } = spec;
  const isTarget = (metric: MetricSpec) =>
    isProcessor(metric) && metric.resource?.target.averageUtilization !== undefined;
  const metricAnnotations = writeOldMetrics(
    present<Parameters<typeof writeOldMetrics>[0]>({
      metrics: metrics.filter((metric) => !isTarget(metric)).map(toOldSpec),
      'current-metrics': status.currentMetrics?.map(toOldStatus),
      conditions: status.conditions,
      behavior,
    }),
    dialect,
  );
  const annotations = { ...withoutOldMetrics(oldAnnotations, dialect), ...metricAnnotations };
  return {
    kind,
    apiVersion: API_VERSION.v1,
    metadata: Object.keys(annotations).length === 0 ? others : { ...others, annotations },
    spec: present<SpecV1>({
      scaleTargetRef: bounds.scaleTargetRef,
      minReplicas: bounds.minReplicas,
      maxReplicas: bounds.maxReplicas,
      targetCPUUtilizationPercentage: metrics.find(isProcessor)?.resource?.target.averageUtilization,
    }),
    status: statusToV1(status),
  } as HorizontalPodAutoscalerV1; // the schema ensures the same
}

function statusToV1({ currentMetrics, ...counts }: Status): StatusV1 {
  const observed = (currentMetrics ?? [])
    .filter(isProcessor)
    .flatMap(({ resource }) => resource?.current.averageUtilization ?? [])
    .at(-1);
  return present<StatusV1>({
    observedGeneration: counts.observedGeneration,
    lastScaleTime: counts.lastScaleTime ?? undefined,
    currentReplicas: counts.currentReplicas ?? 0,
    desiredReplicas: counts.desiredReplicas,
    currentCPUUtilizationPercentage: observed,
  });
}
