import { unedited } from '../../../registry/edit.js';
import type { Draft } from '../../../registry/strategy.js';
import { type ContainerDraft, containersThat } from './pod-containers.js';
import type { PodSpec } from './pod-spec.js';
import type { PodStatus } from './pod-status.js';

/**
 * Takes away the fields of features that are off in this release: resizing, claims of devices, users of the node, volumes of
 * images, bundles of trust anchors, policies of groups, `/proc` unmasked.
 */
export function dropDisabledFields(spec: Draft<PodSpec>): void {
  delete spec.hostUsers;
  delete spec.resourceClaims;
  if (spec.securityContext) delete spec.securityContext.supplementalGroupsPolicy;
  dropImageVolumes(spec);
  dropTrustBundles(spec);
  const hasDisabled = ({ resizePolicy, resources, securityContext }: Readonly<ContainerDraft>) =>
    resizePolicy !== undefined || resources.claims !== undefined || securityContext?.procMount !== undefined;
  for (const container of containersThat(spec, hasDisabled)) {
    delete container.resizePolicy;
    delete container.resources.claims;
    // The default rather than nothing: that is how old objects have it.
    if (container.securityContext?.procMount !== undefined) container.securityContext.procMount = 'Default';
  }
}

function dropTrustBundles({ volumes = [] }: Draft<PodSpec>): void {
  for (const [i, { projected }] of unedited(volumes).entries())
    for (const [j, { clusterTrustBundle }] of (projected?.sources ?? []).entries())
      if (clusterTrustBundle !== undefined) delete volumes[i]?.projected?.sources?.[j]?.clusterTrustBundle;
}

function dropImageVolumes(spec: Draft<PodSpec>): void {
  const volumes = unedited(spec.volumes ?? []);
  const names = new Set(volumes.filter(({ image }) => image !== undefined).map(({ name }) => name));
  if (names.size === 0) return;
  spec.volumes = volumes.filter(({ image }) => image === undefined);
  for (const container of containersThat(spec, ({ volumeMounts }) => volumeMounts !== undefined))
    if (container.volumeMounts) container.volumeMounts = container.volumeMounts.filter(({ name }) => !names.has(name));
}

/** The same of what is known of a pod. */
export function dropDisabledStatus(status: Draft<PodStatus>): void {
  delete status.resize;
  const { containerStatuses = [], initContainerStatuses = [], ephemeralContainerStatuses = [] } = status;
  for (const container of [...containerStatuses, ...initContainerStatuses, ...ephemeralContainerStatuses]) {
    delete container.allocatedResources;
    delete container.resources;
    delete container.user;
    delete container.allocatedResourcesStatus;
  }
}
