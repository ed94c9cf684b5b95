import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { capUpdateManagers, trackOwnership } from '../../src/fields/field-manager.js';
import { decodeManagedFields, encodeManagedFields } from '../../src/fields/managed-fields.js';
import { type Manager, managerId } from '../../src/fields/merge/managers.js';
import { conflictError } from '../../src/fields/merge/update.js';
import { formatPath, parsePathElement } from '../../src/fields/paths/path-element.js';
import { fieldPathSet } from '../../src/fields/paths/path-set.js';
import type { JsonObject } from '../../src/json/value.js';
import { isApiError } from '../../src/meta/api-error.js';
import { k8s } from '../../src/meta/dialect.js';
import type { ApiObject, ManagedFieldsEntry } from '../../src/meta/object-meta.js';
import type { ObjectSchema } from '../../src/schema/schema.js';
import { applyOwnership } from '../support/apply-ownership.js';
import { hasSharedData, readShared } from '../support/shared-data.js';
import { integer, kind, listOf, mapList, string, strings, struct } from './kinds.js';

const tables: { test: string; cases: never[] }[] = readShared('data/k8s-tables/ssa-fieldmanager.json')?.tables ?? [];
// biome-ignore lint/suspicious/noExplicitAny: each table has a shape of its own
const casesOf = (test: string): any[] => tables.find((table) => table.test === test)?.cases ?? [];

const anyScalar = { type: 'intOrString' } as const;
const container = struct({
  name: string,
  image: string,
  args: listOf(string),
  command: listOf(string),
  ports: mapList(
    struct({ containerPort: integer, protocol: { type: 'string', default: 'TCP' } }),
    'containerPort',
    'protocol',
  ),
});
const template = struct({
  metadata: struct({ labels: strings, name: string }),
  spec: struct({ containers: mapList(container, 'name') }),
});
const port = struct({
  name: string,
  port: integer,
  protocol: { type: 'string', default: 'TCP' },
  targetPort: anyScalar,
});
const SCHEMAS: Record<string, ObjectSchema> = {
  Deployment: kind({
    spec: struct({ replicas: integer, selector: struct({ matchLabels: strings }, { mapType: 'atomic' }), template }),
  }),
  Service: kind({
    spec: struct({
      ports: mapList(port, 'port', 'protocol'),
      selector: { ...strings, mapType: 'atomic' } as ObjectSchema,
    }),
  }),
  ReplicationController: kind({
    spec: struct({ replicas: integer, selector: { ...strings, mapType: 'atomic' } as ObjectSchema, template }),
  }),
  Pod: kind({
    spec: struct({
      containers: mapList(container, 'name'),
      nodeSelector: { ...strings, mapType: 'atomic' } as ObjectSchema,
      nodeName: string,
      restartPolicy: string,
    }),
  }),
};

