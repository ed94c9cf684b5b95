import type { AdmissionAttributes, AdmissionPluginFactory } from '../../admission/admission-plugin.js';
import { forbidden } from '../../admission/forbid.js';
import { groupOf } from '../../meta/dialect.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { quote } from '../../values/quote.js';
import { type Amounts, areEqualAmounts } from '../amounts.js';
import { isOfPod, type PodObject, type Toleration, withSpec } from './pod.js';
import { mergeTolerations } from './tolerations.js';

interface RuntimeClassObject extends ApiObject {
  readonly overhead?: { readonly podFixed?: Amounts };
  readonly scheduling?: {
    readonly nodeSelector?: Readonly<Record<string, string>>;
    readonly tolerations?: readonly Toleration[];
  };
}

const OTHER_OVERHEAD = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";
const NO_OVERHEAD = 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead';

/**
 * Gives new pods of a runtime class its overhead and the node selector and tolerations of its scheduling. Other pods may have no overhead.
 */
export const runtimeClassAdmission: AdmissionPluginFactory = ({ dialect, lister }) => {
  const classes = lister<RuntimeClassObject>(groupOf(dialect, 'node'), 'runtimeclasses');

  /** Returns the class of a pod. @throws ApiError 403 for a class that does not exist. */
  function classOf(attributes: AdmissionAttributes): RuntimeClassObject | undefined {
    const { runtimeClassName: name } = (attributes.object as PodObject).spec; // handles() lets only pods in
    if (name === undefined) return undefined;
    const found = classes.get('', name);
    if (!found) throw forbidden(attributes, `pod rejected: RuntimeClass ${quote(name)} not found`);
    return found;
  }

  return {
    name: 'RuntimeClass',
    handles: isOfPod('CREATE'),
    admit(attributes) {
      const { overhead, scheduling } = classOf(attributes) ?? {};
      const pod = attributes.object as PodObject;
      const { overhead: specifiedOverhead = {}, tolerations = [] } = pod.spec;
      if (
        overhead &&
        Object.keys(specifiedOverhead).length > 0 &&
        !areEqualAmounts(specifiedOverhead, overhead.podFixed)
      )
        throw forbidden(attributes, OTHER_OVERHEAD);
      const changed = overhead ? withSpec(pod, { overhead: overhead.podFixed }) : pod;
      if (!scheduling) return changed;
      return withSpec(changed, {
        nodeSelector: mergeSelectors(attributes, pod.spec.nodeSelector, scheduling.nodeSelector),
        tolerations: mergeTolerations(tolerations, scheduling.tolerations ?? []),
      });
    },
    // The check covers changes that later plug-ins made to the pod.
    validate(attributes) {
      const { overhead } = classOf(attributes) ?? {};
      const specifiedOverhead = (attributes.object as PodObject).spec.overhead;
      if (overhead) {
        if (!areEqualAmounts(specifiedOverhead, overhead.podFixed)) throw forbidden(attributes, OTHER_OVERHEAD);
      } else if (Object.keys(specifiedOverhead ?? {}).length > 0) throw forbidden(attributes, NO_OVERHEAD);
    },
  };
};

/** Merges two node selectors. @throws ApiError 403 when they contradict each other. */
function mergeSelectors(
  attributes: AdmissionAttributes,
  own: Readonly<Record<string, string>> = {},
  added: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> | undefined {
  for (const [key, value] of Object.entries(added))
    if (Object.hasOwn(own, key) && own[key] !== value) {
      const why = `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own[key]}`;
      throw forbidden(attributes, why);
    }
  const merged = { ...own, ...added };
  return Object.keys(merged).length === 0 ? undefined : merged;
}
