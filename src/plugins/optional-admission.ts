import type { AdmissionPluginFactory } from '../admission/admission-plugin.js';
import { NO_LIMITS } from './events/event-rate-limit-configuration.js';

/** Loads a plug-in that is off by default, without a configuration. @throws Error when the plug-in needs one. */
export type LoadAdmissionPlugin = () => Promise<AdmissionPluginFactory>;

const failToLoad = (why: string) => async (): Promise<never> => {
  throw new Error(why);
};

/** The plug-ins that are off by default, by name, each with the default plug-in that it runs before. */
export const optionalAdmission: ReadonlyMap<string, { readonly before: string; readonly load: LoadAdmissionPlugin }> =
  new Map([
    ['AlwaysAdmit', { before: 'NamespaceLifecycle', load: async () => (await import('./always.js')).alwaysAdmit }],
    [
      'NamespaceAutoProvision',
      {
        before: 'NamespaceLifecycle',
        load: async () => (await import('./namespaces/auto-provision.js')).namespaceAutoProvision,
      },
    ],
    [
      'NamespaceExists',
      { before: 'LimitRanger', load: async () => (await import('./namespaces/exists.js')).namespaceExists },
    ],
    [
      'LimitPodHardAntiAffinityTopology',
      {
        before: 'LimitRanger',
        load: async () => (await import('./pods/hard-anti-affinity.js')).limitPodHardAntiAffinityTopology,
      },
    ],
    // This plug-in runs before the webhooks, so that webhooks do not receive requests that it refuses.
    [
      'NodeRestriction',
      {
        before: 'TaintNodesByCondition',
        load: async () => (await import('./nodes/node-restriction.js')).nodeRestriction,
      },
    ],
    [
      'AlwaysPullImages',
      { before: 'PodSecurity', load: async () => (await import('./pods/always-pull-images.js')).alwaysPullImages },
    ],
    ['ImagePolicyWebhook', { before: 'PodSecurity', load: failToLoad('no config specified') }],
    [
      'PodNodeSelector',
      { before: 'Priority', load: async () => (await import('./pods/pod-node-selector.js')).podNodeSelector() },
    ],
    [
      'PodTolerationRestriction',
      {
        before: 'DefaultStorageClass',
        load: async () => (await import('./pods/pod-toleration-restriction.js')).podTolerationRestriction(),
      },
    ],
    ['EventRateLimit', { before: 'DefaultStorageClass', load: failToLoad(NO_LIMITS) }],
    [
      'ExtendedResourceToleration',
      {
        before: 'DefaultStorageClass',
        load: async () => (await import('./pods/extended-resource-toleration.js')).extendedResourceToleration,
      },
    ],
    [
      'OwnerReferencesPermissionEnforcement',
      {
        before: 'PersistentVolumeClaimResize',
        load: async () => (await import('./owner-references.js')).ownerReferencesPermissionEnforcement,
      },
    ],
    [
      'DenyServiceExternalIPs',
      {
        before: 'MutatingAdmissionWebhook',
        load: async () => (await import('./network/deny-service-external-ips.js')).denyServiceExternalIPs,
      },
    ],
    ['AlwaysDeny', { before: '', load: async () => (await import('./always.js')).alwaysDeny }],
  ]);
