import { type Dialect, k8s, orch } from '../../meta/dialect.js';
import { defineResource } from '../../registry/resource-definition.js';
import type { Draft } from '../../registry/strategy.js';
import { autoscalingV1 } from './autoscaling-v1.js';
import type { HorizontalPodAutoscaler as HorizontalPodAutoscalerV1 } from './autoscaling-v1.types.js';
import type { HorizontalPodAutoscaler } from './autoscaling-v2.types.js';
import { horizontalPodAutoscaler } from './horizontal-pod-autoscaler.js';
import { autoscalerColumns } from './horizontal-pod-autoscaler-columns.js';
import { fromV1, toV1 } from './horizontal-pod-autoscaler-conversion.js';
import {
  validateHorizontalPodAutoscaler,
  validateHorizontalPodAutoscalerStatus,
} from './horizontal-pod-autoscaler-validation.js';

/**
 * Converts a draft to autoscaling/v2, applies `change` to it, and converts it back. Even without `change`, this normalizes the annotations.
 */
function asV2(
  draft: Draft<HorizontalPodAutoscalerV1>,
  dialect: Dialect,
  change: (object: HorizontalPodAutoscaler) => Partial<HorizontalPodAutoscaler> = () => ({}),
): void {
  const object = fromV1(draft as HorizontalPodAutoscalerV1, dialect);
  Object.assign(draft, toV1({ ...object, ...change(object) }, dialect));
}

/** autoscaling/v1 HorizontalPodAutoscaler: the objects of autoscaling/v2, with annotations for the fields that v1 does not have. */
export const horizontalPodAutoscalerV1 = defineResource({
  groupStem: 'autoscaling',
  version: 'v1',
  knownVersions: ['v2', 'v2beta1', 'v2beta2'],
  kind: 'HorizontalPodAutoscaler',
  plural: 'horizontalpodautoscalers',
  metadataChecks: ['changes'],
  shortNames: ['hpa'],
  categories: ['all'],
  scope: 'Namespaced',
  schema: autoscalingV1.struct('HorizontalPodAutoscaler'),
  setDefaults: (draft, dialect) => asV2(draft, dialect),
  resetFields: ['status'],
  strategy: {
    prepareForCreate: (draft, { host: { dialect } }) =>
      asV2(draft, dialect, () => ({ status: { desiredReplicas: 0, currentMetrics: null } })),
    prepareForUpdate: (draft, old, { host: { dialect } }) =>
      asV2(draft, dialect, () => ({ status: fromV1(old, dialect).status })),
    validate: (object, { host: { dialect, gates } }) =>
      validateHorizontalPodAutoscaler(fromV1(object, dialect), undefined, gates),
    validateUpdate: (next, old, { host: { dialect, gates } }) =>
      validateHorizontalPodAutoscaler(fromV1(next, dialect), fromV1(old, dialect), gates),
  },
  subresources: {
    status: {
      resetFields: ['spec'],
      strategy: {
        prepareForUpdate: (draft, old, { host: { dialect } }) =>
          asV2(draft, dialect, () => ({ spec: fromV1(old, dialect).spec })),
        validateUpdate: (next, _old, { host: { dialect } }) =>
          validateHorizontalPodAutoscalerStatus(fromV1(next, dialect)),
      },
    },
  },
  storedAs: {
    definition: horizontalPodAutoscaler,
    toStorage: (object, dialect) => fromV1(object as HorizontalPodAutoscalerV1, dialect),
    fromStorage: (object, dialect) => toV1(object as HorizontalPodAutoscaler, dialect),
  },
  columns: autoscalerColumns<HorizontalPodAutoscalerV1>((object) => fromV1(object, dialectIn(object))),
});

/**
 * Returns the API dialect whose label domain the annotations use. Table cells are computed from the object alone, so the dialect of the
 * server is not known here.
 */
function dialectIn({ metadata: { annotations = {} } }: HorizontalPodAutoscalerV1): Dialect {
  return Object.keys(annotations).some((key) => key.startsWith(`autoscaling.alpha.${orch.labelDomain}/`)) ? orch : k8s;
}
