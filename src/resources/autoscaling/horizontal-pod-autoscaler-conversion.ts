import type { Dialect } from '../../meta/dialect.js';
import type { Draft } from '../../registry/strategy.js';
import { present } from '../../values/present.js';
import type { HorizontalPodAutoscaler as HorizontalPodAutoscalerV1 } from './autoscaling-v1.types.js';
import type { HorizontalPodAutoscaler, MetricSpec, MetricStatus, MetricTarget } from './autoscaling-v2.types.js';
import { processorMetric, setHorizontalPodAutoscalerDefaults } from './horizontal-pod-autoscaler.js';
import { readOldMetrics, withoutOldMetrics, writeOldMetrics } from './old-metrics.js';
import type { OldMetricSpec, OldMetricStatus } from './old-metrics-schema.js';

type SpecV1 = HorizontalPodAutoscalerV1['spec'];
type StatusV1 = HorizontalPodAutoscalerV1['status'];
type Status = HorizontalPodAutoscaler['status'];

const API_VERSION = { v1: 'autoscaling/v1', v2: 'autoscaling/v2' };

/** Replaces an absent spec or status. Both may be absent because the field sets in managedFields are converted like objects. */
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
    // The cast is safe, because defaulting edits only objects that this conversion has just created.
  } as Draft<HorizontalPodAutoscaler>;
  if (spec !== NOTHING) setHorizontalPodAutoscalerDefaults(draft, dialect);
  return draft as HorizontalPodAutoscaler; // The draft is not edited after this point, so the cast is safe.
}

function statusFromV1(status: StatusV1, old: ReturnType<typeof readOldMetrics>): Status {
  const { currentCPUUtilizationPercentage: processor, ...counts } = status;
  const observed: readonly MetricStatus[] =
    processor === undefined
      ? []
      : [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: processor } } }];
  // The annotation contains the status of all metrics, but the field only the CPU utilization. Therefore the annotation takes precedence.
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
  } as HorizontalPodAutoscalerV1; // The v1 and v2 schemas require the same members here, so the cast is safe.
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

/* The rest of this file converts the metrics of autoscaling/v2 to the form in which autoscaling/v1 stores them in annotations, and back.
   In that form, an absent quantity is often 0. */

type Present<T, K extends keyof T> = NonNullable<T[K]>;

const NONE = '0';

/** Converts a metric to the form of the autoscaling/v1 annotations. */
function toOldSpec({ type, object, pods, resource, containerResource, external }: MetricSpec): OldMetricSpec {
  return present<OldMetricSpec>({
    type,
    object:
      object &&
      present<Present<OldMetricSpec, 'object'>>({
        target: object.describedObject,
        metricName: object.metric.name,
        targetValue: object.target.value ?? NONE,
        selector: object.metric.selector,
        averageValue: object.target.averageValue,
      }),
    pods:
      pods &&
      present<Present<OldMetricSpec, 'pods'>>({
        metricName: pods.metric.name,
        targetAverageValue: pods.target.averageValue ?? NONE,
        selector: pods.metric.selector,
      }),
    resource:
      resource &&
      present<Present<OldMetricSpec, 'resource'>>({
        name: resource.name,
        targetAverageUtilization: resource.target.averageUtilization,
        targetAverageValue: resource.target.averageValue,
      }),
    containerResource:
      containerResource &&
      present<Present<OldMetricSpec, 'containerResource'>>({
        name: containerResource.name,
        targetAverageUtilization: containerResource.target.averageUtilization,
        targetAverageValue: containerResource.target.averageValue,
        container: containerResource.container,
      }),
    external:
      external &&
      present<Present<OldMetricSpec, 'external'>>({
        metricName: external.metric.name,
        metricSelector: external.metric.selector,
        targetValue: external.target.value,
        targetAverageValue: external.target.averageValue,
      }),
  });
}

/**
 * Converts a metric from the form of the autoscaling/v1 annotations. In that form, a target has no type. The type follows from the quantity
 * that is present.
 */
