import { equalJson } from '../../../json/equal.js';
import { originalMember } from '../../../json/original-members.js';
import { type Dialect, domainName } from '../../../meta/dialect.js';
import { addErrors, errorsOf, type FieldError, fieldError, isFull, printed } from '../../../meta/field-error.js';
import type { Host } from '../../../meta/host.js';
import { dns1123Label, dns1123Subdomain } from '../../../meta/names.js';
import { METADATA_CHECK } from '../../../meta/object-meta-validation.js';
import { printGoSyntax } from '../../../schema/print-go-syntax.js';
import { parseQuantity, wholeQuantity } from '../../../values/quantity.js';
import { structDiff } from '../../shared/struct-diff.js';
import { validateOptional } from '../../shared/value-rules.js';
import { coreV1 } from '../core-v1.js';
import type { PersistentVolume, PersistentVolumeSpec } from '../core-v1.types.js';
import { validateNodeTerms } from '../pod/validation/pod-scheduling-validation.js';
import { validateAttributesChange } from '../volumes/attributes-class.js';
import {
  requireValue,
  validateDriverName,
  validateFlex,
  validateNoBackSteps,
  validateSecretReference,
  volumeSourceRules,
} from '../volumes/volume-source-rules.js';
import { oldLabels } from './old-labels.js';

const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
const RECLAIM_POLICIES = ['Delete', 'Recycle', 'Retain'];
const MODES = ['Block', 'Filesystem'];
const INLINE = 'in the context of inline volumes';

const requireSupported = (path: string, value: string, values: readonly string[]): FieldError[] =>
  values.includes(value) ? [] : [fieldError.notSupported(path, value, values)];

/** Checks that access modes are supported, and that ReadWriteOncePod is not combined with another mode. */
export function validateAccessModes(path: string, modes: readonly string[]): FieldError[] {
  const errors = errorsOf(modes, (mode) => requireSupported(path, mode, ACCESS_MODES));
  const others = modes.some((mode) => mode !== 'ReadWriteOncePod' && ACCESS_MODES.includes(mode));
  if (modes.includes('ReadWriteOncePod') && others)
    errors.push(fieldError.forbidden(path, 'may not use ReadWriteOncePod with other access modes'));
  return errors;
}

/** Checks that a quantity is above zero. For a negative quantity, an additional error is returned. */
function validatePositive(path: string, amount: string): FieldError[] {
  const { unscaled } = parseQuantity(amount);
  if (unscaled > 0n) return [];
  const errors: FieldError[] = [];
  const bytes = wholeQuantity(parseQuantity(amount));
  if (unscaled < 0n) errors.push(fieldError.invalid(path, bytes, 'must be a valid resource quantity'));
  return [...errors, fieldError.invalid(path, amount, 'must be greater than zero')];
}

function validateCapacity(path: string, spec: PersistentVolumeSpec): FieldError[] {
  const { capacity } = spec;
  const names = Object.keys(capacity ?? {});
  const errors = names.length === 0 ? [fieldError.required(path)] : [];
  if (names.length !== 1 || names[0] !== 'storage')
    errors.push(
      fieldError.notSupported(
        path,
        printed(printGoSyntax(coreV1.type('ResourceList'), originalMember(spec, 'capacity'), 'core')),
        ['storage'],
      ),
    );
  for (const [name, amount] of Object.entries(capacity ?? {})) {
    if (isFull(errors)) break;
    addErrors(errors, validatePositive(`${path}[${name}]`, amount));
  }
  return errors;
}

