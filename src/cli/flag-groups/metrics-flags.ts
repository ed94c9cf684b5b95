import type { FlagDefinition } from '../flag-definition.js';

const metrics = { group: 'Metrics' } as const;

export const METRICS_FLAGS = [
  {
    ...metrics,
    name: 'show-hidden-metrics-for-version',
    type: 'string',
    help: 'the previous release, to show the metrics that are hidden since then',
  },
  { ...metrics, name: 'disabled-metrics', type: 'list', help: 'names of metrics to disable' },
  {
    ...metrics,
    name: 'allow-metric-labels',
    type: 'map',
    quoted: true,
    help: 'allowed values of a label, metric,label=value,value; repeatable, or several in quotes',
  },
  {
    ...metrics,
    name: 'allow-metric-labels-manifest',
    type: 'string',
    help: 'YAML file with lines metric,label: value,value; overrides --allow-metric-labels',
  },
] as const satisfies readonly FlagDefinition[];
