import { apiError } from '../meta/api-error.js';
import { formatGroupVersion } from '../meta/group-version.js';
import type { ApiObject } from '../meta/object-meta.js';
import { defineResource, type FieldReader, type ResourceDefinition } from '../registry/resource-definition.js';
import type { CrdNames, CrdSpec, CrdVersion } from '../resources/apiextensions/crd-schema.js';
import { compareVersions } from '../values/version-order.js';
import { columnsOf } from './columns.js';
import { customValidation } from './custom-strategy.js';
import { fieldAt, stepsOf } from './field-at.js';
import { readKindSchema } from './kind-schema.js';
import { storedForm } from './stored-form.js';

/** What the kinds of one definition ask while they are served. */
export interface KindState {
  /** Whether the definition is being deleted: nothing is created any more. */
  readonly terminating: boolean;
}

/**
 * The kinds of a definition: one for each version that is served, the most preferred first.
 * @param names under which they are served
 * @throws TypeError for schemas that cannot be read, which validation has kept out
 */
export function customKinds(spec: CrdSpec, names: CrdNames, state: KindState): readonly ResourceDefinition[] {
  const served = spec.versions.filter((version) => version.served).sort((a, b) => compareVersions(a.name, b.name));
  const storage = spec.versions.find((version) => version.storage)?.name ?? '';
  const kinds: ResourceDefinition[] = [];
  // All share the storage of the first.
  for (const version of served) kinds.push(customKind(spec, names, version, storage, state, kinds[0]));
  return kinds;
}

function customKind(
  spec: CrdSpec,
  names: CrdNames,
  version: CrdVersion,
  storage: string,
  state: KindState,
  primary: ResourceDefinition | undefined,
): ResourceDefinition {
  const { group, scope } = spec;
  const { plural, kind, singular, listKind, shortNames = [], categories = [] } = names;
  const read = readKindSchema(version.schema?.openAPIV3Schema ?? { type: 'object' });
  const scale = version.subresources?.scale;
  const { whole, status } = customValidation({ ...read, scale });
  const apiVersion = (name: string) => formatGroupVersion({ group, version: name });
  const form = storedForm(read.schema, apiVersion(version.name), apiVersion(storage));
  const selectable = selectableFields(version);
  return defineResource<ApiObject>({
    group,
    version: version.name,
    kind,
    plural,
    ...(singular === undefined ? {} : { singular }),
    ...(listKind === undefined ? {} : { listKind }),
    ...(shortNames.length > 0 ? { shortNames } : {}),
    ...(categories.length > 0 ? { categories } : {}),
    scope: scope as ResourceDefinition['scope'], // validated with the definition
    schema: read.schema,
    strategyValidatesSchema: true,
    columns: columnsOf(version.additionalPrinterColumns),
    ownFieldLabels: false,
    ...(selectable ? { selectableFields: selectable } : {}),
    ...(version.deprecated ? { deprecation: { warning: deprecationWarning(spec, version) } } : {}),
    strategy: {
      prepareForCreate() {
        if (state.terminating) throw apiError.kindTerminates({ group, resource: plural });
      },
      ...whole,
    },
    ...(version.subresources?.status ? { subresources: { status: { strategy: status } } } : {}),
    storedVersion: storage,
    ...(primary ? { storedAs: { definition: primary, ...form } } : { storageForm: form }),
  });
}

function selectableFields({
  selectableFields: given = [],
}: CrdVersion): Readonly<Record<string, FieldReader<ApiObject>>> | undefined {
  if (given.length === 0) return undefined;
  return Object.fromEntries(
    given.map(({ jsonPath }) => {
      const steps = stepsOf(jsonPath);
      const read = (object: ApiObject) => {
        const value = fieldAt(object, steps);
        return value === undefined || value === null ? undefined : String(value);
      };
      return [steps.join('.'), read];
    }),
  );
}

function deprecationWarning({ group, names, versions }: CrdSpec, version: CrdVersion): string {
  if (version.deprecationWarning !== undefined) return version.deprecationWarning;
  const about = (name: string) => `${group}/${name} ${names.kind}`;
  const [better] = versions
    .filter(({ name, served, deprecated }) => served && !deprecated && compareVersions(name, version.name) < 0)
    .sort((a, b) => compareVersions(a.name, b.name));
  return `${about(version.name)} is deprecated${better ? `; use ${about(better.name)}` : ''}`;
}