/** Returns the validation errors of a volume's spec. The inline spec of a VolumeAttachment may have fewer members. */
export function validatePersistentVolumeSpec(
  path: string,
  spec: PersistentVolumeSpec,
  inline: boolean,
  dialect: Dialect,
  name = '',
): FieldError[] {
  const { accessModes = [], persistentVolumeReclaimPolicy: policy, nodeAffinity, volumeMode } = spec;
  const { storageClassName } = spec;
  const errors: FieldError[] = [];
  const notInline = (field: keyof PersistentVolumeSpec & string, why = 'may not be specified') =>
    errors.push(fieldError.forbidden(`${path}.${field}`, `${why} ${INLINE}`));
  if (inline) {
    if (spec.claimRef) notInline('claimRef');
    if (Object.keys(spec.capacity ?? {}).length > 0) notInline('capacity');
    if (!spec.csi) errors.push(fieldError.required(`${path}.csi`, `has to be specified ${INLINE}`));
  }
  if (accessModes.length === 0) errors.push(fieldError.required(`${path}.accessModes`));
  errors.push(...validateAccessModes(`${path}.accessModes`, accessModes));
  if (!inline) errors.push(...validateCapacity(`${path}.capacity`, spec));
  if (policy && inline && policy !== 'Retain') notInline('persistentVolumeReclaimPolicy', 'may only be Retain');
  if (policy && !inline)
    errors.push(...requireSupported(`${path}.persistentVolumeReclaimPolicy`, policy, RECLAIM_POLICIES));
  if (nodeAffinity && inline) notInline('nodeAffinity');
  if (nodeAffinity && !inline)
    errors.push(
      ...(nodeAffinity.required
        ? validateNodeTerms(`${path}.nodeAffinity.required`, nodeAffinity.required)
        : [fieldError.required(`${path}.nodeAffinity.required`, 'must specify required node constraints')]),
    );
  errors.push(...validateSources(path, spec, { hasAffinity: nodeAffinity !== undefined && !inline, dialect, name }));
  const { hostPath } = spec;
  if (hostPath && isRoot(hostPath.path) && policy === 'Recycle')
    errors.push(
      fieldError.forbidden(`${path}.persistentVolumeReclaimPolicy`, "may not be 'recycle' for a hostPath mount of '/'"),
    );
  if (storageClassName && inline) notInline('storageClassName');
  if (!inline) errors.push(...validateOptional(`${path}.storageClassName`, storageClassName, dns1123Subdomain));
  if (volumeMode !== undefined && inline && volumeMode !== 'Filesystem')
    notInline('volumeMode', 'may not specify volumeMode other than Filesystem');
  if (volumeMode !== undefined && !inline) errors.push(...requireSupported(`${path}.volumeMode`, volumeMode, MODES));
  const { volumeAttributesClassName: attributes } = spec;
  if (attributes !== undefined && !inline) {
    const at = `${path}.volumeAttributesClassName`;
    if (attributes === '') errors.push(fieldError.required(at, 'an empty string is disallowed'));
    errors.push(...validateOptional(at, attributes, dns1123Subdomain));
    if (!spec.csi)
      errors.push(fieldError.required(`${path}.csi`, 'has to be specified when using volumeAttributesClassName'));
  }
  return errors;
}

/** Whether a path is the root after normalization. */
function isRoot(path: string): boolean {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return path.startsWith('/') && parts.length === 0;
}

type Sources = Readonly<Record<string, object | undefined>>;

/** Sources whose names upstream spells differently in the error about a second source. */
const SPELLED: Readonly<Record<string, string>> = { cephfs: 'cephFS' };

interface OfVolume {
  readonly name: string;
  readonly hasAffinity: boolean;
  readonly dialect: Dialect;
}
function validateSources(path: string, spec: PersistentVolumeSpec, volume: OfVolume): FieldError[] {
  const presentSources = SOURCES.filter((name) => (spec as Sources)[name] !== undefined);
  if (presentSources.length === 0) return [fieldError.required(path, 'must specify a volume type')];
  return presentSources.flatMap((name, i) => {
    // As in upstream, `flexVolume` is accepted in addition to another source.
    if (i > 0 && name !== 'flexVolume')
      return [fieldError.forbidden(`${path}.${SPELLED[name] ?? name}`, 'may not specify more than 1 volume type')];
    const rule = volumeSourceRules[name as keyof typeof volumeSourceRules] as
      | ((path: string, source: unknown, parent: string, volume: string) => FieldError[])
      | undefined;
    return [
      ...(rule ? rule(`${path}.${name}`, (spec as Sources)[name], path, volume.name) : []),
      ...validateOwnRules(path, spec, name, volume),
    ];
  });
}

/** Checks rules for the source that apply only to persistent volumes, not to pods. */
function validateOwnRules(
  path: string,
  spec: PersistentVolumeSpec,
  source: string,
  { hasAffinity, dialect }: OfVolume,
) {
  const at = `${path}.${source}`;
  const { csi, local, azureFile, glusterfs, cinder, storageos, flexVolume } = spec;
  if (source === 'flexVolume' && flexVolume) return validateFlex(at, flexVolume, dialect);
  if (source === 'csi' && csi)
    return [
      ...validateDriverName(`${at}.driver`, csi.driver),
      ...requireValue(`${at}.volumeHandle`, csi.volumeHandle),
      ...(['controllerPublish', 'controllerExpand', 'nodePublish', 'nodeExpand'] as const).flatMap((use) =>
        validateSecretReference(`${at}.${use}SecretRef`, csi[`${use}SecretRef`]),
      ),
    ];
  if (source === 'local' && local)
    return [
      ...(local.path === '' ? [fieldError.required(`${at}.path`)] : validateNoBackSteps(`${at}.path`, local.path)),
      ...(hasAffinity ? [] : [fieldError.required(`${path}.nodeAffinity`, 'Local volume requires node affinity')]),
    ];
  if (source === 'azureFile' && azureFile?.secretNamespace === '')
    return [fieldError.required(`${at}.secretNamespace`)];
  if (source === 'glusterfs' && glusterfs?.endpointsNamespace !== undefined) {
    const { endpointsNamespace: namespace } = glusterfs;
    const why = 'if the endpointnamespace is set, it must be a valid namespace name';
    const problems = namespace === '' ? [why] : dns1123Label(namespace);
    return problems.map((problem) => fieldError.invalid(`${at}.endpointsNamespace`, namespace, problem));
  }
  const secret = source === 'cinder' ? cinder?.secretRef : source === 'storageos' ? storageos?.secretRef : undefined;
  if (!secret) return [];
  return [
    ...requireValue(`${at}.secretRef.name`, secret.name),
    ...requireValue(`${at}.secretRef.namespace`, secret.namespace),
  ];
}