describe.skipIf(!hasSharedData)('upstream tables of the field manager', () => {
  describe('path elements', () => {
    for (const text of casesOf('TestPathElementRoundTrip'))
      it(`reads ${text}`, () => expect(parsePathElement(text)).toBe(text));
    for (const text of casesOf('TestNewPathElementError')) {
      it(`refuses ${JSON.stringify(text)}`, () => expect(() => parsePathElement(text)).toThrow(SyntaxError));
    }
  });

  describe('managedFields', () => {
    for (const yaml of casesOf('TestRoundTripManagedFields')) {
      it(`reads and writes ${yaml.slice(0, 100)}`, () => {
        const entries: ManagedFieldsEntry[] = parse(yaml) ?? [];
        const written = encodeManagedFields(decodeManagedFields(entries)) ?? [];
        expect(written).toEqual(entries);
      });
    }
    for (const { managedFieldsEntry, expected } of casesOf('TestBuildManagerIdentifier')) {
      it(`identifies ${expected}`, () => {
        const [manager] = decodeManagedFields([{ fieldsType: 'FieldsV1', ...parse(managedFieldsEntry) }]).values();
        expect(manager && managerId(manager)).toBe(expected);
      });
    }
    for (const { name, managedFields, expected } of casesOf('TestSortEncodedManagedFields')) {
      if (!managedFields?.length) continue;
      if (name === 'sort drops nanoseconds') continue; // times have whole seconds here
      it(`sorts: ${name}`, () => {
        const managers = managedFields.map(managerOf);
        const sorted = encodeManagedFields(new Map(managers.map((m: Manager, i: number) => [String(i), m])));
        expect(
          sorted?.map(({ manager, operation, time, subresource }) => [manager, operation, time, subresource]),
        ).toEqual(
          expected.map(managerOf).map((m: Manager) => [m.name, m.operation, m.time, m.subresource || undefined]),
        );
      });
    }
    for (const { name, input, expected } of casesOf('TestCapUpdateManagers')) {
      it(`caps: ${name}`, () => {
        const managers = new Map<string, Manager>(input.map(entryOf).map((m: Manager) => [managerId(m), m]));
        const capped = encodeManagedFields(capUpdateManagers(managers, 3));
        const wanted = new Map<string, Manager>(expected.map(entryOf).map((m: Manager) => [managerId(m), m]));
        expect(capped).toEqual(encodeManagedFields(wanted));
      });
    }
  });

  describe('conflicts', () => {
    for (const { conflict, expected } of casesOf('TestNewConflictError')) {
      it(expected.ErrStatus.Message, () => {
        const list: { Manager: string; Path: string[] }[] = conflict.v;
        const error = conflictError(
          list.map(({ Manager, Path }) => {
            const { manager: name, operation, apiVersion = '', subresource = '' } = JSON.parse(Manager);
            return { manager: { name, operation, apiVersion, subresource, fields: {} }, path: Path };
          }),
        );
        // The managers in the data have a time, which the server omits.
        const untimed = (text: string) => text.replaceAll(/ at \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '');
        expect(error.message).toBe(untimed(expected.ErrStatus.Message));
        expect(error.status.details?.causes?.map(({ message, field }) => [message, field]).sort()).toEqual(
          expected.ErrStatus.Details.Causes.map((x: { Message: string; Field: string }) => [
            untimed(x.Message),
            x.Field,
          ]).sort(),
        );
      });
    }
  });

  describe('kubectl with client-side apply before server-side apply', () => {
    for (const test of [
      'TestApplyUsingLastAppliedAnnotation',
      'TestServiceApply',
      'TestReplicationControllerApply',
      'TestPodApply',
    ]) {
      for (const [i, c] of casesOf(test).entries()) {
        it(`${test} ${i}: ${/#[^\n]*expect[^\n]*|#[^\n]*/.exec(c.applied)?.[0] ?? ''}`, () => runLastApplied(c));
      }
    }
    it('updates its annotation', () => {
      const schema = SCHEMAS['Deployment'] as ObjectSchema;
      const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
      const live = {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'd', annotations: { [annotation]: '{}' } },
      };
      const applied = { kind: 'Deployment', apiVersion: 'apps/v1', metadata: { name: 'd', annotations: { a: '<b>' } } };
      const common = {
        schema,
        live,
        applied,
        kind: 'Deployment',
        apiVersion: 'apps/v1',
        subresource: '',
        force: false,
        now: 0,
      };
      expect(applyOwnership({ ...common, manager: 'other' }).metadata.annotations?.[annotation]).toBe('{}');
      expect(applyOwnership({ ...common, manager: 'kubectl' }).metadata.annotations).toEqual({
        a: '<b>',
        [annotation]:
          '{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"annotations":{"a":"\\u003cb\\u003e"},"name":"d"}}\n',
      });
      const big = { ...applied, metadata: { name: 'd', annotations: { a: 'x'.repeat(200 * 1024) } } };
      const annotations = applyOwnership({ ...common, applied: big, manager: 'kubectl' }).metadata.annotations;
      expect(Object.keys(annotations ?? {})).toEqual(['a']);
    });
    it.each<[string, object, boolean]>([
      ['of the same kind', { kind: 'Deployment' }, true],
      ['of another kind', { kind: 'StatefulSet' }, false],
      ['without a kind', {}, false],
      ['of another version', { kind: 'Deployment', apiVersion: 'apps/v1beta1' }, false],
    ])('takes over the fields of an annotation only if it is of the same kind and version: %s', (_, type, taken) => {
      const text = JSON.stringify({ apiVersion: 'apps/v1', spec: { replicas: 1 }, ...type });
      const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': text };
      const about = { apiVersion: 'apps/v1', kind: 'Deployment' };
      const apply = () =>
        applyOwnership({
          schema: SCHEMAS['Deployment'] as ObjectSchema,
          live: { ...about, metadata: { name: 'd', annotations }, spec: { replicas: 1 } } as ApiObject,
          applied: { ...about, metadata: { name: 'd' }, spec: { replicas: 2 } },
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          subresource: '',
          manager: 'kubectl',
          force: false,
          now: 0,
        });
      if (taken) expect(apply()).toMatchObject({ spec: { replicas: 2 } });
      else expect(apply).toThrow('Apply failed with 1 conflict');
    });
  });
});

