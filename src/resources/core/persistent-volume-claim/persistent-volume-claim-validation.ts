import { equalJson } from '../../../json/equal.js';
import { originalMember } from '../../../json/original-members.js';
import type { Dialect } from '../../../meta/dialect.js';
import { errorsOf, type FieldError, fieldError, printed } from '../../../meta/field-error.js';
import type { Host } from '../../../meta/host.js';
import { dns1123Label, dns1123Subdomain, qualifiedName } from '../../../meta/names.js';
import { METADATA_CHECK } from '../../../meta/object-meta-validation.js';
import { validateLabelSelector } from '../../../selectors/label-selector-object.js';
import { compareQuantities, parseQuantity, wholeQuantity } from '../../../values/quantity.js';
import { fractionWarnings, isNativeResource } from '../../shared/resource-rules.js';
import { structDiff } from '../../shared/struct-diff.js';
import { validateOptional } from '../../shared/value-rules.js';
import type { PersistentVolumeClaim } from '../core-v1.types.js';
import { validateAccessModes } from '../persistent-volume/persistent-volume-validation.js';
import { validateAttributesChange } from '../volumes/attributes-class.js';
import { storageClassAnnotation } from '../volumes/storage-class-annotation.js';
import { requireValue } from '../volumes/volume-source-rules.js';

/** The states of resizing a volume. */
const resizeStates = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
] as const;

type Spec = PersistentVolumeClaim['spec'];
type Source = NonNullable<Spec['dataSource']>;

const FIXED =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

/** Invalid values that are accepted in a claim. */
interface ToleratedMistakes {
  /** Whether the selector may contain values that are not valid for labels. */
  readonly anyValues: boolean;
  /** Whether `dataSource` and `dataSourceRef` may have any API group. */
  readonly anyGroup: boolean;
  /** Whether volumeAttributesClassName may have any value. */
  readonly anyAttributes?: boolean;
}

const toleratedMistakesOf = ({ selector, dataSource, dataSourceRef }: Spec): ToleratedMistakes => ({
  anyValues: selector !== undefined && validateLabelSelector(selector, '').length > 0,
  anyGroup: [dataSource, dataSourceRef].some((source) => typeof source?.apiGroup === 'string'),
});

/** Returns the validation errors of a claim, or of a claim template in a pod or a StatefulSet. */
export function validateClaim(
  spec: Spec,
  path = 'spec',
  tolerated: ToleratedMistakes = { anyValues: false, anyGroup: false },
): FieldError[] {
  const { accessModes = [], selector, resources, storageClassName, volumeMode, dataSource, dataSourceRef } = spec;
  const errors: FieldError[] = [];
  if (accessModes.length === 0)
    errors.push(fieldError.required(`${path}.accessModes`, 'at least 1 access mode is required'));
  if (selector) errors.push(...validateLabelSelector(selector, `${path}.selector`, tolerated));
  errors.push(...validateAccessModes(`${path}.accessModes`, accessModes));
  const size = resources.requests?.['storage'];
  if (size === undefined) errors.push(fieldError.required(`${path}.resources[storage]`));
  else if (parseQuantity(size).unscaled <= 0n)
    errors.push(fieldError.invalid(`${path}.resources[storage]`, size, 'must be greater than zero'));
  errors.push(...validateOptional(`${path}.storageClassName`, storageClassName, dns1123Subdomain));
  const modes = ['Block', 'Filesystem'];
  if (volumeMode !== undefined && !modes.includes(volumeMode))
    errors.push(fieldError.notSupported(`${path}.volumeMode`, volumeMode, modes));
  errors.push(
    ...(dataSource ? validateSource(`${path}.dataSource`, dataSource, tolerated) : []),
    ...(dataSourceRef ? validateSource(`${path}.dataSourceRef`, dataSourceRef, tolerated) : []),
    ...validateOptional(`${path}.dataSourceRef.namespace`, dataSourceRef?.namespace, dns1123Label),
  );
  const elsewhere = (dataSourceRef?.namespace ?? '') !== '';
  if (dataSource && dataSourceRef && (elsewhere || !areSame(dataSource, dataSourceRef))) {
    const shown = 'field.Path{name:"dataSource", index:"", parent:(*field.Path)(0xc000000000)}';
    const why = elsewhere
      ? 'may not be specified when dataSourceRef.namespace is specified'
      : 'must match dataSourceRef';
    errors.push(fieldError.invalid(path, printed(shown), why));
  }
  if (tolerated.anyAttributes) return errors;
  return [
    ...errors,
    ...validateOptional(`${path}.volumeAttributesClassName`, spec.volumeAttributesClassName, dns1123Subdomain),
  ];
}

