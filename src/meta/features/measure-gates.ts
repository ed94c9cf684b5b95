import { gauge } from '../../metrics/families.js';
import type { Metrics } from '../../metrics/metrics.js';
import { WHOLE_STAGES } from './feature-gates.js';
import { type FeatureGate, type FeatureGates, GATES } from './gates.js';

const FEATURE_ENABLED = gauge(
  'kubernetes_feature_enabled',
  'This metric records the data about the stage and enablement of a k8s feature.',
  ['name', 'stage'],
  { stability: 'BETA' },
);

/** Adds the metric that shows which features are on. */
export function measureGates(
  metrics: Metrics,
  gates: FeatureGates,
  switches: Readonly<Record<string, boolean>> = {},
): void {
  metrics.collect(FEATURE_ENABLED, function* () {
    for (const [name, stage] of Object.entries(WHOLE_STAGES)) yield [[name, stage], switches[name] ? 1 : 0];
    for (const [name, { stage }] of GATES)
      yield [[name, stage === 'GA' ? '' : stage], gates[name as FeatureGate] ? 1 : 0]; // an own member
  });
}
