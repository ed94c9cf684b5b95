import type { AdmissionPluginFactory } from '../../admission/admission-plugin.js';
import type { Pod, Toleration } from '../../resources/core/core-v1.types.js';
import { allContainers } from '../../resources/core/pod/pod-containers.js';
import { isExtendedResource } from '../../resources/shared/resource-rules.js';
import { withSpec } from './pod.js';

/** Returns whether two tolerations are equal except for their duration. */
const isSame = (a: Toleration, b: Toleration): boolean =>
  a.key === b.key && a.operator === b.operator && (a.value ?? '') === (b.value ?? '') && a.effect === b.effect;

/**
 * Adds tolerations to pods that request extended resources, such as `example.com/gpu`, because the nodes that provide a device are tainted
 * with its name.
 */
export const extendedResourceToleration: AdmissionPluginFactory<Pod> = () => ({
  name: 'ExtendedResourceToleration',
  rules: [{ operations: ['CREATE', 'UPDATE'], apiGroups: [''], resources: ['pods'] }],
  admit({ object: pod }) {
    const { containers = [], initContainers = [] } = pod.spec;
    const names = allContainers({ containers, initContainers }).flatMap(({ resources }) =>
      Object.keys(resources?.requests ?? {}).filter(isExtendedResource),
    );
    if (names.length === 0) return undefined;
    let { tolerations = [] } = pod.spec;
    for (const key of [...new Set(names)].sort()) {
      const added = { key, operator: 'Exists', effect: 'NoSchedule' };
      tolerations = tolerations.some((each) => isSame(each, added))
        ? tolerations.map((each) => (isSame(each, added) ? added : each))
        : [...tolerations, added];
    }
    return withSpec(pod, { tolerations });
  },
});