/** Sources that support mount options in an annotation. */
const MOUNTABLE =
  'gcePersistentDisk awsElasticBlockStore glusterfs cinder rbd quobyte azureFile cephfs iscsi nfs azureDisk vsphereVolume'.split(
    ' ',
  );

/** Returns the validation errors of a volume. */
export function validatePersistentVolume({ metadata, spec }: PersistentVolume, dialect: Dialect): FieldError[] {
  const errors = validatePersistentVolumeSpec('spec', spec, false, dialect, metadata.name);
  const annotation = `volume.beta.${domainName(dialect, 'mount-options')}`;
  const { annotations = {} } = metadata;
  if (Object.hasOwn(annotations, annotation) && !MOUNTABLE.some((name) => (spec as Sources)[name]))
    errors.push(
      fieldError.forbidden(`metadata.annotations.${annotation}`, 'may not specify mount options for this volume type'),
    );
  return errors;
}

/** Returns the validation errors of a volume update. The source is immutable, and some other fields are immutable once they are set. */
export function validatePersistentVolumeUpdate(
  next: PersistentVolume,
  old: PersistentVolume,
  { dialect, gates }: Pick<Host, 'dialect' | 'gates'>,
): FieldError[] {
  const errors = [
    ...validatePersistentVolume(next, dialect),
    METADATA_CHECK,
    ...validatePersistentVolumeSpec('spec', next.spec, false, dialect, next.metadata.name),
  ];
  const [sources, oldSources] = [comparedSources(next, old), sourcesOf(old)];
  if (!equalJson(sources, oldSources)) {
    const diff = structDiff('core.PersistentVolumeSource', oldSources, sources);
    const why = `spec.persistentvolumesource is immutable after creation\n${diff}`;
    errors.push(fieldError.forbidden('spec.persistentvolumesource', why));
  }
  if (next.spec.volumeMode !== old.spec.volumeMode)
    errors.push(fieldError.invalid('volumeMode', next.spec.volumeMode, 'field is immutable'));
  return [
    ...errors,
    ...validateAffinityChange(next.spec.nodeAffinity, old.spec.nodeAffinity, dialect),
    ...validateAttributesChange(next.spec, old.spec, gates),
  ];
}

const sourcesOf = ({ spec }: PersistentVolume): Sources =>
  Object.fromEntries(SOURCES.flatMap((name) => ((spec as Sources)[name] ? [[name, (spec as Sources)[name]]] : [])));

/**
 * Returns the sources of the updated volume for the comparison with the stored ones. A controllerExpandSecretRef that the update adds to a
 * CSI source is left out, because adding it is allowed.
 */
function comparedSources(next: PersistentVolume, old: PersistentVolume): Sources {
  const { csi } = next.spec;
  if (!csi?.controllerExpandSecretRef || !old.spec.csi || old.spec.csi.controllerExpandSecretRef)
    return sourcesOf(next);
  const { controllerExpandSecretRef: _, ...rest } = csi;
  return { ...sourcesOf(next), csi: rest };
}

type Affinity = PersistentVolumeSpec['nodeAffinity'];

function validateAffinityChange(next: Affinity, old: Affinity, dialect: Dialect): FieldError[] {
  if (old === undefined || equalJson(next, old) || (next && equalJson(next, renewAffinity(old, next, dialect))))
    return [];
  const shown = next && printed(printGoSyntax(coreV1.struct('VolumeNodeAffinity'), next));
  const why = 'field is immutable, except for updating from beta label to GA';
  return [fieldError.invalid('nodeAffinity', shown, why)];
}

/**
 * Returns the old affinity. A deprecated label name in it is replaced by the current name if the updated affinity has the current name in
 * the same expression.
 */
function renewAffinity(old: NonNullable<Affinity>, next: NonNullable<Affinity>, dialect: Dialect): unknown {
  const { required } = old;
  if (!required) return old;
  const labels = oldLabels(dialect);
  const terms = required.nodeSelectorTerms.map((term, i) => {
    // A client may have sent null for the required list.
    const other = next.required?.nodeSelectorTerms?.[i]?.matchExpressions;
    if (!term.matchExpressions) return term;
    const matchExpressions = term.matchExpressions.map((expression, n) => {
      const key = labels.get(expression.key)?.[1];
      return key !== undefined && other?.[n]?.key === key ? { ...expression, key } : expression;
    });
    return { ...term, matchExpressions };
  });
  return { ...old, required: { ...required, nodeSelectorTerms: terms } };
}

/** The names of the members of a PersistentVolume's spec that contain its source. A volume has exactly one of these members. */
const SOURCES: readonly string[] = (
  'hostPath gcePersistentDisk awsElasticBlockStore glusterfs flocker nfs rbd quobyte cephfs iscsi cinder fc flexVolume ' +
  'azureFile vsphereVolume photonPersistentDisk portworxVolume azureDisk scaleIO local storageos csi'
).split(' ');
