import { describe, expect, it } from 'vitest';
import { k8s, orch } from '../../src/meta/dialect.js';
import { causeReason, type FieldError, fieldErrorBody, formatFieldErrors } from '../../src/meta/field-error.js';
import { validateFieldManager } from '../../src/meta/manager-name.js';
import { nameIsDns1123Subdomain } from '../../src/meta/names.js';
import type { ObjectMeta, OwnerReference } from '../../src/meta/object-meta.js';
import {
  coreFinalizers,
  type MetadataCheck,
  type ObjectMetaRules,
  validateAnnotations,
  validateGenericName,
  validateLabels,
  validateManagedFields,
  validateMetaOnUpdate,
  validateWholeMeta,
} from '../../src/meta/object-meta-validation.js';
import { cases, goldenCauses, hasSharedData } from '../support/shared-data.js';

const core: ObjectMetaRules = {
  namespaced: true,
  nameRule: nameIsDns1123Subdomain,
  coreFinalizers: coreFinalizers(k8s),
};
const custom: ObjectMetaRules = { namespaced: true, nameRule: nameIsDns1123Subdomain };
const old: ObjectMeta = {
  name: 'a',
  namespace: 'n',
  uid: 'u',
  resourceVersion: '1',
  creationTimestamp: '2024-01-01T00:00:00Z',
};

/** Returns errors as causes, with pointers in the form of the records. */
function causes(errors: readonly FieldError[]) {
  return errors.map((e) => ({
    field: e.path,
    message: fieldErrorBody(e).replace(/0xc[0-9a-f]+/g, '<pointer>'),
    reason: causeReason(e),
  }));
}
const onCreate = (meta: ObjectMeta, rules = core) =>
  causes(validateWholeMeta({ name: 'a', namespace: 'n', ...meta }, rules));
const onUpdate = (meta: ObjectMeta, before: ObjectMeta = old, rules = core, checks?: readonly MetadataCheck[]) =>
  causes(validateMetaOnUpdate({ ...before, ...meta }, before, rules, checks).flat());

describe.skipIf(!hasSharedData)('the recorded causes', () => {
  const finalizers = (...list: string[]): ObjectMeta => ({ finalizers: list });
  it.each<[string, ObjectMeta]>([
    ['unqualified', finalizers('one')],
    ['empty string', finalizers('')],
    ['bad characters', finalizers('example.com/a b')],
    ['orphan and foregroundDeletion', finalizers('orphan', 'foregroundDeletion')],
  ])('finalizers: %s', (step, meta) => {
    expect(onCreate(meta)).toEqual(goldenCauses('resources/metadata-finalizers', step));
  });

  it('finalizers: add one while deleting', () => {
    const deleting = {
      ...old,
      finalizers: ['example.com/one', 'example.com/two'],
      deletionTimestamp: '2024-01-02T00:00:00Z',
    };
    const grown = { finalizers: [...deleting.finalizers, 'example.com/three'] };
    expect(onUpdate(grown, deleting)).toEqual(
      goldenCauses('resources/metadata-finalizers', 'add a finalizer while deleting'),
    );
    expect(onUpdate({ finalizers: ['example.com/two', 'example.com/one'] }, deleting)).toEqual([]);
    expect(onUpdate({ finalizers: ['example.com/two'] }, deleting)).toEqual([]);
  });

  it.each<[string, ObjectMeta]>([
    ['empty label key', { labels: { '': 'x' } }],
    ['label key with two slashes', { labels: { 'a/b/c': 'x' } }],
    ['label key with empty prefix', { labels: { '/c': 'x' } }],
    ['label key with empty name', { labels: { 'example.com/': 'x' } }],
    ['label key with bad prefix', { labels: { 'Example.com/x': 'x' } }],
    ['label value with space', { labels: { a: 'b c' } }],
    ['two bad labels', { labels: { 'a b': 'c d' } }],
    ['bad annotation key', { annotations: { 'a b': 'x' } }],
    ['annotation key with two slashes', { annotations: { 'a/b/c': 'x' } }],
    ['annotations over the size limit', { annotations: { k: 'x'.repeat(262144) } }],
  ])('labels and annotations: %s', (step, meta) => {
    expect(onCreate(meta)).toEqual(goldenCauses('resources/metadata-labels-annotations', step));
  });

  it('labels: four looks on update', () => {
    expect(onUpdate({ labels: { 'not ok': 'x' } })).toEqual(
      goldenCauses('resources/metadata-labels-annotations', 'bad label on update'),
    );
  });

  const ref: OwnerReference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: '<uid#1>' };
  const second: OwnerReference = { ...ref, uid: 'other-uid', name: 'second' };
  // Hostile bodies lack members that the type requires.
  const nothing = {} as OwnerReference;
  it.each<[string, OwnerReference[]]>([
    ['no apiVersion', [{ ...ref, apiVersion: '' }]],
    ['no kind', [{ ...ref, kind: '' }]],
    ['no name', [{ ...ref, name: '' }]],
    ['no uid', [{ ...ref, uid: '' }]],
    ['nothing but braces', [nothing]],
    ['an Event as owner', [{ ...ref, kind: 'Event' }]],
    [
      'two controllers',
      [
        { ...ref, controller: true },
        { ...second, controller: true },
      ],
    ],
    ['three slashes in apiVersion', [{ ...ref, apiVersion: 'a/b/c' }]],
  ])('owner references: %s', (step, ownerReferences) => {
    expect(onCreate({ ownerReferences })).toEqual(goldenCauses('resources/metadata-owner-references', step));
  });
  it('owner references: four looks on update', () => {
    expect(onUpdate({ ownerReferences: [{ ...ref, uid: '' }] })).toEqual(
      goldenCauses('resources/metadata-owner-references', 'update to a reference without uid'),
    );
  });

  it.each<[string, string, ObjectMeta]>([
    ['resources/update-rules', 'body with a deletion time', { deletionTimestamp: '2001-02-03T04:05:06Z' }],
    ['resources/update-rules', 'body with a grace period', { deletionGracePeriodSeconds: 5 }],
    ['patch/metadata', 'bad label key', { labels: { 'a b': 'x' } }],
    ['patch/metadata', 'bad label value', { labels: { a: 'b c' } }],
    ['patch/metadata', 'bad annotation key', { annotations: { 'a b': 'x' } }],
    ['patch/metadata', 'annotations too long', { annotations: { a: 'x'.repeat(300_000) } }],
    ['patch/metadata', 'finalizer without a domain', { finalizers: ['mine'] }],
    ['patch/metadata', 'finalizer with a space', { finalizers: ['example.com/a b'] }],
    ['patch/metadata', 'both collector finalizers', { finalizers: ['orphan', 'foregroundDeletion'] }],
    ['patch/metadata', 'owner without fields', { ownerReferences: [nothing] }],
  ])('%s: %s', (file, step, meta) => {
    expect(onUpdate(meta)).toEqual(goldenCauses(file, step));
  });

  it('negative generation', () => {
    expect(onCreate({ generation: -1 })).toEqual(
      goldenCauses('resources/metadata-server-owned', 'negative generation'),
    );
  });
});

