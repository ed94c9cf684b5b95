import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/json/value.js';
import { type FieldError, formatFieldError } from '../../../src/meta/field-error.js';
import type { CustomResourceDefinition } from '../../../src/resources/apiextensions/apiextensions-v1.types.js';
import { validateCrd } from '../../../src/resources/apiextensions/validation/crd-validation.js';
import { fromGoSchema, type Go, isRecord, lowered, resolved } from '../../support/go-structs.js';
import { cases, hasSharedData } from '../../support/shared-data.js';
import { context } from '../steps.js';

interface Expected {
  readonly $call: string;
  readonly args: readonly (string | number)[];
}
interface Row {
  readonly name: string;
  readonly resource: Go;
  readonly old?: Go;
  readonly errors?: readonly Expected[] | null;
}

const schemaOf = (validation: unknown) =>
  isRecord(validation) && validation['OpenAPIV3Schema']
    ? { openAPIV3Schema: fromGoSchema(validation['OpenAPIV3Schema']) }
    : undefined;

/** The members of versions and, in the internal form of all versions, those of the whole definition. */
function partsOf({ Schema, Validation, Subresources, AdditionalPrinterColumns, SelectableFields }: Go): JsonObject {
  const schema = schemaOf(Schema ?? Validation);
  return {
    ...(schema && { schema }),
    ...(Subresources ? { subresources: lowered(Subresources) } : {}),
    ...(AdditionalPrinterColumns ? { additionalPrinterColumns: lowered(AdditionalPrinterColumns) } : {}),
    ...(SelectableFields ? { selectableFields: lowered(SelectableFields) } : {}),
  };
}

/** Returns a definition in the internal form of every version, in the notation of v1. */
function definitionOf(go: Go): CustomResourceDefinition {
  const { ObjectMeta, Spec = {}, Status } = resolved(go) as { ObjectMeta?: Go; Spec?: Go; Status?: Go };
  const { Versions, Version, Conversion, Group = '', Scope = '', Names, PreserveUnknownFields } = Spec;
  const shared = partsOf(Spec);
  const versions = (
    (Versions as Go[] | undefined) ?? (Version ? [{ Name: Version, Served: true, Storage: true }] : [])
  ).map((version) => {
    const { Name, Served, Storage, Deprecated, DeprecationWarning } = version;
    return {
      ...(lowered({ Name, Served, Storage, Deprecated, DeprecationWarning }) as JsonObject),
      ...shared,
      ...partsOf(version),
    };
  });
  const { Strategy, WebhookClientConfig, ConversionReviewVersions: given } = (Conversion as Go | undefined) ?? {};
  // Rows rely on a default of the internal form.
  const ConversionReviewVersions = given ?? (Strategy === 'Webhook' ? ['v1beta1'] : undefined);
  const webhook = {
    ...(WebhookClientConfig ? { clientConfig: lowered(WebhookClientConfig) } : {}),
    ...(ConversionReviewVersions ? { conversionReviewVersions: lowered(ConversionReviewVersions) } : {}),
  };
  const { AcceptedNames, StoredVersions, Conditions } = Status ?? {};
  const names = (of: unknown) => ({ plural: '', kind: '', ...(lowered(of ?? {}) as JsonObject) });
  return {
    metadata: lowered(ObjectMeta ?? {}),
    spec: {
      group: Group,
      scope: Scope,
      names: names(Names),
      versions,
      ...(Conversion
        ? { conversion: { strategy: Strategy, ...(Object.keys(webhook).length > 0 && { webhook }) } }
        : {}),
      ...(PreserveUnknownFields ? { preserveUnknownFields: true } : {}),
    },
    status: {
      acceptedNames: names(AcceptedNames),
      storedVersions: StoredVersions ?? null,
      conditions: lowered(Conditions ?? []),
    },
  } as unknown as CustomResourceDefinition;
}

