import { originalMember } from '../json/original-members.js';
import { quote } from '../values/quote.js';
import { printTime } from '../values/time.js';
import { isLongerThan, utf8Length } from '../values/utf8.js';
import type { Dialect } from './dialect.js';
import { addErrors, errorsOf, type FieldError, fieldError, isFull, printed } from './field-error.js';
import { validateFieldManager } from './manager-name.js';
import { labelValue, type NameRule, nameIsDns1123Label, nameIsPathSegment, qualifiedName } from './names.js';
import type { ManagedFieldsEntry, ObjectMeta } from './object-meta.js';
import { validateOwnerReferences } from './owner-references.js';

/** The rules that a kind has for the metadata of its objects. */
export interface ObjectMetaRules {
  readonly namespaced: boolean;
  readonly nameRule: NameRule;
  /**
   * The finalizers that need no domain ({@link coreFinalizers}). Built-in kinds set this member and refuse every other finalizer without a
   * domain. Custom resources leave it out and accept all finalizers.
   */
  readonly coreFinalizers?: readonly string[];
}

/** Returns the finalizers that the API itself defines. */
export function coreFinalizers(dialect: Dialect): readonly string[] {
  return [dialect.namespaceFinalizer, 'orphan', 'foregroundDeletion'];
}

/**
 * Returns the errors of a name that cannot be part of a path. Upstream's generic code validates the metadata of a new object a second time,
 * but only if the kind's own validation found no error. Only the rule for names can then find one.
 */
export function validateGenericName(meta: ObjectMeta, path = 'metadata'): FieldError[] {
  return validateName(meta, nameIsPathSegment, path);
}

/** A check of an update's metadata: of the new object as a whole, or of its changes. */
export type MetadataCheck = 'whole' | 'changes';

/**
 * The place in a kind's list of errors of an update at which upstream's code for the kind checks the metadata. {@link joinErrors} replaces
 * it by the errors of the check.
 */
export const METADATA_CHECK: FieldError = Object.freeze({ type: 'Internal', path: 'metadata', detail: '' });

/** Errors of the metadata of an update: first those that upstream's generic code finds, then those of each check of the kind's own code. */
export type MetadataErrors = readonly (readonly FieldError[])[];

const NO_ERRORS: MetadataErrors = [[]];

/**
 * Returns all errors of the metadata of an update (spec 2.10). Some errors are repeated, as in upstream's responses: upstream's generic
 * code and the kind's own code both validate the metadata, and both check the new object as a whole as well as its changes. Before the
 * call, the registry fills in the fields that the client left out (uid, resourceVersion, generation, times of creation and deletion, grace
 * period). After the call, it joins the errors with those of the object's other fields.
 * @param kindChecks the checks that the kind's own code repeats, in their order. Default: `changes`, then `whole`.
 */
export function validateMetaOnUpdate(
  next: ObjectMeta,
  old: ObjectMeta,
  rules: ObjectMetaRules,
  kindChecks: readonly MetadataCheck[] = ['changes', 'whole'],
): MetadataErrors {
  const path = 'metadata';
  const whole = validateWholeMeta(next, rules, path);
  const changes = validateChanges(next, old, path);
  // If the object as a whole has no errors, only its name and its changes remain to be checked.
  if (whole.length === 0) {
    const generic = [...validateGenericName(next, path), ...changes];
    return generic.length === 0
      ? NO_ERRORS
      : [generic, ...kindChecks.map((check) => (check === 'changes' ? changes : []))];
  }
  const entries = entryErrors(next, path).flat();
  const { finalizers } = next;
  const domains = finalizers ? validateFinalizerDomains(finalizers, rules.coreFinalizers, `${path}.finalizers`) : NONE;
  const ofChanges = [...changes, ...entries, ...domains];
  return [
    [
      ...validateWholeMeta(next, { namespaced: rules.namespaced, nameRule: nameIsPathSegment }, path),
      ...changes,
      ...entries,
    ],
    ...kindChecks.map((check) => (check === 'whole' ? whole : ofChanges)),
  ];
}

/**
 * Joins the errors of the metadata of an update with the kind's own. The last checks of the metadata are at the places that the kind's list
 * has for them ({@link METADATA_CHECK}); the generic errors and the other checks come first.
 */
export function joinErrors(ofMetadata: MetadataErrors, own: readonly FieldError[]): readonly FieldError[] {
  const places = own.filter((error) => error === METADATA_CHECK).length;
  let check = Math.max(ofMetadata.length - places, 1);
  const errors = ofMetadata.slice(0, check).flat();
  for (const error of own)
    if (error === METADATA_CHECK) errors.push(...(ofMetadata[check++] ?? []));
    else errors.push(error);
  return errors;
}

