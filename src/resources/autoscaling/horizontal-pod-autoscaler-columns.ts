import type { ApiObject } from '../../meta/object-meta.js';
import type { Column } from '../../registry/resource-definition.js';
import { age, nameColumn } from '../shared/columns.js';
import type { HorizontalPodAutoscaler, MetricSpec, MetricStatus } from './autoscaling-v2.types.js';

const SHOWN = 2;
const UNKNOWN = '<unknown>';

/** Returns the table columns of a HorizontalPodAutoscaler in any version. */
/* @__NO_SIDE_EFFECTS__ */
export function autoscalerColumns<T extends ApiObject>(
  asV2: (object: T) => HorizontalPodAutoscaler,
): readonly Column<T>[] {
  const column = (
    name: string,
    description: string,
    cell: (autoscaler: HorizontalPodAutoscaler) => string | number,
  ): Column<T> => ({ name, type: 'string', description, cell: (object) => cell(asV2(object)) });
  return [
    nameColumn,
    column(
      'Reference',
      'The object that is scaled.',
      ({
        spec: {
          scaleTargetRef: { kind, name },
        },
      }) => `${kind}/${name}`,
    ),
    column('Targets', 'The metrics: what they are, and what they are to be.', targetsCell),
    column('MinPods', 'The least number of pods.', ({ spec: { minReplicas } }) => String(minReplicas ?? '<unset>')),
    column('MaxPods', 'The greatest number of pods.', ({ spec }) => spec.maxReplicas),
    column('Replicas', 'The number of pods.', ({ status }) => status.currentReplicas ?? 0),
    age,
  ];
}

function targetsCell({ spec: { metrics = [] }, status: { currentMetrics } }: HorizontalPodAutoscaler): string {
  if (metrics.length === 0) return '<none>';
  const shown = metrics
    .slice(0, SHOWN)
    .map((metric, i) => metricText(metric, currentMetrics?.[i]))
    .join(', ');
  return metrics.length > SHOWN ? `${shown} + ${metrics.length - SHOWN} more...` : shown;
}

function metricText(metric: MetricSpec, status: MetricStatus | undefined): string {
  switch (metric.type) {
    case 'External':
      return valueText(metric.external?.target, status?.external?.current);
    case 'Object':
      return valueText(metric.object?.target, status?.object?.current);
    case 'Pods':
      return `${printCurrent(status?.pods?.current, 'averageValue')}/${metric.pods?.target.averageValue ?? ''}`;
    case 'Resource':
      return resourceText(metric.resource, status?.resource?.current);
    case 'ContainerResource':
      return resourceText(metric.containerResource, status?.containerResource?.current);
    default:
      return '<unknown type>';
  }
}

type Target = NonNullable<MetricSpec['external']>['target'];
type Current = NonNullable<MetricStatus['external']>['current'];

/** Returns a value of an observed metric as a cell; `<nil>` when the metric does not contain it. */
const printCurrent = (current: Current | undefined, amount: 'value' | 'averageValue'): string =>
  current ? (current[amount] ?? '<nil>') : UNKNOWN;

function valueText(target: Target | undefined, current: Current | undefined): string {
  if (target?.averageValue !== undefined) return `${current?.averageValue ?? UNKNOWN}/${target.averageValue} (avg)`;
  return `${printCurrent(current, 'value')}/${target?.value ?? ''}`;
}

function resourceText(metric: MetricSpec['resource'] | undefined, current: Current | undefined): string {
  const { name = '', target } = metric ?? {};
  if (target?.averageValue !== undefined)
    return `${name}: ${printCurrent(current, 'averageValue')}/${target.averageValue}`;
  const observed = current?.averageUtilization;
  const targetUtilization = target?.averageUtilization;
  return `${name}: ${observed === undefined ? UNKNOWN : `${observed}%`}/${targetUtilization === undefined ? '<auto>' : `${targetUtilization}%`}`;
}
