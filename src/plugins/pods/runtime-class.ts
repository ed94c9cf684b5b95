import type { AdmissionAttributes } from '../../admission/admission-plugin.js';
import { forbiddenRequest } from '../../admission/refusal.js';
import { ruledPlugin } from '../../admission/ruled-plugin.js';
import { groupOf } from '../../meta/dialect.js';
import type { Pod } from '../../resources/core/core-v1.types.js';
import type { RuntimeClass } from '../../resources/node/node-v1.types.js';
import { quote } from '../../values/quote.js';
import { areEqualAmounts } from '../amounts.js';
import { withSpec } from './pod.js';
import { mergeTolerations } from './tolerations.js';

const OTHER_OVERHEAD = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";
const NO_OVERHEAD = 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead';

/**
 * Sets the overhead, node selector and tolerations of new pods according to their runtime class. Pods without a runtime class may have no
 * overhead.
 */
export const runtimeClassAdmission = ruledPlugin<Pod>({
  name: 'RuntimeClass',
  rules: [{ operations: ['CREATE'], apiGroups: [''], resources: ['pods'] }],
  create({ dialect, lister }) {
    const classes = lister<RuntimeClass>(groupOf(dialect, 'node'), 'runtimeclasses');

    /** Returns the runtime class of a pod. @throws ApiError 403 for a class that does not exist. */
    function classOf(attributes: AdmissionAttributes<Pod>): RuntimeClass | undefined {
      const { runtimeClassName: name } = attributes.object.spec;
      if (name === undefined) return undefined;
      const runtimeClass = classes.get('', name);
      if (!runtimeClass) throw forbiddenRequest(attributes, `pod rejected: RuntimeClass ${quote(name)} not found`);
      return runtimeClass;
    }

    return {
      admit(attributes) {
        const { overhead, scheduling } = classOf(attributes) ?? {};
        const pod = attributes.object;
        const { overhead: specifiedOverhead = {}, tolerations = [] } = pod.spec;
        if (
          overhead &&
          Object.keys(specifiedOverhead).length > 0 &&
          !areEqualAmounts(specifiedOverhead, overhead.podFixed)
        )
          throw forbiddenRequest(attributes, OTHER_OVERHEAD);
        const changed = overhead ? withSpec(pod, { overhead: overhead.podFixed }) : pod;
        if (!scheduling) return changed;
        return withSpec(changed, {
          nodeSelector: mergeSelectors(attributes, pod.spec.nodeSelector, scheduling.nodeSelector),
          tolerations: mergeTolerations(tolerations, scheduling.tolerations ?? []),
        });
      },
      // Plug-ins that run later may have changed the pod, so it is checked again.
      validate(attributes) {
        const { overhead } = classOf(attributes) ?? {};
        const specifiedOverhead = attributes.object.spec.overhead;
        if (overhead) {
          if (!areEqualAmounts(specifiedOverhead, overhead.podFixed))
            throw forbiddenRequest(attributes, OTHER_OVERHEAD);
        } else if (Object.keys(specifiedOverhead ?? {}).length > 0) throw forbiddenRequest(attributes, NO_OVERHEAD);
      },
    };
  },
});

/** Merges two node selectors. @throws ApiError 403 when they contradict each other. */
function mergeSelectors(
  attributes: AdmissionAttributes,
  own: Readonly<Record<string, string>> = {},
  added: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> | undefined {
  for (const [key, value] of Object.entries(added))
    if (Object.hasOwn(own, key) && own[key] !== value) {
      const why = `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own[key]}`;
      throw forbiddenRequest(attributes, why);
    }
  const merged = { ...own, ...added };
  return Object.keys(merged).length === 0 ? undefined : merged;
}
