import { describe, expect, it } from 'vitest';
import { parseFieldsV1 } from '../../src/fields/managed-fields.js';
import type { Convert, Manager, Managers, Typed } from '../../src/fields/merge/managers.js';
import { type ApplyResult, applyFields, trackUpdate } from '../../src/fields/merge/update.js';
import { EMPTY, leaves, type PathSet } from '../../src/fields/paths/path-set.js';
import { merge } from '../../src/fields/typed/merge.js';
import { findProblems } from '../../src/fields/typed/validate-applied.js';
import { isJsonObject, type JsonValue } from '../../src/json/value.js';
import { run as runFlow } from '../../src/meta/flow.js';
import type { Schema } from '../../src/schema/schema.js';
import { hasSharedData, readShared } from '../support/shared-data.js';
import { extractItems } from './extract-items.js';
import { deduced, readSmdSchema } from './smd-schema.js';

const applied = (...given: Parameters<typeof applyFields>) => runFlow(applyFields(...given)) as ApplyResult; // Without a pause, the flow returns synchronously.

interface Operation {
  op: string;
  manager: string;
  apiVersion: string;
  objectJson: JsonValue;
  conflicts?: { manager: string; pathKey: string[] }[];
}
interface Case {
  id: string;
  schema: string;
  converter: string | null;
  expectError: boolean;
  v4_4_1?: string;
  ops: Operation[];
  ignoredFields?: Record<string, JsonValue>;
  expect: {
    objectJson?: JsonValue;
    apiVersion?: string;
    managed?: Record<string, { apiVersion: string; fieldsV1: JsonValue }>;
  };
}

const LATER = 'the case was made after the release that this follows (4.4.1)';
/** Cases that are skipped, with the reason. */
const SKIPPED: Record<string, string> = {
  'default_keys/TestDefaultKeysFlat/apply_missing_undefaulted_defaulted_key': `${LATER}, which refuses it: see the last cases`,
  'ignore/TestIgnoreFilter/update_does_not_own_ignored': `${LATER}: reset fields were no filters`,
  'ignore/TestIgnoreFilter/update_does_not_own_deep_ignored': `${LATER}: reset fields were no filters`,
  'ignore/TestIgnoreFilter/apply_does_not_own_ignored': `${LATER}: reset fields were no filters`,
  'ignore/TestIgnoreFilter/apply_does_not_own_deep_ignored': `${LATER}: reset fields were no filters`,
  'ignore/TestFilteredFieldsUsesVersions/does_use_ignored_fields_versions': `${LATER}: reset fields were no filters`,
  'ignore/TestFilteredFieldsUsesVersions/update_does_not_steal_ignored': `${LATER}: reset fields were no filters`,
  'ignore/TestFilteredFieldsUsesVersions/apply_does_not_steal_ignored': `${LATER}: reset fields were no filters`,
  'schema_change/TestAssociativeListSchemaChanges/new required key with default': LATER,
  'schema_change/TestAssociativeListSchemaChanges/new optional key': LATER,
  'schema_change/TestPromoteFieldToAssociativeListKey/identical item merges': LATER,
  'schema_change/TestPromoteFieldToAssociativeListKey/distinct item added': LATER,
  'schema_change/TestPromoteFieldToAssociativeListKey/item missing new key field is distinct': LATER,
};
/** The new schema if a case changes the schema (the data contains only the name of the case). */
const CHANGED_TO: Record<string, string> = {
  'schema_change/TestGranularToAtomicSchemaChanges/to-atomic': 'structWithAtomicParser',
  'schema_change/TestGranularToAtomicSchemaChanges/to-atomic-owner-with-no-child-fields': 'structWithAtomicParser',
  'schema_change/TestAtomicToGranularSchemaChanges/to-granular': 'structParser',
};

const data = readShared('data/smd/merge-cases.json');

describe.skipIf(!hasSharedData)('upstream apply scenarios: operations in, object and owners out', () => {
  for (const c of (data?.cases ?? []) as Case[]) {
    it.skipIf(SKIPPED[c.id] !== undefined)(c.id + (SKIPPED[c.id] ? ` (${SKIPPED[c.id]})` : ''), () => run(c));
  }
  for (const c of (data?.onlyInV4_4_1 ?? []) as Case[]) it(`4.4.1: ${c.id}`, () => run(c));
});

function run(c: Case): void {
  const state = new State(c);
  if (c.expectError) {
    expect(() => state.runAll()).toThrow(UnidentifiableOrInvalid);
    return;
  }
  state.runAll();
  const { objectJson, apiVersion = 'v1', managed } = c.expect;
  if (objectJson !== undefined) expect(state.live(apiVersion).value).toEqual(objectJson);
  if (managed === undefined) return;
  const owners = Object.fromEntries(
    [...state.managers].map(([id, m]) => [id, { apiVersion: m.apiVersion, fields: m.fields }]),
  );
  const expected = Object.fromEntries(
    Object.entries(managed).map(([id, m]) => [id, { apiVersion: m.apiVersion, fields: parseFieldsV1(m.fieldsV1) }]),
  );
  expect(owners).toEqual(expected);
}

