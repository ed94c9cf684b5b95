import { dns1123Label } from '../../../meta/names.js';
import { defineResource } from '../../../registry/resource-definition.js';
import { coreV1 } from '../core-v1.js';
import type { Pod } from '../core-v1.types.js';
import { gatedOfPods } from './disabled-fields.js';
import { prepareNewPod } from './new-pod.js';
import { podColumns, podRowConditions } from './pod-columns.js';
import { setPodDefaults } from './pod-defaults.js';
import { markResize, setResizePolicies } from './pod-resize.js';
import { podTemplateWarnings } from './pod-warnings.js';
import { podBinding } from './subresources/binding.js';
import { podEviction } from './subresources/eviction.js';
import { podLog } from './subresources/pod-log.js';
import { podAttach, podExec, podPortForward, podProxy } from './subresources/pod-relays.js';
import { validatePodStatusUpdate } from './validation/pod-status-validation.js';
import { validateEphemeralContainers, validatePodUpdate } from './validation/pod-update-validation.js';
import { validateNewPod } from './validation/pod-validation.js';

export type { Pod } from '../core-v1.types.js';

/** Returns the grace period in seconds. It is 0 for a pod that has ended or is not on a node. */
function gracePeriod({ spec, status }: Pod, requested: number | undefined): number {
  const over = status.phase === 'Succeeded' || status.phase === 'Failed';
  if (over || (spec.nodeName ?? '') === '') return 0;
  const period = requested ?? spec.terminationGracePeriodSeconds ?? 0;
  return period < 0 ? 1 : period;
}

/** Returns warnings about names that are not valid host names, because the host name is derived from the name. */
function nameWarnings({ metadata }: Pod): readonly string[] {
  const problems = dns1123Label(metadata.name ?? '');
  if (problems.length === 0) return [];
  const why = "this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended";
  return [`metadata.name: ${why}: [${problems.join(' ')}]`];
}

/** Copies the service account to the older field, whatever has set the newer one. */
function copyAccount({ spec }: { spec: { serviceAccount?: string; serviceAccountName?: string } }): void {
  if (spec.serviceAccountName !== undefined) spec.serviceAccount = spec.serviceAccountName;
}

/** v1 Pod: pods are stored and validated, and used for bound tokens and the permissions of nodes; this server does not run them. */
export const pod = defineResource({
  groupStem: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  shortNames: ['po'],
  categories: ['all'],
  scope: 'Namespaced',
  returnsDeletedObject: true,
  schema: coreV1.struct('Pod'),
  setDefaults: setPodDefaults,
  resetFields: ['status'],
  gatedFields: gatedOfPods,
  strategy: {
    prepareForCreate(draft, context) {
      copyAccount(draft);
      prepareNewPod(draft, context);
    },
    prepareForUpdate(draft, old, { host: { gates } }) {
      copyAccount(draft);
      Object.assign(draft, { status: old.status });
      if (!gates.InPlacePodVerticalScaling) return;
      setResizePolicies(draft.spec);
      markResize(draft, old);
    },
    validate: (object, { host }) => validateNewPod(object, host),
    validateUpdate: (next, old, { host }) => validatePodUpdate(next, old, host),
    warnings: (object, old, { host }) =>
      old === undefined ? [...nameWarnings(object), ...podTemplateWarnings(object, '', host.dialect)] : [],
    gracePeriod,
  },
  subresources: {
    status: {
      resetFields: ['spec', 'metadata.deletionTimestamp', 'metadata.ownerReferences'],
      strategy: {
        prepareForUpdate(draft, old) {
          Object.assign(draft, { spec: old.spec });
          const { ownerReferences, deletionTimestamp } = old.metadata;
          Object.assign(draft.metadata, { ownerReferences, deletionTimestamp });
        },
        validateUpdate: (next, old, { host }) => validatePodStatusUpdate(next, old, host),
      },
    },
    binding: podBinding,
    eviction: podEviction,
    log: podLog,
    exec: podExec,
    attach: podAttach,
    portforward: podPortForward,
    proxy: podProxy,
    ephemeralcontainers: {
      strategy: {
        prepareForUpdate(draft, old) {
          const { ephemeralContainers } = draft.spec;
          const { ephemeralContainers: _, ...spec } = old.spec;
          Object.assign(draft, {
            spec: ephemeralContainers ? { ...spec, ephemeralContainers } : spec,
            status: old.status,
            // As in the reference, this update does not change managed fields.
            metadata: { ...old.metadata, resourceVersion: draft.metadata.resourceVersion },
          });
        },
        validateUpdate: (next, old, { host }) => validateEphemeralContainers(next, old, host),
      },
    },
  },
  selectableFields: {
    'spec.nodeName': ({ spec }) => spec.nodeName,
    // The name of the field before v1.
    'spec.host': ({ spec }) => spec.nodeName,
    'spec.restartPolicy': ({ spec }) => spec.restartPolicy,
    'spec.schedulerName': ({ spec }) => spec.schedulerName,
    'spec.serviceAccountName': ({ spec }) => spec.serviceAccountName,
    'spec.hostNetwork': ({ spec }) => String(spec.hostNetwork ?? false),
    'status.phase': ({ status }) => status.phase,
    'status.podIP': ({ status }) => status.podIPs?.[0]?.ip ?? status.podIP,
    // The reference accepts this field but does not fill it, so pods are found only by their first address.
    'status.podIPs': () => '',
    'status.nominatedNodeName': ({ status }) => status.nominatedNodeName,
  },
  columns: podColumns,
  rowConditions: podRowConditions,
});