const areSame = (a: Source, b: Source): boolean =>
  (a.apiGroup ?? null) === (b.apiGroup ?? null) && a.kind === b.kind && a.name === b.name;

function validateSource(path: string, { apiGroup, kind, name }: Source, { anyGroup }: ToleratedMistakes): FieldError[] {
  const errors = [...requireValue(`${path}.name`, name), ...requireValue(`${path}.kind`, kind)];
  const group = apiGroup ?? '';
  if (group === '' && kind !== 'PersistentVolumeClaim') {
    const why = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
    errors.push(fieldError.invalid(path, kind, why));
  }
  return anyGroup ? errors : [...errors, ...validateOptional(`${path}.apiGroup`, group, dns1123Subdomain)];
}

/**
 * Returns the validation errors of a claim update. A bound claim may grow and change its attributes class, and a claim without a volume may
 * get one. The rest of the spec is immutable.
 */
export function validateClaimUpdate(
  next: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
  { dialect, gates }: Pick<Host, 'dialect' | 'gates'>,
): FieldError[] {
  const ofSpec = validateClaim(next.spec, 'spec', toleratedMistakesOf(old.spec));
  const errors = [...ofSpec, METADATA_CHECK, METADATA_CHECK, ...ofSpec];
  const annotation = storageClassAnnotation(dialect);
  const oldClass = old.metadata.annotations?.[annotation];
  let newSpec: Spec = next.spec;
  let oldSpec: Spec = old.spec;
  if ((oldSpec.volumeName ?? '') === '' && newSpec.volumeName !== undefined)
    oldSpec = { ...oldSpec, volumeName: newSpec.volumeName };
  const newClass = next.metadata.annotations?.[annotation];
  const movesClassToField =
    oldClass !== undefined &&
    oldSpec.storageClassName === undefined &&
    newSpec.storageClassName === oldClass &&
    (newClass ?? oldClass) === oldClass;
  if (!movesClassToField && (newClass ?? '') !== (oldClass ?? ''))
    errors.push(fieldError.invalid(`metadata.annotations.${annotation}`, newClass ?? '', 'field is immutable'));
  // A claim without a storage class may get one later.
  const getsClass =
    oldSpec.storageClassName === undefined &&
    newSpec.storageClassName !== undefined &&
    (oldClass ?? newSpec.storageClassName) === newSpec.storageClassName;
  if (movesClassToField || getsClass) newSpec = withClass(newSpec, oldSpec.storageClassName);
  const isBound = next.status.phase === 'Bound';
  // As in upstream, an empty map of requests differs from an absent one.
  if (isBound && originalMember(newSpec.resources, 'requests') !== undefined)
    newSpec = withSize(newSpec, oldSpec.resources.requests?.['storage']);
  if (isBound && newSpec.volumeAttributesClassName !== undefined)
    newSpec = withAttributes(newSpec, oldSpec.volumeAttributesClassName);
  if (!equalJson(newSpec, oldSpec))
    errors.push(
      fieldError.forbidden('spec', `${FIXED}\n${structDiff('core.PersistentVolumeClaimSpec', oldSpec, newSpec)}`),
    );
  const sizes = [next.spec, old.spec].map((spec) => parseQuantity(spec.resources.requests?.['storage'] ?? '0'));
  const [size, before] = sizes;
  if (size && before && compareQuantities(size, before) < 0) {
    const path = 'spec.resources.requests.storage';
    // A failed expansion may be retried with a smaller size if that size is above the current capacity.
    const capacity = parseQuantity(old.status.capacity?.['storage'] ?? '0');
    if (!gates.RecoverVolumeExpansionFailure && !tracksResize(old.status))
      errors.push(fieldError.forbidden(path, 'field can not be less than previous value'));
    else if (compareQuantities(size, capacity) <= 0)
      errors.push(fieldError.forbidden(path, 'field can not be less than status.capacity'));
  }
  if (next.spec.volumeMode !== old.spec.volumeMode)
    errors.push(fieldError.invalid('volumeMode', next.spec.volumeMode, 'field is immutable'));
  errors.push(...validateAttributesChange(next.spec, old.spec, gates));
  if ((old.spec.volumeAttributesClassName ?? '') !== '' && next.spec.volumeAttributesClassName === '') {
    const why = 'update from non-nil value to an empty string is forbidden';
    errors.push(fieldError.forbidden('spec.volumeAttributesClassName', why));
  }
  return errors;
}