class UnidentifiableOrInvalid extends Error {}

/** A live object and its managers, with the schema of one case. */
class State {
  managers: Managers = new Map();
  readonly #case: Case;
  #schemaName: string;
  #live: Typed | undefined;

  constructor(c: Case) {
    this.#case = c;
    this.#schemaName = c.schema;
  }

  runAll(): void {
    for (const operation of this.#case.ops) this.#run(operation);
  }

  live(apiVersion: string): Typed {
    const empty = { schema: this.#schema(apiVersion), apiVersion, value: {} };
    const live = this.#live === undefined ? empty : this.#convert(this.#live, apiVersion);
    if (live === undefined) throw new Error(`no version ${apiVersion}`);
    return live;
  }

  #run({ op, manager, apiVersion, objectJson, conflicts = [] }: Operation): void {
    if (op === 'ChangeSchema') {
      this.#schemaName = CHANGED_TO[this.#case.id] ?? '';
      if (this.#live) this.#live = { ...this.#live, schema: this.#schema(this.#live.apiVersion) };
      return;
    }
    const live = this.live(apiVersion);
    const given: Typed = { schema: live.schema, apiVersion, value: objectJson };
    const rules = { convert: this.#convert, resetFields: (version: string) => this.#resetFields(version) };
    const named = (operation: Manager['operation']) => ({
      id: manager,
      manager: { name: manager, operation, apiVersion, subresource: '' },
    });
    if (op === 'Update') {
      this.managers = trackUpdate(live, given, this.managers, named('Update'), rules).managers;
      this.#live = given;
      return;
    }
    if (findProblems(given.schema, given.value).length > 0) throw new UnidentifiableOrInvalid();
    if (op === 'ExtractApply') {
      const own = leaves(this.managers.get(manager)?.fields ?? EMPTY);
      const extracted = extractItems(live.schema, live.value, own) ?? {};
      // The manager applies the fields that it owned, merged with the new ones.
      const result = applied(
        live,
        { ...given, value: merge(given.schema, extracted, given.value) },
        this.managers,
        named('Apply'),
        true,
        rules,
      );
      this.#accept(result);
      return;
    }
    const result = applied(live, given, this.managers, named('Apply'), op === 'ForceApply', rules);
    const met = (result.conflicts ?? []).map((x) => [x.manager.name, ...x.path]);
    expect(met.sort()).toEqual(conflicts.map((x) => [x.manager, ...x.pathKey]).sort());
    this.#accept(result);
  }

  #accept(result: ApplyResult): void {
    if (result.conflicts !== undefined) return;
    this.#live = result.object;
    this.managers = result.managers;
  }

  #resetFields(apiVersion: string): PathSet {
    return parseFieldsV1(this.#case.ignoredFields?.[apiVersion]);
  }

  #schema(apiVersion: string): Schema {
    if (this.#schemaName === 'DeducedParser') return deduced;
    const { schemaYaml, rootType } = data.schemas[this.#schemaName];
    const key = `${this.#schemaName}/${rootType ?? apiVersion}`;
    let schema = schemas.get(key);
    if (schema === undefined) schemas.set(key, (schema = readSmdSchema(schemaYaml)(rootType ?? apiVersion)));
    return schema;
  }

  readonly #convert: Convert = (object, apiVersion) => {
    if (!/^v\d$/.test(apiVersion)) return undefined;
    const rename = CONVERTERS[this.#case.converter === null ? 'none' : this.#case.schema];
    if (rename === undefined) throw new Error(`no converter for ${this.#case.schema}`);
    return { schema: this.#schema(apiVersion), apiVersion, value: rename(object.value, apiVersion) };
  };
}

const schemas = new Map<string, Schema>();

/** The conversions of the cases, which the data describes only in prose. */
const CONVERTERS: Record<string, (value: JsonValue, apiVersion: string) => JsonValue> = {
  none: (value) => value,
  // The names of fields end with the name of the version.
  structMultiversionParser: (value, apiVersion) =>
    renameMembers(value, (name) => name.replace(/_v\d$/, `_${apiVersion}`)),
  // Below the root, a name repeats its letter as often as the number of the version.
  nestedTypeParser: (value, apiVersion) =>
    isJsonObject(value)
      ? Object.fromEntries(
          Object.entries(value).map(([name, member]) => [
            name,
            renameMembers(member ?? null, (inner) => (inner[0] ?? '').repeat(Number(apiVersion[1]))),
          ]),
        )
      : value,
  // v1 has a field that exists only if the required field of v2 has a value.
  multiversionWithReliantFieldsParser: (value, apiVersion) => {
    if (!isJsonObject(value)) return value;
    const { field_foo_rely_on_bar: foo, required_field_bar: bar, ...rest } = value;
    const own = foo ?? bar;
    if (own === undefined) return value;
    return { ...rest, [apiVersion === 'v1' ? 'field_foo_rely_on_bar' : 'required_field_bar']: own };
  },
};

function renameMembers(value: JsonValue, rename: (name: string) => string): JsonValue {
  if (!isJsonObject(value)) return value;
  // If two names become one, the later field wins.
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [rename(name), renameMembers(member ?? null, rename)]));
}
