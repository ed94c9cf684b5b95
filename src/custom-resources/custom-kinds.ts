import { apiError } from '../meta/api-error.js';
import { formatGroupVersion } from '../meta/group-version.js';
import type { Host } from '../meta/host.js';
import type { ApiObject } from '../meta/object-meta.js';
import {
  type Converter,
  completeDefinition,
  type FieldReader,
  type ResourceDefinition,
  type Subresource,
} from '../registry/resource-definition.js';
import type { StrategyContext } from '../registry/strategy.js';
import type {
  CustomResourceDefinitionNames as CrdNames,
  CustomResourceSubresourceScale as CrdScale,
  CustomResourceDefinitionSpec as CrdSpec,
  CustomResourceDefinitionVersion as CrdVersion,
} from '../resources/apiextensions/apiextensions-v1.types.js';
import { scaleSubresource } from '../resources/shared/scale.js';
import type { ObjectSchema } from '../schema/schema.js';
import { quote } from '../values/quote.js';
import { compareVersions } from '../values/versions.js';
import { AGE, columnsOf } from './columns.js';
import { webhookConverter } from './conversion/webhook-converter.js';
import { customValidation, type KindSchema, readKindSchema } from './custom-strategy.js';
import { fieldAt, stepsOf, typedFieldAt } from './field-at.js';
import { storedForm } from './stored-form.js';

/** The verbs in the order in which discovery lists them. */
const VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'] as const;

/** The verbs that discovery lists while the definition is deleted. Requests to patch and update objects are still served then. */
const VERBS_OF_TERMINATING = ['delete', 'deletecollection', 'get', 'list', 'watch'] as const;

/** The prefix of the storage keys of custom resource definitions. */
const DEFINITIONS = '/registry/customresourcedefinitions/';

/** The state of a definition. It may change while the kinds of the definition are served. */
export interface KindState {
  /** Whether the definition is being deleted. In that case no objects can be created. */
  readonly terminating: boolean;
}

/**
 * Returns the kinds of a definition, one for each served version, in the order of their version priority.
 * @param names the accepted names of the definition
 * @param host the server that calls conversion webhooks. Without a server, objects can only be read in the version they are stored in.
 * @throws TypeError for schemas that cannot be read. The validation of definitions refuses such schemas.
 */
export function customKinds(
  spec: CrdSpec,
  names: CrdNames,
  state: KindState,
  host?: Host,
): readonly ResourceDefinition[] {
  const { group, conversion } = spec;
  const byApiVersion = new Map<string, ObjectSchema>();
  const served: ServedVersion[] = [];
  let storage = '';
  for (const version of spec.versions) {
    const read = readKindSchema(version.schema?.openAPIV3Schema ?? { type: 'object' });
    const apiVersion = formatGroupVersion({ group, version: version.name });
    byApiVersion.set(apiVersion, read.schema);
    if (version.served) served.push({ version, read, apiVersion });
    if (version.storage && storage === '') storage = version.name;
  }
  const { webhook } = conversion?.strategy === 'Webhook' && spec.versions.length > 1 ? conversion : {};
  const converter =
    webhook && (host ? webhookConverter(host, webhook, byApiVersion, `${names.plural}.${group}`) : NO_CONVERTER);
  const storageVersion = formatGroupVersion({ group, version: storage });
  const kinds: ResourceDefinition[] = [];
  for (const { version, read, apiVersion } of served.sort((a, b) => compareVersions(a.version.name, b.version.name))) {
    const form = storedForm(byApiVersion, apiVersion, storageVersion, converter);
    // All versions share the storage of the first served version.
    const [definition] = kinds;
    const stored = definition ? { storedAs: { definition, ...form } } : { storageForm: form };
    kinds.push(customKind(spec, names, version, read, { storedVersion: storage, ...stored }, state));
  }
  return kinds;
}

/** A served version of a definition, with its schema. */
interface ServedVersion {
  readonly version: CrdVersion;
  readonly read: KindSchema;
  readonly apiVersion: string;
}

/** The converter for kinds without a host. It is used while the server loads its objects, before it can call webhooks. */
const NO_CONVERTER: Converter = {
  convert: () => Promise.reject(apiError.internal('conversions cannot be asked for before the server has started')),
};

type StorageFacts = Pick<ResourceDefinition, 'storedVersion' | 'storedAs' | 'storageForm'>;

function customKind(
  spec: CrdSpec,
  names: CrdNames,
  version: CrdVersion,
  read: KindSchema,
  storage: StorageFacts,
  state: KindState,
): ResourceDefinition {
  const { group, scope } = spec;
  const { plural, kind, singular, listKind, shortNames = [], categories = [] } = names;
  const scale = version.subresources?.scale;
  const { whole, status } = customValidation({ ...read, scale });
  const refuseWhenTerminating = () => {
    if (state.terminating) throw apiError.kindTerminates({ group, resource: plural });
  };
  return completeDefinition({
    group,
    version: version.name,
    kind,
    plural,
    ...(singular === undefined ? {} : { singular }),
    ...(listKind === undefined ? {} : { listKind }),
    ...(shortNames.length > 0 ? { shortNames } : {}),
    ...(categories.length > 0 ? { categories } : {}),
    scope: scope as ResourceDefinition['scope'], // The scope was validated with the definition, so the cast is safe.
    schema: read.schema,
    strategyValidatesSchema: true,
    verbs: VERBS,
    listedVerbs: () => (state.terminating ? VERBS_OF_TERMINATING : VERBS),
    columns: version.additionalPrinterColumns?.length ? columnsOf(version.additionalPrinterColumns) : DEFAULT_COLUMNS,
    ownFieldLabels: true,
    ...(version.selectableFields?.length ? { selectableFields: fieldReaders(version.selectableFields) } : {}),
    ...(version.deprecated ? { deprecation: { warning: deprecationWarning(spec, version) } } : {}),
    strategy: {
      prepareForCreate: refuseWhenTerminating,
      // The check is repeated at the commit. Otherwise an object that is created during the deletion of the definition would appear again
      // when a definition with the same name is created.
      atCommit: refuseWhenTerminating,
      commitsOn: [`${DEFINITIONS}${plural}.${group}`],
      ...whole,
      warnings: finalizerWarnings,
    },
    subresources: {
      ...(version.subresources?.status ? { status: { strategy: status } } : {}),
      ...(scale ? { scale: customScale(scale, scaledFields(spec)) } : {}),
    },
    ...storage,
  });
}