describe('on create', () => {
  it('requires a name', () => {
    expect(onCreate({ name: '' })).toEqual([
      {
        field: 'metadata.name',
        message: 'Required value: name or generateName is required',
        reason: 'FieldValueRequired',
      },
    ]);
  });
  it('validates generateName before the name', () => {
    expect(onCreate({ generateName: 'Bad_', name: 'Bad_12345' }).map((c) => c.field)).toEqual([
      'metadata.generateName',
      'metadata.name',
    ]);
    expect(onCreate({ generateName: 'good-', name: 'good-12345' })).toEqual([]);
  });
  it('requires or refuses a namespace by the scope of the kind', () => {
    expect(onCreate({ namespace: '' })).toMatchObject([{ field: 'metadata.namespace', message: 'Required value' }]);
    expect(onCreate({ namespace: 'a.b' })).toMatchObject([
      { field: 'metadata.namespace', message: 'Invalid value: "a.b": must not contain dots' },
    ]);
    expect(onCreate({}, { ...core, namespaced: false })).toMatchObject([
      { field: 'metadata.namespace', message: 'Forbidden: not allowed on this type' },
    ]);
  });
  it('allows custom resources to have finalizers without a domain', () => {
    expect(onCreate({ finalizers: ['mine'] }, custom)).toEqual([]);
  });
  it("accepts the dialect's own finalizer", () => {
    const rules = { ...core, coreFinalizers: coreFinalizers(orch) };
    expect(onCreate({ finalizers: ['orch', 'orphan'] }, rules)).toEqual([]);
    expect(onCreate({ finalizers: ['kubernetes'] }, rules)).toHaveLength(1);
  });
  it('refuses names that cannot be in a URL, whatever the kind allows', () => {
    expect(onCreate({ name: 'a/b' }, { ...core, nameRule: () => [] })).toEqual([]);
    expect(causes(validateGenericName({ name: 'a/b' }))).toMatchObject([
      { message: 'Invalid value: "a/b": may not contain \'/\'' },
    ]);
  });
});

