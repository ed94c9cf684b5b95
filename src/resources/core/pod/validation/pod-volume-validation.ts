import { errorsOf, type FieldError, fieldError, isFull, printed } from '../../../../meta/field-error.js';
import { dns1123Label, dns1123Subdomain } from '../../../../meta/names.js';
import type { ObjectMeta } from '../../../../meta/object-meta.js';
import { validateTemplateMeta } from '../../../../meta/object-meta-validation.js';
import { metaV1 } from '../../../../schema/meta-v1.js';
import { printGoSyntax } from '../../../../schema/print-go-syntax.js';
import { validateLabelSelector } from '../../../../selectors/label-selector-object.js';
import { parseQuantity } from '../../../../values/quantity.js';
import { quote } from '../../../../values/quote.js';
import { trustBundleName, validateSignerName } from '../../../certificates/signer-name.js';
import { oneOf, validateOptional, validateRequired } from '../../../shared/value-rules.js';
import { coreV1 } from '../../core-v1.js';
import type { Volume } from '../../core-v1.types.js';
import { validateClaim } from '../../persistent-volume-claim/persistent-volume-claim-validation.js';
import {
  requireValue,
  targetTooLong,
  validateDescendingPath,
  validateDriverName,
  validateFlex,
  validateInitiatorName,
  validateIscsiTarget,
  volumeSourceRules,
} from '../../volumes/volume-source-rules.js';
import { validateAmountReference, validateFieldReference } from './pod-environment-validation.js';
import type { Volumes } from './pod-mount-validation.js';
import type { PodRules } from './pod-rules.js';

type File = NonNullable<NonNullable<Volume['downwardAPI']>['items']>[number];
type Item = NonNullable<NonNullable<Volume['configMap']>['items']>[number];
type Projected = NonNullable<Volume['projected']>;
type TrustBundle = NonNullable<NonNullable<Projected['sources']>[number]['clusterTrustBundle']>;

/** Fields of a pod that a file of a downward API volume can contain. */
const FIELDS = ['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid'];

/** Checks permission bits. */
function validateMode(path: string, mode: number | undefined): FieldError[] {
  if (mode === undefined || (mode >= 0 && mode <= 0o777)) return [];
  return [fieldError.invalid(path, mode, 'must be a number between 0 and 0777 (octal), both inclusive')];
}

/** Checks the path of a file, relative to the mount of its volume. */
function validateFilePath(path: string, file: string): FieldError[] {
  if (file === '') return [fieldError.required(path)];
  const errors = validateDescendingPath(path, file);
  if (file.startsWith('..') && !file.startsWith('../'))
    errors.push(fieldError.invalid(path, file, "must not start with '..'"));
  return errors;
}

function validateItem(path: string, { key, path: file, mode }: Item): FieldError[] {
  return [
    ...requireValue(`${path}.key`, key),
    ...validateFilePath(`${path}.path`, file),
    ...validateMode(`${path}.mode`, mode),
  ];
}

/**
 * Checks a file of a downward API volume. It contains a field or a resource of the pod. As in upstream, `path` is the path of the list of
 * files.
 */
function validateFile(path: string, { path: name, fieldRef, resourceFieldRef, mode }: File): FieldError[] {
  const errors = validateFilePath(`${path}.path`, name);
  if (fieldRef) {
    errors.push(...validateFieldReference(`${path}.fieldRef`, fieldRef, FIELDS));
    if (resourceFieldRef) {
      const why = 'fieldRef and resourceFieldRef can not be specified simultaneously';
      errors.push(fieldError.invalid(path, 'resource', why));
    }
  } else if (resourceFieldRef)
    errors.push(...validateAmountReference(`${path}.resourceFieldRef`, resourceFieldRef, true));
  else errors.push(fieldError.required(path, 'one of fieldRef and resourceFieldRef is required'));
  return [...errors, ...validateMode(`${path}.mode`, mode)];
}

/** The context in which a volume's source is validated. */
interface Look extends Pick<PodRules, 'dialect'> {
  /** Whether the path of a token may be outside of the volume. */
  readonly anyTokenPath: boolean;
  /** Whether `volumeAttributesClassName` is not validated, because the feature gate VolumeAttributesClass is off. */
  readonly anyAttributes: boolean;
}

