import { defaultControllers } from '../controllers/default-controllers.js';
import { defaultAdmissionByName } from '../plugins/default-admission.js';
import { optionalAdmission } from '../plugins/optional-admission.js';
import { quote } from '../values/quote.js';
import type { Flags } from './flags.js';

// The controllers of upstream that this server does not have. Their names are listed so that a missing controller is not reported as a
// misspelled name.
const REFERENCE_CONTROLLERS = new Set(
  (
    'attachdetach cloud-node-lifecycle cloud-node-lifecycle-controller cronjob cronjob-controller daemonset ' +
    'daemonset-controller deployment deployment-controller endpoint endpoints-controller ' +
    'endpointslice endpointslice-controller endpointslice-mirroring-controller endpointslicemirroring ephemeral-volume ' +
    'ephemeral-volume-controller horizontal-pod-autoscaler-controller horizontalpodautoscaling job job-controller ' +
    'node-ipam-controller node-lifecycle-controller node-route-controller nodeipam nodelifecycle ' +
    'persistentvolume-attach-detach-controller persistentvolume-binder persistentvolume-binder-controller ' +
    'persistentvolume-expander persistentvolume-expander-controller persistentvolume-protection-controller ' +
    'persistentvolumeclaim-protection-controller pod-garbage-collector-controller podgc pv-protection pvc-protection ' +
    'replicaset replicaset-controller serviceaccount-token serviceaccount-token-controller replicationcontroller replicationcontroller-controller resource-claim-controller ' +
    'resourceclaim-controller resourcequota resourcequota-controller route service service-cidr-controller ' +
    'service-lb-controller statefulset statefulset-controller storage-version-gc storage-version-migrator-controller ' +
    'storageversion-garbage-collector-controller taint-eviction-controller ttl ttl-after-finished ' +
    'ttl-after-finished-controller ttl-controller validatingadmissionpolicy-status-controller ' +
    'volumeattributesclass-protection-controller'
  ).split(' '),
);

/** Returns the errors in the names of plug-ins and controllers, in upstream's words. */
export function checkPluginNames({ values }: Pick<Flags, 'values'>): string[] {
  const only = values['admission-control'];
  const enabled = values['enable-admission-plugins'] ?? [];
  const disabled = values['disable-admission-plugins'] ?? [];
  const has = (name: string) => defaultAdmissionByName.has(name) || optionalAdmission.has(name);
  const unknown = (flag: string, names: readonly string[]) =>
    names.filter((name) => !has(name)).map((name) => `${flag} plugin ${quote(name)} is unknown`);
  const both = enabled.filter((name) => disabled.includes(name));
  return [
    ...(only && enabled.length + disabled.length > 0
      ? ['admission-control and enable-admission-plugins/disable-admission-plugins flags are mutually exclusive']
      : []),
    ...(both.length === 0
      ? []
      : [`[${both.sort().join(' ')}] in enable-admission-plugins and disable-admission-plugins overlapped`]),
    ...unknown('enable-admission-plugins', enabled),
    ...unknown('disable-admission-plugins', disabled),
    ...unknown('admission-control', only ?? []),
    ...(values.controllers ?? [])
      .filter((word) => !isControllerWord(word) && !REFERENCE_CONTROLLERS.has(nameIn(word)))
      .map((word) => `${quote(word)} is not in the list of known controllers`),
  ];
}

/**
 * Returns the entries of `--controllers` for controllers of this server, and a notice for each selected controller that this server does
 * not have.
 */
export function controllerSelection(words: readonly string[]): {
  readonly selection: readonly string[];
  readonly notices: readonly string[];
} {
  return {
    selection: words.filter(isControllerWord),
    notices: words
      .filter((word) => !isControllerWord(word) && !word.startsWith('-'))
      .map((word) => `--controllers: ${word} is not part of this server yet`),
  };
}

const nameIn = (word: string) => word.replace(/^-/, '');

function isControllerWord(word: string): boolean {
  const name = nameIn(word);
  return word === '*' || defaultControllers.some(({ switchedBy = [] }) => switchedBy.includes(name));
}
