import type { AdmissionAttributes } from '../../admission/admission-plugin.js';
import { isFor } from '../../admission/matching/rule.js';
import { forbiddenRequest } from '../../admission/refusal.js';
import { ruledPlugin } from '../../admission/ruled-plugin.js';
import { apiError } from '../../meta/api-error.js';
import { groupOf } from '../../meta/dialect.js';
import type { Pod, PodSpec } from '../../resources/core/core-v1.types.js';
import type { PriorityClass } from '../../resources/scheduling/scheduling-v1.types.js';
import { type SpecChanges, withSpec } from './pod.js';

const NO_CLASS = { value: 0, preemptionPolicy: 'PreemptLowerPriority' } as const;
const COMPUTED = 'must not be provided in pod spec; priority admission controller computed';

/** Sets the priority of every new pod according to its class or the default class, and refuses a second default class. */
export const priority = ruledPlugin<Pod | PriorityClass>({
  name: 'Priority',
  rules: [
    { operations: ['CREATE', 'UPDATE'], apiGroups: [''], resources: ['pods'] },
    { operations: ['CREATE', 'UPDATE'], apiGroups: ['scheduling'], resources: ['priorityclasses'] },
  ],
  create({ dialect, lister }) {
    const group = groupOf(dialect, 'scheduling');
    const classes = lister<PriorityClass>(group, 'priorityclasses');
    /** Returns the default class. If several classes are marked as the default, the one with the lowest value is used. */
    const defaultClass = () =>
      classes
        .list()
        .filter(({ globalDefault }) => globalDefault === true)
        .reduce<PriorityClass | undefined>((low, next) => (low && low.value <= next.value ? low : next), undefined);

    /** Returns the priority class of a pod. @throws ApiError 403 for a class that does not exist. */
    function classOf(attributes: AdmissionAttributes, { priorityClassName: name = '' }: PodSpec) {
      if (name === '') return defaultClass();
      const priorityClass = classes.get('', name);
      if (!priorityClass) throw forbiddenRequest(attributes, `no PriorityClass with name ${name} was found`);
      return priorityClass;
    }

    /** Returns the fields of the pod that its class determines. @throws ApiError 403 when the pod has other values for them. */
    function priorityOf(attributes: AdmissionAttributes, { spec }: Pod): SpecChanges {
      const priorityClass = classOf(attributes, spec);
      const { value, preemptionPolicy } = priorityClass ?? NO_CLASS;
      if (spec.priority !== undefined && spec.priority !== value) {
        const why = `the integer value of priority (${spec.priority}) ${COMPUTED} ${value} from the given PriorityClass name`;
        throw forbiddenRequest(attributes, why);
      }
      const name = priorityClass?.metadata.name;
      const specifiedPolicy = spec.preemptionPolicy;
      if (preemptionPolicy === undefined) return { priority: value, priorityClassName: name };
      if (specifiedPolicy !== undefined && specifiedPolicy !== preemptionPolicy) {
        const why = `the string value of PreemptionPolicy (${specifiedPolicy}) ${COMPUTED} ${preemptionPolicy} from the given PriorityClass name`;
        throw forbiddenRequest(attributes, why);
      }
      return { priority: value, priorityClassName: name, preemptionPolicy };
    }

    return {
      admit(attributes) {
        if (!isFor<Pod>(attributes, '', 'pods')) return undefined;
        const { object: pod, oldObject } = attributes;
        if (!oldObject) return withSpec(pod, priorityOf(attributes, pod));
        const { priority, preemptionPolicy } = oldObject.spec;
        return withSpec(pod, {
          priority: pod.spec.priority ?? priority,
          preemptionPolicy: pod.spec.preemptionPolicy ?? preemptionPolicy,
        });
      },
      validate(attributes) {
        if (attributes.isCustom)
          throw apiError.badRequest('resource was marked with kind PriorityClass but was unable to be converted');
        if (!isFor<PriorityClass>(attributes, group, 'priorityclasses') || attributes.object.globalDefault !== true)
          return;
        const other = defaultClass()?.metadata.name;
        if (other === undefined || (attributes.operation === 'UPDATE' && other === attributes.name)) return;
        const why = `PriorityClass ${other} is already marked as default. Only one default can exist`;
        throw forbiddenRequest(attributes, why);
      },
    };
  },
});