/**
 * Returns the errors of an object's metadata as a whole, each once (spec 2.10). For an object to create, the registry appends the errors of
 * its other fields. If there are none at all, {@link validateGenericName} has to be called.
 */
export function validateWholeMeta(meta: ObjectMeta, rules: ObjectMetaRules, path = 'metadata'): FieldError[] {
  const errors = validateName(meta, rules.nameRule, path);
  const { namespace = '', generation = 0 } = meta;
  if (!rules.namespaced) {
    if (namespace !== '') errors.push(fieldError.forbidden(`${path}.namespace`, 'not allowed on this type'));
  } else if (namespace === '') {
    errors.push(fieldError.required(`${path}.namespace`));
  } else {
    for (const problem of nameIsDns1123Label(namespace, false)) {
      errors.push(fieldError.invalid(`${path}.namespace`, namespace, problem));
    }
  }
  if (generation < 0) {
    errors.push(fieldError.invalid(`${path}.generation`, generation, 'must be greater than or equal to 0'));
  }
  const { finalizers } = meta;
  const [labels, annotations, owners, managedFields] = entryErrors(meta, path);
  errors.push(...labels, ...annotations, ...owners);
  if (finalizers) errors.push(...validateFinalizers(finalizers, `${path}.finalizers`));
  errors.push(...managedFields);
  if (finalizers) errors.push(...validateFinalizerDomains(finalizers, rules.coreFinalizers, `${path}.finalizers`));
  return errors;
}

function validateName(meta: ObjectMeta, rule: NameRule, path: string): FieldError[] {
  const { name = '', generateName = '' } = meta;
  const errors: FieldError[] = [];
  if (generateName !== '') {
    for (const problem of rule(generateName, true)) {
      errors.push(fieldError.invalid(`${path}.generateName`, generateName, problem));
    }
  }
  if (name === '') errors.push(fieldError.required(`${path}.name`, 'name or generateName is required'));
  else for (const problem of rule(name, false)) errors.push(fieldError.invalid(`${path}.name`, name, problem));
  return errors;
}

/** Validates the changes of metadata. Each error is returned once. */
function validateChanges(next: ObjectMeta, old: ObjectMeta, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (old.deletionTimestamp !== undefined) {
    errors.push(...validateNoNewFinalizers(next.finalizers, old.finalizers, `${path}.finalizers`));
  }
  const { resourceVersion = '', generation = 0 } = next;
  if (resourceVersion === '') {
    errors.push(fieldError.invalid(`${path}.resourceVersion`, resourceVersion, 'must be specified for an update'));
  }
  if (generation < (old.generation ?? 0)) {
    errors.push(fieldError.invalid(`${path}.generation`, generation, 'must not be decremented'));
  }
  for (const field of ['name', 'namespace', 'uid'] as const) {
    const value = next[field] ?? '';
    if (value !== (old[field] ?? '')) errors.push(immutable(`${path}.${field}`, value));
  }
  for (const field of ['creationTimestamp', 'deletionTimestamp'] as const) {
    const value = next[field] ?? undefined;
    if (value !== (old[field] ?? undefined)) {
      errors.push(immutable(`${path}.${field}`, value === undefined ? undefined : printed(printTime(value))));
    }
  }
  const { deletionGracePeriodSeconds: grace } = next;
  if (grace !== old.deletionGracePeriodSeconds) errors.push(immutable(`${path}.deletionGracePeriodSeconds`, grace));
  return errors;
}

/**
 * Returns the errors that both the validation of the whole object and the validation of its changes find: of labels, annotations, owner
 * references and managed fields, in this order.
 */
function entryErrors({ labels, annotations, ownerReferences, managedFields }: ObjectMeta, path: string) {
  return [
    labels ? validateLabels(labels, `${path}.labels`) : NONE,
    annotations ? validateAnnotations(annotations, `${path}.annotations`) : NONE,
    ownerReferences ? validateOwnerReferences(ownerReferences, `${path}.ownerReferences`) : NONE,
    managedFields ? validateManagedFields(managedFields, `${path}.managedFields`) : NONE,
  ] as const;
}

const NONE: readonly FieldError[] = [];

const immutable = (path: string, value: unknown) => fieldError.invalid(path, value, 'field is immutable');

/** Validates labels: keys must be qualified names, and values label values. The path of every error is the path of the map. */
export function validateLabels(labels: ObjectMeta['labels'], path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(labels ?? {})) {
    if (isFull(errors)) break;
    for (const problem of qualifiedName(key)) errors.push(fieldError.invalid(path, key, problem));
    for (const problem of labelValue(value)) errors.push(fieldError.invalid(path, value, problem));
  }
  return errors;
}

/** The maximum size in bytes of all keys and values of an object's annotations together. */
export const MAX_ANNOTATION_BYTES = 256 * 1024;