/** Whether the stored pod has a token outside of its volume. */
function hadTokenOutsideVolume({ before }: PodRules): boolean {
  const isElsewhere = (path: string) => path !== '' && validateFilePath('', path).length > 0;
  return (before?.spec.volumes ?? []).some(({ projected }) =>
    projected?.sources?.some(({ serviceAccountToken: token }) => token !== undefined && isElsewhere(token.path)),
  );
}

function validateProjected(
  path: string,
  { sources = [], defaultMode }: Projected,
  _parent: string,
  { anyTokenPath }: Look,
): FieldError[] {
  const errors = validateMode(`${path}.defaultMode`, defaultMode);
  const taken = new Set<string>();
  const takePath = (file: string, shown: string, isBundle = false) => {
    // An empty path is an error of its own, so it is not compared with other paths. As in upstream, the path of a trust bundle is compared
    // even if it is empty.
    if (file === '' && !isBundle) return [];
    const twice = taken.has(file);
    taken.add(file);
    return twice ? [fieldError.invalid(path, shown, 'conflicting duplicate paths')] : [];
  };
  for (const [i, source] of sources.entries()) {
    if (isFull(errors)) break;
    const at = `${path}.sources[${i}]`;
    const { secret, configMap, downwardAPI, serviceAccountToken: token, clusterTrustBundle: bundle } = source;
    for (const [field, from] of Object.entries({ secret, configMap })) {
      if (!from) continue;
      errors.push(...requireValue(`${at}.${field}.name`, from.name));
      for (const [j, item] of (from.items ?? []).entries())
        errors.push(...validateItem(`${at}.${field}.items[${j}]`, item), ...takePath(item.path, from.name ?? ''));
    }
    for (const file of downwardAPI?.items ?? [])
      errors.push(...validateFile(`${at}.downwardAPI`, file), ...takePath(file.path, file.path));
    if (token) {
      errors.push(...validateLifetime(`${at}.serviceAccountToken.expirationSeconds`, token.expirationSeconds));
      // As in upstream, the error has the path of the projected volume instead of that of the token.
      if (token.path === '' || !anyTokenPath) errors.push(...validateFilePath(`${path}.path`, token.path));
    }
    if (bundle)
      errors.push(
        ...validateTrustBundle(`${at}.clusterTrustBundlePEM`, bundle),
        ...takePath(bundle.path, bundle.path, true),
      );
    if (Object.keys(source).length > 1)
      errors.push(fieldError.forbidden(at, 'may not specify more than 1 volume type'));
  }
  return errors;
}

/** Checks a projection of trust bundles. It selects either one bundle by name or the bundles of a signer. */
function validateTrustBundle(path: string, bundle: TrustBundle): FieldError[] {
  const { name, signerName: signer, labelSelector: selector } = bundle;
  const errors: FieldError[] = [];
  const refuse = (at: string, value: unknown, why: string) => errors.push(fieldError.invalid(at, value, why));
  if (name !== undefined && signer !== undefined) {
    const shown = printed(printGoSyntax(coreV1.struct('ClusterTrustBundleProjection'), bundle));
    refuse(path, shown, 'only one of name and signerName may be used');
  } else if (name !== undefined) {
    if (name === '') errors.push(fieldError.required(`${path}.name`, 'must be a valid object name'));
    const ofSigner = name.includes(':') ? name.slice(0, name.lastIndexOf(':')).replaceAll(':', '/') : '';
    for (const why of trustBundleName(name, false, ofSigner))
      refuse(`${path}.name`, name, `not a valid clustertrustbundlename: ${why}`);
    if (selector)
      refuse(
        `${path}.labelSelector`,
        printed(printGoSyntax(metaV1.struct('LabelSelector'), selector)),
        'labelSelector must be unset if name is specified',
      );
  } else if (signer !== undefined) {
    if (signer === '') errors.push(fieldError.required(`${path}.signerName`, 'must be a valid signer name'));
    errors.push(...validateSignerName(signer, `${path}.signerName`));
    if (selector) errors.push(...validateLabelSelector(selector, `${path}.labelSelector`));
  } else errors.push(fieldError.required(path, 'either name or signerName must be specified'));
  return [...errors, ...validateFilePath(`${path}.path`, bundle.path)];
}

