import type { FlagDefinition } from '../flag-definition.js';

const metrics = { group: 'Metrics' } as const;

export const METRICS_FLAGS = [
  {
    ...metrics,
    name: 'show-hidden-metrics-for-version',
    type: 'string',
    help: 'release before this one: show what is hidden since',
  },
  { ...metrics, name: 'disabled-metrics', type: 'list', help: 'names of metrics that are not counted' },
  {
    ...metrics,
    name: 'allow-metric-labels',
    type: 'map',
    quoted: true,
    help: 'values that a label may have: metric,label=value,value; repeatable, or several in quotes',
  },
  {
    ...metrics,
    name: 'allow-metric-labels-manifest',
    type: 'string',
    help: 'file of the same: metric,label: value,value in YAML; counts instead of the flag',
  },
] as const satisfies readonly FlagDefinition[];
