import { fieldError } from '../../../meta/field-error.js';
import { defineResource } from '../../../registry/resource-definition.js';
import { podColumns } from './pod-columns.js';
import { setPodDefaults } from './pod-defaults.js';
import { podQosClass } from './pod-qos.js';
import { type Pod, podSchema } from './pod-schema.js';
import { isMirrorPod, validateFixedAnnotations, validatePodStatusUpdate } from './pod-status-validation.js';
import { validateEphemeralContainers, validatePodUpdate } from './pod-update-validation.js';
import { validateNewPod } from './pod-validation.js';

export type { Pod } from './pod-schema.js';

/** Seconds a pod gets to stop: none when nothing runs. */
function gracePeriod({ spec, status }: Pod, requested: number | undefined): number {
  const over = status.phase === 'Succeeded' || status.phase === 'Failed';
  if (over || (spec.nodeName ?? '') === '') return 0;
  return requested ?? spec.terminationGracePeriodSeconds ?? 0;
}

/** The account under its old name, wherever the new one came from. */
function copyAccount({ spec }: { spec: { serviceAccount?: string; serviceAccountName?: string } }): void {
  if (spec.serviceAccountName !== undefined) spec.serviceAccount = spec.serviceAccountName;
}

/** Says of a pod with gates that it is not to be scheduled yet. */
function gated({ schedulingGates = [] }: { readonly schedulingGates?: readonly unknown[] }) {
  if (schedulingGates.length === 0) return {};
  const condition = {
    type: 'PodScheduled',
    status: 'False',
    lastProbeTime: null,
    lastTransitionTime: null,
    reason: 'SchedulingGated',
    message: 'Scheduling is blocked due to non-empty scheduling gates',
  };
  return { conditions: [condition] };
}

/** v1 Pod: stored, and used for bound tokens and the rights of nodes; nothing here runs it. */
export const pod = defineResource({
  groupStem: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  shortNames: ['po'],
  categories: ['all'],
  scope: 'Namespaced',
  returnsDeletedObject: true,
  schema: podSchema,
  setDefaults: setPodDefaults,
  resetFields: ['status'],
  strategy: {
    prepareForCreate(draft) {
      copyAccount(draft);
      draft.status = { phase: 'Pending', ...gated(draft.spec), qosClass: podQosClass(draft.spec) };
    },
    prepareForUpdate(draft, old) {
      copyAccount(draft);
      Object.assign(draft, { status: old.status });
    },
    validate: validateNewPod,
    validateUpdate: (next, old, { host: { dialect } }) => [
      ...validateFixedAnnotations(next, old, dialect),
      ...validatePodUpdate(next, old),
    ],
    gracePeriod,
  },
  subresources: {
    status: {
      resetFields: ['spec', 'metadata.deletionTimestamp', 'metadata.ownerReferences'],
      strategy: {
        prepareForUpdate(draft, old) {
          Object.assign(draft, { spec: old.spec });
          Object.assign(draft.metadata, { ownerReferences: old.metadata.ownerReferences });
        },
        validateUpdate: (next, old, { host: { dialect } }) => validatePodStatusUpdate(next, old, dialect),
      },
    },
    ephemeralcontainers: {
      strategy: {
        prepareForUpdate(draft, old) {
          const { ephemeralContainers } = draft.spec;
          Object.assign(draft, {
            spec: { ...old.spec, ...(ephemeralContainers ? { ephemeralContainers } : {}) },
            status: old.status,
          });
        },
        validateUpdate: (next, old, { host: { dialect } }) =>
          isMirrorPod(old, dialect)
            ? [fieldError.forbidden('', 'static pods do not support ephemeral containers')]
            : [...validateEphemeralContainers(next, old), ...validateFixedAnnotations(next, old, dialect)],
      },
    },
  },
  selectableFields: {
    'spec.nodeName': ({ spec }) => spec.nodeName,
    'spec.restartPolicy': ({ spec }) => spec.restartPolicy,
    'spec.schedulerName': ({ spec }) => spec.schedulerName,
    'spec.serviceAccountName': ({ spec }) => spec.serviceAccountName,
    'spec.hostNetwork': ({ spec }) => String(spec.hostNetwork ?? false),
    'status.phase': ({ status }) => status.phase,
    'status.podIP': ({ status }) => status.podIPs?.[0]?.ip ?? status.podIP,
    'status.podIPs': ({ status }) => status.podIPs?.[0]?.ip ?? status.podIP,
    'status.nominatedNodeName': ({ status }) => status.nominatedNodeName,
  },
  columns: podColumns,
});
