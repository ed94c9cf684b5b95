import type { Container, Pod, SecretReference, Volume } from '../../resources/core/core-v1.types.js';

/** A kind of object that pods refer to. */
export type ReferredKind = 'secret' | 'configmap' | 'pvc' | 'serviceaccount' | 'resourceclaim';

export interface PodReference {
  readonly kind: ReferredKind;
  readonly name: string;
}

/** Volume sources of pods and of persistent volumes that name a secret in `secretRef`. */
export const SECRET_REF_SOURCES = ['cephfs', 'cinder', 'flexVolume', 'iscsi', 'rbd', 'scaleIO', 'storageos'] as const;

/** Returns the secret that a volume source of this type names; undefined when there is none. */
export function secretRefOf(source: object, type: string): SecretReference | undefined {
  // Members inherited from the prototype do not count.
  const value: unknown = Object.hasOwn(source, type) ? (source as Readonly<Record<string, unknown>>)[type] : undefined;
  // All sources in SECRET_REF_SOURCES have this type, so the cast is safe.
  return (value as { readonly secretRef?: SecretReference } | undefined)?.secretRef;
}

/** Returns the objects that a pod needs in order to run. They are all in the pod's namespace, and an object can appear twice. */
export function referencesOf(pod: Pod): PodReference[] {
  const { metadata, spec } = pod;
  const references: PodReference[] = [];
  const add = (kind: ReferredKind, name: string | undefined) => name && references.push({ kind, name });
  add('serviceaccount', spec.serviceAccountName);
  for (const { name } of spec.imagePullSecrets ?? []) add('secret', name);
  for (const list of [spec.containers, spec.initContainers, spec.ephemeralContainers])
    for (const container of list ?? []) addContainer(container, add);
  for (const volume of spec.volumes ?? []) {
    addVolume(volume, add);
    if (volume.ephemeral) add('pvc', `${metadata.name}-${volume.name}`);
  }
  const { direct, fromTemplates } = claimsOf(pod);
  for (const claim of [...direct, ...fromTemplates]) add('resourceclaim', claim);
  return references;
}

/** Returns the resource claims of a pod: those that its spec names directly, and those created from templates, which its status names. */
export function claimsOf({ spec, status }: Pod): {
  readonly direct: readonly string[];
  readonly fromTemplates: readonly string[];
} {
  const direct: string[] = [];
  const templates = new Set<string>();
  for (const { name, resourceClaimName, resourceClaimTemplateName } of spec.resourceClaims ?? []) {
    if (resourceClaimName) direct.push(resourceClaimName);
    else if (name && resourceClaimTemplateName) templates.add(name);
  }
  const statuses = templates.size === 0 ? [] : (status.resourceClaimStatuses ?? []);
  const fromTemplates = statuses.flatMap(({ name, resourceClaimName }) =>
    templates.has(name) && resourceClaimName ? [resourceClaimName] : [],
  );
  return { direct, fromTemplates };
}

/** Returns the names of the secrets that a volume refers to, whatever the volume's source. */
export function secretsOfVolume(volume: Volume): string[] {
  const names: string[] = [];
  addVolume(volume, (kind, name) => kind === 'secret' && name && names.push(name));
  return names;
}

type Add = (kind: ReferredKind, name: string | undefined) => void;

function addContainer({ env, envFrom }: Pick<Container, 'env' | 'envFrom'>, add: Add): void {
  for (const { valueFrom } of env ?? []) {
    add('secret', valueFrom?.secretKeyRef?.name);
    add('configmap', valueFrom?.configMapKeyRef?.name);
  }
  for (const { secretRef, configMapRef } of envFrom ?? []) {
    add('secret', secretRef?.name);
    add('configmap', configMapRef?.name);
  }
}

function addVolume(volume: Volume, add: Add): void {
  add('secret', volume.secret?.secretName);
  add('configmap', volume.configMap?.name);
  add('pvc', volume.persistentVolumeClaim?.claimName);
  for (const { secret, configMap } of volume.projected?.sources ?? []) {
    add('secret', secret?.name);
    add('configmap', configMap?.name);
  }
  add('secret', volume.csi?.nodePublishSecretRef?.name);
  add('secret', volume.azureFile?.secretName);
  for (const type of SECRET_REF_SOURCES) add('secret', secretRefOf(volume, type)?.name);
}