/**
 * Validates annotations. Keys must be qualified names in upper or lower case, and values may be any strings. All keys and values together
 * take at most 256 KiB.
 */
export function validateAnnotations(annotations: ObjectMeta['annotations'], path: string): FieldError[] {
  const errors: FieldError[] = [];
  const entries = Object.entries(annotations ?? {});
  let units = 0;
  for (const [key, value] of entries) {
    if (isFull(errors)) break;
    for (const problem of qualifiedName(key.toLowerCase())) errors.push(fieldError.invalid(path, key, problem));
    units += key.length + value.length;
  }
  // A UTF-16 unit takes one to three bytes, so bytes are counted only if three bytes per unit would exceed the limit.
  const bytes =
    units * 3 <= MAX_ANNOTATION_BYTES ? 0 : entries.reduce((n, [k, v]) => n + utf8Length(k) + utf8Length(v), 0);
  if (bytes > MAX_ANNOTATION_BYTES) errors.push(fieldError.tooLong(path, MAX_ANNOTATION_BYTES));
  return errors;
}

/** The members of metadata that a template for claims must not have, in the order in which errors are reported. */
const REFUSED_IN_TEMPLATES: readonly string[] = [
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'ownerReferences',
  'finalizers',
  'managedFields',
];

/**
 * Validates the metadata of a template for claims. Only annotations and labels are copied to the claims, so other members are refused. As
 * in upstream, an empty list counts as set, and the path of `uid` is spelled `uID`.
 */
export function validateTemplateMeta(meta: ObjectMeta, path: string): FieldError[] {
  return [
    ...validateAnnotations(meta.annotations, `${path}.annotations`),
    ...validateLabels(meta.labels, `${path}.labels`),
    ...REFUSED_IN_TEMPLATES.filter((name) => (originalMember(meta, name) ?? null) !== null).map((name) =>
      fieldError.forbidden(`${path}.${name === 'uid' ? 'uID' : name}`, 'cannot be set'),
    ),
  ];
}

/** Validates finalizers: they must be qualified names, and the two finalizers of the garbage collector exclude each other. */
function validateFinalizers(finalizers: readonly string[], path: string): FieldError[] {
  const errors = errorsOf(finalizers, (finalizer) =>
    qualifiedName(finalizer).map((problem) => fieldError.invalid(path, finalizer, problem)),
  );
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    errors.push(fieldError.invalid(path, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set'));
  }
  return errors;
}

/**
 * Validates the domains of finalizers: a finalizer without a domain must be in `core`. If `core` is undefined, all finalizers are accepted.
 */
function validateFinalizerDomains(
  finalizers: readonly string[],
  core: readonly string[] | undefined,
  path: string,
): FieldError[] {
  if (core === undefined) return [];
  const why = 'name is neither a standard finalizer name nor is it fully qualified';
  return errorsOf(finalizers, (finalizer, index) =>
    finalizer.includes('/') || core.includes(finalizer)
      ? []
      : [fieldError.invalid(`${path}[${index}]`, finalizer, why)],
  );
}

function validateNoNewFinalizers(
  next: readonly string[] = [],
  old: readonly string[] = [],
  path: string,
): FieldError[] {
  const known = new Set(old);
  const added = [...new Set(next)].filter((finalizer) => !known.has(finalizer)).sort();
  if (added.length === 0) return [];
  const list = `found new finalizers []string{${added.map(quote).join(', ')}}`;
  return [fieldError.forbidden(path, `no new finalizers can be added if the object is being deleted, ${list}`)];
}

const MAX_SUBRESOURCE_BYTES = 256;

/** Returns the errors of an object's managedFields. The fields that they list are not checked (spec 6.6). */
export function validateManagedFields(entries: readonly ManagedFieldsEntry[] | undefined, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, entry] of (entries ?? []).entries()) {
    const found: FieldError[] = [];
    const at = `${path}[${index}]`;
    const { operation = '', fieldsType = '', manager = '', subresource = '' } = entry;
    if (operation !== 'Apply' && operation !== 'Update') {
      found.push(fieldError.invalid(`${at}.operation`, operation, 'must be `Apply` or `Update`'));
    }
    if (fieldsType !== '' && fieldsType !== 'FieldsV1') {
      found.push(fieldError.invalid(`${at}.fieldsType`, fieldsType, 'must be `FieldsV1`'));
    }
    found.push(...validateFieldManager(manager, `${at}.manager`));
    if (isLongerThan(subresource, MAX_SUBRESOURCE_BYTES)) {
      found.push(fieldError.tooLong(`${at}.subresource`, MAX_SUBRESOURCE_BYTES));
    }
    if (found.length === 0) continue;
    addErrors(errors, found);
    if (isFull(errors)) break;
  }
  return errors;
}