/** Returns a definition that is valid except for the given parts. */
function definition({ stored = ['v1'], ...parts }: Go): CustomResourceDefinition {
  return definitionOf({
    ObjectMeta: { Name: 'plural.group.com' },
    Spec: {
      Group: 'group.com',
      Scope: 'Cluster',
      Versions: [{ Name: 'v1', Served: true, Storage: true }],
      Names: { Plural: 'plural', Singular: 'singular', Kind: 'Plural', ListKind: 'PluralList' },
      Validation: { OpenAPIV3Schema: { Type: 'object' } },
      ...parts,
    },
    Status: { StoredVersions: stored },
  });
}

const TYPES: Readonly<Record<string, string>> = {
  unsupported: 'NotSupported',
  required: 'Required',
  forbidden: 'Forbidden',
  duplicate: 'Duplicate',
  tooMany: 'TooMany',
  invalidtypecode: 'TypeInvalid',
};
function expected({ $call, args }: Expected): string {
  const path = $call === 'invalidIndex' ? [...args.slice(1, -1), `${args.at(-1)}[${args[0]}]`] : args;
  return `${TYPES[$call] ?? 'Invalid'} ${path.join('.')}`;
}
const found = ({ type, path }: FieldError) => `${type} ${path}`;

/** @param whole whether other errors are unexpected */
function compare(told: readonly FieldError[], errors: readonly Expected[] | null = [], whole = true): void {
  const missing = (errors ?? []).map(expected);
  const extra = told.map(found).filter((one) => {
    const at = missing.indexOf(one);
    if (at >= 0) missing.splice(at, 1);
    return at < 0;
  });
  expect({ missing, extra: whole ? extra : [] }).toEqual({ missing: [], extra: [] });
}