function fromOldSpec({ type, object, pods, resource, containerResource, external }: OldMetricSpec): MetricSpec {
  return present<MetricSpec>({
    type,
    object: object && {
      describedObject: object.target,
      target:
        object.averageValue === undefined
          ? { type: 'Value', value: object.targetValue }
          : present<MetricTarget>({
              type: 'AverageValue',
              value: object.targetValue === NONE ? undefined : object.targetValue,
              averageValue: object.averageValue,
              averageUtilization: undefined,
            }),
      metric: metricIdentifier(object.metricName, object.selector),
    },
    pods: pods && {
      metric: metricIdentifier(pods.metricName, pods.selector),
      target: { type: 'AverageValue', averageValue: pods.targetAverageValue },
    },
    resource: resource && { name: resource.name, target: resourceTarget(resource) },
    containerResource: containerResource && {
      name: containerResource.name,
      target: resourceTarget(containerResource),
      container: containerResource.container,
    },
    external: external && {
      metric: metricIdentifier(external.metricName, external.metricSelector),
      target: present<MetricTarget>({
        type: external.targetValue === undefined ? 'AverageValue' : 'Value',
        value: external.targetValue,
        averageValue: external.targetAverageValue,
        averageUtilization: undefined,
      }),
    },
  });
}

const resourceTarget = (target: Present<OldMetricSpec, 'resource'>): MetricTarget =>
  present<MetricTarget>({
    type: target.targetAverageUtilization === undefined ? 'AverageValue' : 'Utilization',
    value: undefined,
    averageValue: target.targetAverageValue,
    averageUtilization: target.targetAverageUtilization,
  });

type Metric = Present<MetricSpec, 'pods'>['metric'];

const metricIdentifier = (name: string, selector: Metric['selector'] | undefined): Metric =>
  present<Metric>({ name, selector });

/** Converts an observed metric to the form of the autoscaling/v1 annotations. */
function toOldStatus({ type, object, pods, resource, containerResource, external }: MetricStatus): OldMetricStatus {
  return present<OldMetricStatus>({
    type,
    object:
      object &&
      present<Present<OldMetricStatus, 'object'>>({
        target: object.describedObject,
        metricName: object.metric.name,
        currentValue: object.current.value ?? NONE,
        selector: object.metric.selector,
        averageValue: object.current.averageValue,
      }),
    pods:
      pods &&
      present<Present<OldMetricStatus, 'pods'>>({
        metricName: pods.metric.name,
        currentAverageValue: pods.current.averageValue ?? NONE,
        selector: pods.metric.selector,
      }),
    resource:
      resource &&
      present<Present<OldMetricStatus, 'resource'>>({
        name: resource.name,
        currentAverageUtilization: resource.current.averageUtilization,
        currentAverageValue: resource.current.averageValue ?? NONE,
      }),
    containerResource:
      containerResource &&
      present<Present<OldMetricStatus, 'containerResource'>>({
        name: containerResource.name,
        currentAverageUtilization: containerResource.current.averageUtilization,
        currentAverageValue: containerResource.current.averageValue ?? NONE,
        container: containerResource.container,
      }),
    external:
      external &&
      present<Present<OldMetricStatus, 'external'>>({
        metricName: external.metric.name,
        metricSelector: external.metric.selector,
        currentValue: external.current.value ?? NONE,
        currentAverageValue: external.current.averageValue,
      }),
  });
}

type Current = Present<MetricStatus, 'pods'>['current'];

const current = (values: Partial<Current>): Current =>
  present<Current>({
    value: values.value,
    averageValue: values.averageValue,
    averageUtilization: values.averageUtilization,
  });

/** Converts an observed metric from the form of the autoscaling/v1 annotations. */
function fromOldStatus({ type, object, pods, resource, containerResource, external }: OldMetricStatus): MetricStatus {
  const ofResource = (observed: Present<OldMetricStatus, 'resource'>) =>
    current({
      averageValue: observed.currentAverageValue,
      ...(observed.currentAverageUtilization === undefined
        ? {}
        : { averageUtilization: observed.currentAverageUtilization }),
    });
  const values = (value: string, averageValue: string | undefined) =>
    current({ value, ...(averageValue === undefined ? {} : { averageValue }) });
  return present<MetricStatus>({
    type,
    object: object && {
      metric: metricIdentifier(object.metricName, object.selector),
      current: values(object.currentValue, object.averageValue),
      describedObject: object.target,
    },
    pods: pods && {
      metric: metricIdentifier(pods.metricName, pods.selector),
      current: current({ averageValue: pods.currentAverageValue }),
    },
    resource: resource && { name: resource.name, current: ofResource(resource) },
    containerResource: containerResource && {
      name: containerResource.name,
      current: ofResource(containerResource),
      container: containerResource.container,
    },
    external: external && {
      metric: metricIdentifier(external.metricName, external.metricSelector),
      current: values(external.currentValue, external.currentAverageValue),
    },
  });
}