/** Checks the lifetime of a token in seconds. */
function validateLifetime(path: string, seconds = 0): FieldError[] {
  if (seconds < 600) return [fieldError.invalid(path, seconds, 'may not specify a duration less than 10 minutes')];
  return seconds > 2 ** 32
    ? [fieldError.invalid(path, seconds, 'may not specify a duration larger than 2^32 seconds')]
    : [];
}

interface Data {
  readonly items?: readonly Item[];
  readonly defaultMode?: number;
}
const validateData = (path: string, { items = [], defaultMode }: Data): FieldError[] => [
  ...validateMode(`${path}.defaultMode`, defaultMode),
  ...errorsOf(items, (item, i) => validateItem(`${path}.items[${i}]`, item)),
];

function validateEphemeral(
  path: string,
  { volumeClaimTemplate: claim }: NonNullable<Volume['ephemeral']>,
  _parent: string,
  { anyAttributes }: Look,
): FieldError[] {
  const at = `${path}.volumeClaimTemplate`;
  if (!claim) return [fieldError.required(at)];
  return [
    ...validateTemplateMeta(claim.metadata, `${at}.metadata`),
    ...validateClaim(claim.spec, `${at}.spec`, { anyValues: false, anyGroup: false, anyAttributes }),
  ];
}

type Rules = {
  readonly [K in Exclude<keyof Volume & string, 'name'>]-?: (
    path: string,
    source: NonNullable<Volume[K]>,
    parent: string,
    look: Look,
  ) => FieldError[];
};

/** The rules of each volume source, in upstream's order. Most are shared with persistent volumes. */
const RULES: Rules = {
  emptyDir: (path, { sizeLimit }) =>
    sizeLimit !== undefined && parseQuantity(sizeLimit).unscaled < 0n
      ? [fieldError.forbidden(`${path}.sizeLimit`, 'SizeLimit field must be a valid resource quantity')]
      : [],
  hostPath: volumeSourceRules.hostPath,
  gitRepo: (path, { repository, directory = '' }) => [
    ...requireValue(`${path}.repository`, repository),
    ...validateDescendingPath(`${path}.directory`, directory),
  ],
  gcePersistentDisk: volumeSourceRules.gcePersistentDisk,
  awsElasticBlockStore: volumeSourceRules.awsElasticBlockStore,
  secret: (path, source) => [...requireValue(`${path}.secretName`, source.secretName), ...validateData(path, source)],
  nfs: volumeSourceRules.nfs,
  iscsi: (path, source) => [
    ...requireValue(`${path}.targetPortal`, source.targetPortal),
    ...validateIscsiTarget(path, source),
    ...validateInitiatorName(path, source.initiatorName),
  ],
  glusterfs: volumeSourceRules.glusterfs,
  flocker: volumeSourceRules.flocker,
  persistentVolumeClaim: (path, { claimName }) => requireValue(`${path}.claimName`, claimName),
  rbd: volumeSourceRules.rbd,
  cinder: (path, source) => [...volumeSourceRules.cinder(path, source), ...namedSecret(path, source)],
  cephfs: volumeSourceRules.cephfs,
  quobyte: volumeSourceRules.quobyte,
  downwardAPI: (path, { items = [], defaultMode }) => [
    ...validateMode(`${path}.defaultMode`, defaultMode),
    ...errorsOf(items, (file) => validateFile(path, file)),
  ],
  fc: volumeSourceRules.fc,
  flexVolume: (path, source, _parent, { dialect }) => validateFlex(path, source, dialect),
  configMap: (path, source) => [...requireValue(`${path}.name`, source.name), ...validateData(path, source)],
  azureFile: volumeSourceRules.azureFile,
  vsphereVolume: volumeSourceRules.vsphereVolume,
  photonPersistentDisk: volumeSourceRules.photonPersistentDisk,
  portworxVolume: volumeSourceRules.portworxVolume,
  azureDisk: volumeSourceRules.azureDisk,
  storageos: (path, source) => [...volumeSourceRules.storageos(path, source), ...namedSecret(path, source)],
  projected: validateProjected,
  scaleIO: volumeSourceRules.scaleIO,
  csi: (path, { driver, nodePublishSecretRef: secret }) => {
    const errors = validateDriverName(`${path}.driver`, driver);
    if (!secret) return errors;
    if ((secret.name ?? '') === '') return [...errors, fieldError.required(`${path}.nodePublishSecretRef.name`)];
    return [...errors, ...validateOptional(`${path}.name`, secret.name, dns1123Subdomain)];
  },
  ephemeral: validateEphemeral,
  image: (path, { pullPolicy }) => oneOf(`${path}.pullPolicy`, pullPolicy, ['Always', 'IfNotPresent', 'Never']),
};

