import { equalJson } from '../../json/equal.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.js';
import { groupOf } from '../../meta/dialect.js';
import type { StoredInJson } from '../../registry/definitions/definition.js';

/**
 * Fields that v1 has in each version, and that v1beta1 has at the top level if all versions agree. Each pair contains the name in v1beta1
 * and the name in v1.
 */
const SHARED = [
  ['validation', 'schema'],
  ['subresources', 'subresources'],
  ['additionalPrinterColumns', 'additionalPrinterColumns'],
  ['selectableFields', 'selectableFields'],
] as const;
/** The fields of the spec in the order of the v1beta1 struct. */
const SPEC_ORDER = [
  'group',
  'version',
  'names',
  'scope',
  'validation',
  'subresources',
  'versions',
  'additionalPrinterColumns',
  'selectableFields',
  'conversion',
  'preserveUnknownFields',
];

/** Definitions are stored as v1beta1, because upstream's servers of all releases can read this version. */
export const definitionInJson: StoredInJson = {
  version: 'v1beta1',
  toStored(object, dialect) {
    const whole = object as unknown as JsonObject; // A definition consists of plain JSON values, so the cast is safe.
    return {
      ...whole,
      apiVersion: `${groupOf(dialect, 'apiextensions')}/v1beta1`,
      spec: olderSpec(member(whole, 'spec')),
    };
  },
  fromStored(stored, dialect) {
    const apiVersion = `${groupOf(dialect, 'apiextensions')}/v1`;
    if (stored['apiVersion'] === apiVersion) return stored;
    return { ...stored, apiVersion, spec: newerSpec(member(stored, 'spec')) };
  },
};

const member = (object: JsonObject, name: string): JsonObject => {
  const value = object[name];
  return isJsonObject(value) ? value : {};
};
const versionsOf = ({ versions }: JsonObject): readonly JsonObject[] =>
  Array.isArray(versions) ? versions.filter(isJsonObject) : [];

function olderSpec(spec: JsonObject): JsonObject {
  const named = versionsOf(spec).map((version) => withColumns(version, 'jsonPath', 'JSONPath'));
  const [first = {}] = named;
  const whole: Record<string, JsonValue | undefined> = { ...spec, version: first['name'] };
  const common = SHARED.filter(([, own]) =>
    named.every((version) => equalJson(version[own] ?? null, first[own] ?? null)),
  );
  for (const [shared, own] of common) whole[shared] = first[own];
  whole['versions'] = named.map((version) => without(version, new Set<string>(common.map(([, own]) => own))));
  whole['preserveUnknownFields'] = spec['preserveUnknownFields'] === true;
  const { webhook, ...conversion } = member(spec, 'conversion');
  if (spec['conversion'] !== undefined) {
    const { clientConfig, conversionReviewVersions } = isJsonObject(webhook) ? webhook : {};
    whole['conversion'] = withoutUndefined({
      ...conversion,
      webhookClientConfig: clientConfig,
      conversionReviewVersions,
    });
  }
  return withoutUndefined(Object.fromEntries(SPEC_ORDER.map((name) => [name, whole[name]])));
}

function newerSpec(spec: JsonObject): JsonObject {
  const { version, preserveUnknownFields, versions: _, conversion: __, ...rest } = spec;
  const listed = versionsOf(spec);
  const all = listed.length > 0 ? listed : [{ name: version ?? '', served: true, storage: true }];
  const versions = all.map((each) => {
    const shared = SHARED.map(([top, own]) => [own, each[own] ?? spec[top]]);
    return withColumns(withoutUndefined({ ...each, ...Object.fromEntries(shared) }), 'JSONPath', 'jsonPath');
  });
  const { webhookClientConfig: clientConfig, conversionReviewVersions, ...conversion } = member(spec, 'conversion');
  const webhook = clientConfig === undefined ? undefined : withoutUndefined({ clientConfig, conversionReviewVersions });
  return withoutUndefined({
    ...without(rest, new Set<string>(SHARED.map(([top]) => top))),
    versions,
    conversion: spec['conversion'] === undefined ? undefined : withoutUndefined({ ...conversion, webhook }),
    preserveUnknownFields: preserveUnknownFields === true ? true : undefined,
  });
}

/** Renames the member of printer columns that is `JSONPath` in v1beta1 and `jsonPath` in v1. */
function withColumns(version: JsonObject, from: string, to: string): JsonObject {
  const { additionalPrinterColumns: columns } = version;
  if (!Array.isArray(columns)) return version;
  const renamed = columns
    .filter(isJsonObject)
    .map(({ [from]: path, ...column }) => withoutUndefined({ ...column, [to]: path }));
  return { ...version, additionalPrinterColumns: renamed };
}

const without = (object: JsonObject, names: ReadonlySet<string>): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.has(name)));

const withoutUndefined = (object: Readonly<Record<string, JsonValue | undefined>>): JsonObject =>
  Object.fromEntries(Object.entries(object).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