/** Rows that v1 cannot express, or a server of 1.31 cannot store. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  // The internal form has a version and other members of its own, in addition to those of versions.
  'webhook conversion without preserveUnknownFields=false',
  'bad names 01',
  'per-version fields may not all be set to identical values (top-level field should be used instead)',
  'top-level and per-version fields are mutually exclusive',
  // A member that is equal in all versions moves to the whole definition, whose versions then have no schema.
  'selectableFields with duplicate jsonPaths are invalid',
  // The reasons are missing in the table.
  'x-kubernetes-validations should have valid reason and fieldPath',
  // These definitions were stored before the rules existed.
  'invalid types updates allowed if old object has invalid types',
  'non-structural updates allowed if old object has non-structural schema',
  'non-atomic items in lists of type set allowed if pre-existing',
  'allow non-required key with no default in list of type map if pre-existing',
  'allow nullable key in list of type map if pre-existing',
  'allow nullable item in list of type map if pre-existing',
  'allow nullable items in list of type set if pre-existing',
  // Defaults are disabled in this row.
  'valid map with some required, some defaulted, and non-key fields',
]);
const isHere = ([name]: readonly [string, unknown]) => !ELSEWHERE.has(name);

const rowsOf = (test: string) =>
  cases<Row[]>('crd', test, 'tests')
    .map((row) => [row.name, row] as const)
    .filter(isHere);

describe.skipIf(!hasSharedData)("the upstream's tables of definitions", () => {
  it.each([...rowsOf('TestValidateCustomResourceDefinition'), ...rowsOf('TestSelectableFields')])(
    'new: %s',
    async (_name, { resource, errors }) => {
      const told = await validateCrd(definitionOf(resource), undefined, context);
      compare(told, errors);
    },
  );

  it.each(rowsOf('TestValidateCustomResourceDefinitionUpdate'))(
    'changed: %s',
    async (_name, { resource, old, errors }) => {
      const told = await validateCrd(definitionOf(resource), definitionOf(old ?? {}), context);
      compare(told, errors);
    },
  );

  interface SchemaRow {
    readonly name: string;
    readonly input: Go;
    readonly statusEnabled?: boolean;
    readonly expectedErrors?: readonly Expected[];
    readonly opts?: Go;
  }
  /** Whether the rules are compiled for release 1.31. A server of that release compiles only stored rules so, and new ones for 1.30. */
  const isForStored = (opts: Go = {}) => JSON.stringify(opts['celEnvironmentSet'] ?? null).includes('[1,31]');
  const schemas = cases<SchemaRow[]>('crd', 'TestValidateCustomResourceDefinitionValidation', 'tests')
    .map((row) => [row.name, row] as const)
    .filter(isHere);
  it.each(schemas)('schema: %s', async (_name, { input, statusEnabled, expectedErrors, opts }) => {
    const parts = { Validation: input, ...(statusEnabled ? { Subresources: { Status: {} } } : {}) };
    const read = definition(parts);
    const told = await validateCrd(read, isForStored(opts) ? read : undefined, context);
    // Without that option, rows omit what makes a schema structural, which is reported as well.
    compare(told, expectedErrors, opts?.['requireStructuralSchema'] === true);
  });

  interface StoredVersionsRow {
    readonly name: string;
    readonly versions: readonly string[];
    readonly storageVersion: string;
    readonly storedVersions: readonly string[];
    readonly errors?: readonly { readonly $on: Expected; readonly args: readonly string[] }[];
  }
  const stored = cases<StoredVersionsRow[]>('crd', 'TestValidateCustomResourceDefinitionStoredVersions', 'tests');
  it.each(stored.map((row) => [row.name, row] as const))('stored versions: %s', async (_name, row) => {
    const told = await validateCrd(
      definition({
        Versions: row.versions.map((Name) => ({ Name, Served: true, Storage: Name === row.storageVersion })),
        stored: row.storedVersions,
      }),
      undefined,
      context,
    );
    const { errors = [] } = row;
    compare(
      told,
      errors.map(({ $on }) => $on),
    );
    errors.forEach(({ args }, i) => {
      // The table does not distinguish an empty list from an absent one.
      const wanted = args[0]?.replace('[]string{}', '[]string(nil)');
      expect(told[i] && formatFieldError(told[i])).toContain(wanted);
    });
  });

  interface WarningRow {
    readonly name: string;
    readonly deprecated: boolean;
    readonly warning: string | null;
    readonly want: readonly string[] | null;
  }
  const warnings = cases<WarningRow[]>('crd', 'Test_validateDeprecationWarning', 'tests');
  it.each(warnings.map((row) => [row.name, row] as const))('warnings: %s', async (name, row) => {
    const { deprecated: Deprecated, warning, want } = row;
    // Bytes that are not UTF-8 cannot be in JSON.
    if (name === 'non-utf-8') return;
    const told = await validateCrd(
      definition({
        Versions: [
          {
            Name: 'v1',
            Served: true,
            Storage: true,
            Deprecated,
            ...(warning !== null && { DeprecationWarning: warning }),
          },
        ],
      }),
      undefined,
      context,
    );
    expect(told.map(({ path, detail }) => [path, detail])).toEqual(
      (want ?? []).map((detail) => ['spec.versions[0].deprecationWarning', detail]),
    );
  });

  interface DefaultRow {
    readonly name: string;
    readonly input: Go;
    readonly errors?: readonly string[];
  }
  const defaults = [
    ...cases<DefaultRow[]>('crd', 'TestDefaultValidationWithCostBudget', 'tests'),
    ...cases<DefaultRow[]>('crd', 'TestDefaultValidationWithOptionalOldSelf', 'tests'),
  ];
  it.each(defaults.map((row) => [row.name, row] as const))(
    'rules of defaults: %s',
    async (_name, { input, errors = [] }) => {
      const told = await validateCrd(definition({ Validation: input }), undefined, context);
      const texts = told.filter(({ path }) => path.endsWith('.default')).map(formatFieldError);
      expect(texts).toHaveLength(errors.length);
      errors.forEach((error, i) => void expect(texts[i]).toContain(error));
    },
  );
});