describe('on update', () => {
  const immutable = (field: string, value: string) => ({
    field: `metadata.${field}`,
    message: `Invalid value: ${value}: field is immutable`,
    reason: 'FieldValueInvalid',
  });
  it('accepts unchanged values', () => {
    expect(onUpdate({})).toEqual([]);
    expect(onUpdate({}, { ...old, creationTimestamp: null })).toEqual([]);
  });
  it('reports changes of immutable fields twice', () => {
    expect(onUpdate({ uid: 'v' })).toEqual([immutable('uid', '"v"'), immutable('uid', '"v"')]);
    expect(onUpdate({ name: 'b' })).toEqual([immutable('name', '"b"'), immutable('name', '"b"')]);
  });
  it('prints an absent value as the quoted null', () => {
    const { creationTimestamp: _, ...gone } = old;
    const [error] = causes(validateMetaOnUpdate(gone, old, core).flat());
    expect(error).toEqual(immutable('creationTimestamp', '"null"'));
  });
  it('requires a version, and generations that do not decrease', () => {
    const [version, generation] = validateMetaOnUpdate(
      { name: 'a', namespace: 'n' },
      { name: 'a', namespace: 'n', generation: 2 },
      core,
    ).flat();
    expect([version, generation].map((e) => e && formatFieldErrors([e]))).toEqual([
      'metadata.resourceVersion: Invalid value: "": must be specified for an update',
      'metadata.generation: Invalid value: 0: must not be decremented',
    ]);
  });
  it('reports an invalid label three times if the kind only validates changes', () => {
    expect(onUpdate({ labels: { a: 'b c' } }, old, custom, ['changes'])).toHaveLength(3);
  });
  it('reports an invalid label once more for each validation that the kind repeats', () => {
    const times = (...checks: MetadataCheck[]) => onUpdate({ labels: { a: 'b c' } }, old, core, checks).length;
    expect([times(), times('whole'), times('changes'), times('whole', 'whole', 'changes')]).toEqual([2, 3, 3, 5]);
  });
});

describe.skipIf(!hasSharedData)('the upstream tables', () => {
  it('labels', () => {
    for (const labels of cases<Record<string, string>[]>('meta-labels', 'TestValidateLabels', 'successCases')) {
      expect(validateLabels(labels, 'field')).toEqual([]);
    }
    for (const name of ['labelNameErrorCases', 'labelValueErrorCases']) {
      type Case = { labels: Record<string, string>; expect: string };
      for (const c of cases<Case[]>('meta-labels', 'TestValidateLabels', name)) {
        expect(formatFieldErrors(validateLabels(c.labels, 'field'))).toContain(c.expect);
      }
    }
  });

  it('annotations', () => {
    for (const annotations of cases<Record<string, string>[]>(
      'meta-names',
      'TestValidateAnnotations',
      'successCases',
    )) {
      expect(validateAnnotations(annotations, 'field')).toEqual([]);
    }
    type Case = { annotations: Record<string, string>; expect: string };
    for (const c of cases<Case[]>('meta-names', 'TestValidateAnnotations', 'nameErrorCases')) {
      expect(formatFieldErrors(validateAnnotations(c.annotations, 'field'))).toContain(c.expect);
    }
  });

  it('managed fields', () => {
    type Entry = Record<string, string>;
    const entry = (e: Entry) =>
      Object.fromEntries(Object.entries(e).map(([k, v]) => [k[0]?.toLowerCase() + k.slice(1), v]));
    for (const e of cases<Entry[]>('meta-labels', 'TestValidateMangedFieldsValid', 'tests')) {
      expect(validateManagedFields([entry(e)], 'field')).toEqual([]);
    }
    for (const e of cases<Entry[]>('meta-labels', 'TestValidateManagedFieldsInvalid', 'tests')) {
      expect(validateManagedFields([entry(e)], 'field')).not.toEqual([]);
    }
    for (const m of cases<string[]>('meta-labels', 'TestValidateFieldManagerValid', 'tests')) {
      expect(validateFieldManager(m, 'field')).toEqual([]);
    }
  });
});

describe('sizes and managers', () => {
  it('counts annotations in bytes', () => {
    expect(validateAnnotations({ k: 'x'.repeat(262143) }, 'f')).toEqual([]);
    expect(validateAnnotations({ k: 'ä'.repeat(131072) }, 'f')).toHaveLength(1);
    expect(validateAnnotations({ kk: '😀'.repeat(65535) }, 'f')).toEqual([]);
    expect(validateAnnotations({ kkkkk: '😀'.repeat(65535) }, 'f')).toHaveLength(1);
  });
  it('counts the position of a bad character in bytes', () => {
    expect(formatFieldErrors(validateFieldManager('ä\nb', 'fieldManager'))).toBe(
      'fieldManager: Invalid value: "ä\\nb": invalid character U+000A (at position 2)',
    );
    expect(formatFieldErrors(validateFieldManager('ä'.repeat(65), 'fieldManager'))).toBe(
      'fieldManager: Too long: must have at most 128 bytes',
    );
  });
  it('treats a label called __proto__ like any other', () => {
    const labels: Record<string, string> = JSON.parse('{"__proto__": "a b"}');
    expect(validateLabels(labels, 'f').map((e) => e.value)).toEqual(['"__proto__"', '"a b"']);
  });
});