/** Whether the status contains data about an expansion. If so, the claim may shrink even if the feature gate is off. */
const tracksResize = ({ allocatedResources = {}, allocatedResourceStatuses = {} }: PersistentVolumeClaim['status']) =>
  Object.keys(allocatedResources).length + Object.keys(allocatedResourceStatuses).length > 0;

function withAttributes({ volumeAttributesClassName: _, ...spec }: Spec, name: string | undefined): Spec {
  return name === undefined ? spec : { ...spec, volumeAttributesClassName: name };
}

function withClass({ storageClassName: _, ...spec }: Spec, name: string | undefined): Spec {
  return name === undefined ? spec : { ...spec, storageClassName: name };
}

function withSize(spec: Spec, size: string | undefined): Spec {
  if (size === undefined) return spec;
  return { ...spec, resources: { ...spec.resources, requests: { ...spec.resources.requests, storage: size } } };
}

/** Returns the validation errors of the status of a claim. */
export function validateClaimStatus(status: PersistentVolumeClaim['status']): FieldError[] {
  const { capacity, allocatedResources = {}, allocatedResourceStatuses = {} } = status;
  const isKnown = (name: string) => validateResourceKey('', name).length === 0;
  return [
    ...validateAmounts('capacity', capacity),
    // As in upstream, these paths contain the former field name `allocatedResourceStatus`.
    ...errorsOf(Object.entries(allocatedResourceStatuses), ([name, state]) => [
      ...validateResourceKey('status.allocatedResourceStatus', name),
      ...(RESIZE_STATES.has(state)
        ? []
        : [fieldError.notSupported('status.allocatedResourceStatus', printed(name), [...RESIZE_STATES].sort())]),
    ]),
    ...errorsOf(Object.keys(allocatedResources), (name) => validateResourceKey('status.allocatedResources', name)),
    ...validateAmounts(
      'allocatedResources',
      Object.fromEntries(Object.entries(allocatedResources).filter(([name]) => isKnown(name))),
    ),
  ];
}

const RESIZE_STATES: ReadonlySet<string> = new Set(resizeStates);

/** Checks the name of a resource in the status. Of the built-in resources, only storage can be expanded. */
function validateResourceKey(path: string, name: string): FieldError[] {
  const problems = qualifiedName(name);
  if (problems.length > 0) return problems.map((why) => fieldError.invalid(path, name, why));
  return isNativeResource(name) && name !== 'storage' ? [fieldError.notSupported(path, name, ['storage'])] : [];
}

function validateAmounts(field: string, amounts: Readonly<Record<string, string>> = {}): FieldError[] {
  return errorsOf(Object.entries(amounts), ([name, amount]) => {
    const bytes = wholeQuantity(parseQuantity(amount));
    if (parseQuantity(amount).unscaled >= 0n) return [];
    return [fieldError.invalid(`status.${field}[${name}]`, bytes, 'must be a valid resource quantity')];
  });
}

/** Returns the warnings about a claim. */
export function claimWarnings({ metadata, spec }: PersistentVolumeClaim, dialect: Dialect): readonly string[] {
  const warnings: string[] = [];
  const annotation = storageClassAnnotation(dialect);
  if (Object.hasOwn(metadata.annotations ?? {}, annotation))
    warnings.push(
      `metadata.annotations[${annotation}]: deprecated since v1.8; use "storageClassName" attribute instead`,
    );
  return [...warnings, ...claimSizeWarnings(spec, 'spec')];
}

/** Returns warnings about sizes in a claim's spec at `path` that are not whole bytes. */
export function claimSizeWarnings({ resources }: Spec, path: string): readonly string[] {
  return (['requests', 'limits'] as const).flatMap((field) =>
    fractionWarnings(`${path}.resources.${field}`, resources[field], ['storage']),
  );
}