const STANDARD_FINALIZERS = ['orphan', 'foregroundDeletion'];

/** Returns warnings for added finalizers without a domain. */
function finalizerWarnings(next: ApiObject, old: ApiObject | undefined, { host }: StrategyContext): readonly string[] {
  const standard = [...STANDARD_FINALIZERS, host.dialect.namespaceFinalizer, ...(old?.metadata.finalizers ?? [])];
  const added = (next.metadata.finalizers ?? []).filter((name) => !standard.includes(name) && !name.includes('/'));
  return [...new Set(added)]
    .sort()
    .map(
      (name) =>
        `metadata.finalizers: ${quote(name)}: prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers`,
    );
}

function fieldReaders(
  selectableFields: NonNullable<CrdVersion['selectableFields']>,
): Readonly<Record<string, FieldReader<ApiObject>>> {
  return Object.fromEntries(
    selectableFields.map(({ jsonPath }) => {
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

/**
 * The number of replicas in the `scale` of an object that specifies none, while a patch is applied to the `scale`. If the patched `scale`
 * still has this number, the request is refused.
 */
const NO_NUMBER = -(2 ** 31);

/** Returns the path of the field with the number of replicas by apiVersion; undefined for a version without the subresource `scale`. */
function scaledFields({ group, versions }: CrdSpec): ReadonlyMap<string, string | undefined> {
  return new Map(
    versions.map(({ name: version, subresources }) => [
      formatGroupVersion({ group, version }),
      subresources?.scale && numberField(subresources.scale),
    ]),
  );
}

const numberField = ({ specReplicasPath }: CrdScale): string => stepsOf(specReplicasPath).join('.');

const DEFAULT_COLUMNS = columnsOf([AGE]);

/** The columns of a table of scales. They look at the scale, so they are the same for all kinds. */
const SCALE_COLUMNS = columnsOf([
  { name: 'Desired', type: 'integer', description: 'The desired number of replicas.', jsonPath: '.spec.replicas' },
  { name: 'Available', type: 'integer', description: 'The current number of replicas.', jsonPath: '.status.replicas' },
  AGE,
]);

/**
 * Returns the subresource `scale` of a custom resource. The numbers of replicas are at the paths that the definition declares.
 * @param fieldOfVersions the result of {@link scaledFields}
 */
function customScale(
  scale: CrdScale,
  fieldOfVersions: ReadonlyMap<string, string | undefined>,
): Subresource<ApiObject> {
  const { specReplicasPath, statusReplicasPath, labelSelectorPath = '' } = scale;
  const replicas = stepsOf(specReplicasPath);
  const statusReplicas = stepsOf(statusReplicasPath);
  const selector = labelSelectorPath === '' ? undefined : stepsOf(labelSelectorPath);
  const { part } = scaleSubresource<ApiObject>({ replicas: numberField(scale), selector: () => '' });
  const read = (object: ApiObject, without: number) => {
    const specReplicas = valueAt(object, replicas, 'int64') ?? without;
    const currentReplicas = valueAt(object, statusReplicas, 'int64') ?? 0;
    const picked = (selector && valueAt(object, selector, 'string')) ?? '';
    return {
      spec: specReplicas === 0 ? {} : { replicas: specReplicas },
      status: { replicas: currentReplicas, ...(picked === '' ? {} : { selector: picked }) },
    };
  };
  return {
    part: {
      ...part,
      columns: SCALE_COLUMNS,
      fieldOfVersions,
      scheme: 'k8s.io/client-go/scale/util.go:131',
      read: (object) => read(object, 0),
      readForChange: (object) => read(object, NO_NUMBER),
      requireShown(object) {
        if (valueAt(object, replicas, 'int64') === undefined)
          throw apiError.internal(`the spec replicas field ${quote(specReplicasPath)} does not exist`);
      },
      // `spec.replicas` is validated later, together with the whole custom resource.
      validate: () => [],
      write(draft, scale) {
        const { spec } = scale as ApiObject & { readonly spec?: { readonly replicas?: number } };
        if (spec?.replicas === NO_NUMBER)
          throw apiError.badRequest(`the spec replicas field ${quote(specReplicasPath)} cannot be empty`);
        part.write(draft, scale);
      },
    },
  };
}

/** Returns the value at a path of fields; undefined when a field is absent. @throws ApiError 500 for a value of another type */
function valueAt<K extends 'int64' | 'string'>(object: object, steps: readonly string[], type: K) {
  const found = typedFieldAt(object, steps, type);
  if (found.problem !== undefined) throw apiError.unknown(found.problem);
  return found.value;
}