interface LastApplied {
  fieldManager: string;
  lastApplied?: string | never[];
  original: string;
  applied: string;
  expectConflictSet?: { paths: string[][] };
}
function runLastApplied({ fieldManager, lastApplied, original, applied, expectConflictSet }: LastApplied): void {
  const made = parse(original) as ApiObject;
  const schema = SCHEMAS[made.kind] as ObjectSchema;
  // As in the data, the object is created by an update, with the annotation of a client-side apply if there is one.
  const annotation =
    typeof lastApplied === 'string'
      ? JSON.stringify(parse(lastApplied))
      : (made.metadata.annotations?.['x'] ?? defaultAnnotation(lastApplied, made));
  const annotations =
    annotation === undefined ? {} : { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': annotation } };
  const next = { ...made, metadata: { ...made.metadata, ...annotations } };
  const common = { schema, apiVersion: made.apiVersion, subresource: '', now: 0 };
  const live = trackOwnership({
    ...common,
    manager: 'test_client_side_apply',
    live: undefined,
    next,
    rulings: k8s.rulings,
  });
  const body = parse(applied) as JsonObject;
  const apply = () =>
    applyOwnership({ ...common, manager: fieldManager, kind: made.kind, live, applied: body, force: false });
  if (expectConflictSet === undefined) {
    apply();
    return;
  }
  let fields: (string | undefined)[] | undefined;
  try {
    apply();
  } catch (error) {
    if (!isApiError(error)) throw error;
    fields = error.status.details?.causes?.map((cause) => cause.field);
  }
  expect(fields?.sort()).toEqual(expectConflictSet.paths.map(formatPath).sort());
}
// Without an annotation in the data, the object itself is the last applied one; an empty list means that there is none.
function defaultAnnotation(lastApplied: unknown, made: ApiObject): string | undefined {
  return lastApplied === undefined ? JSON.stringify(made) : '';
}

interface EncodedManager {
  Manager: string;
  Operation: Manager['operation'];
  APIVersion?: string;
  Subresource?: string;
  Time?: { args: string[] } | null;
}
function managerOf({ Manager, Operation, APIVersion = '', Subresource = '', Time }: EncodedManager): Manager {
  const time = Time?.args[0];
  return {
    name: Manager,
    operation: Operation,
    apiVersion: APIVersion,
    subresource: Subresource,
    ...(time ? { time } : {}),
    fields: {},
  };
}
/** `entry(name, version, day, set(...))`. */
function entryOf({
  args: [name, apiVersion, day, { args: fields }],
}: {
  args: [string, string, number, { args: string[] }];
}): Manager {
  const time = `2001-01-0${day}T01:00:00Z`;
  return { name, operation: 'Update', apiVersion, subresource: '', time, fields: fieldPathSet(fields) };
}