/** Sources whose names upstream spells differently in the error about a second source. */
const SPELLED: Readonly<Record<string, string>> = { cephfs: 'cephFS', downwardAPI: 'downwarAPI' };

interface WithSecret {
  readonly secretRef?: { readonly name?: string };
}
const namedSecret = (path: string, { secretRef }: WithSecret): FieldError[] =>
  secretRef ? requireValue(`${path}.secretRef.name`, secretRef.name) : [];

/**
 * Checks the source of a volume, and names that are derived from the volume's name. `podName` is '' for a pod without a name, and absent
 * for a template.
 */
function validateSource(path: string, volume: Volume, podName: string | undefined, look: Look): FieldError[] {
  const errors: FieldError[] = [];
  let first = true;
  for (const source of Object.keys(RULES) as (keyof Rules)[]) {
    const presentSource = volume[source];
    if (presentSource === undefined) continue;
    const refuseName = (why: string) => errors.push(fieldError.invalid(`${path}.name`, volume.name, why));
    if (first) {
      if (podName !== undefined && source === 'image')
        errors.push(...requireValue(`${path}.image.reference`, volume.image?.reference));
      errors.push(...RULES[source](`${path}.${source}`, presentSource as never, path, look));
      if (source === 'ephemeral' && podName && volume.name !== '') {
        const claim = `${podName}-${volume.name}`;
        for (const message of dns1123Subdomain(claim)) refuseName(`PVC name ${quote(claim)}: ${message}`);
      }
    } else {
      const why = 'may not specify more than 1 volume type';
      errors.push(fieldError.forbidden(`${path}.${SPELLED[source] ?? source}`, why));
    }
    first = false;
    if (source === 'iscsi' && volume.iscsi)
      errors.push(...targetTooLong(`${path}.name`, volume.name, volume.name, volume.iscsi));
  }
  return first ? [fieldError.required(path, 'must specify a volume type')] : errors;
}

/** Returns the validation errors of a pod's volumes, and the valid volumes, which containers can mount. */
export function validateVolumes(
  volumes: readonly Volume[],
  rules: PodRules,
  pod: Pick<ObjectMeta, 'name'> | undefined,
): { readonly errors: readonly FieldError[]; readonly volumes: Volumes } {
  const podName = pod && (pod.name ?? '');
  const found = new Map<string, Volume>();
  const { dialect } = rules;
  const look = {
    dialect,
    anyTokenPath: hadTokenOutsideVolume(rules),
    anyAttributes: !rules.gates.VolumeAttributesClass,
  };
  const created = new Set(
    podName ? volumes.filter(({ ephemeral }) => ephemeral).map(({ name }) => `${podName}-${name}`) : [],
  );
  const errors = errorsOf(volumes, (volume, i) => {
    const path = `spec.volumes[${i}]`;
    const { name, persistentVolumeClaim: claim } = volume;
    const problems = [
      ...validateSource(path, volume, podName, look),
      ...validateRequired(`${path}.name`, name, dns1123Label),
    ];
    if (found.has(name)) problems.push(fieldError.duplicate(`${path}.name`, name));
    if (problems.length === 0) found.set(name, volume);
    if (claim && created.has(claim.claimName)) {
      const why = 'must not reference a PVC that gets created for an ephemeral volume';
      problems.push(fieldError.invalid(`${path}.persistentVolumeClaim.claimName`, claim.claimName, why));
    }
    return problems;
  });
  return { errors, volumes: found };
}
