import { equalJson } from '../../../json/equal.js';
import { addErrors, type FieldError, fieldError, printed } from '../../../meta/field-error.js';
import { dns1035Label, dns1123Subdomain } from '../../../meta/names.js';
import type { StrategyContext } from '../../../registry/strategy.js';
import { loadPatternProblems } from '../../../schema/constraints/patterns.js';
import { decodeBase64 } from '../../../values/base64.js';
import { once } from '../../../values/memoize.js';
import { isPrintable, quote } from '../../../values/quote.js';
import { utf8Length } from '../../../values/utf8.js';
import { oneOf } from '../../shared/value-rules.js';
import { webhookServiceProblems, webhookUrlProblems } from '../../shared/webhook-client.js';
import { approvalAnnotation, approvalOf, isProtectedGroup } from '../api-approval.js';
import type {
  CustomResourceConversion as CrdConversion,
  CustomResourceDefinitionNames as CrdNames,
  CustomResourceDefinitionSpec as CrdSpec,
  CustomResourceDefinitionVersion as CrdVersion,
  CustomResourceDefinition,
} from '../apiextensions-v1.types.js';
import { caBundleProblem } from '../ca-bundle.js';
import { isEstablished } from '../conditions.js';
import type { JSONSchemaProps } from '../json-schema-props.js';
import { expressionsIn, schemasIn } from './schema-parts.js';
import {
  checkColumns,
  checkScale,
  checkSelectableFields,
  type SchemaOptions,
  validateVersionSchema,
} from './version-schema.js';

/** Returns the validation errors of a definition, except those of its metadata (spec 21.1). */
export async function validateCrd(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
  { host }: StrategyContext,
): Promise<FieldError[]> {
  const { dialect } = host;
  const next = { ...definition, spec: withVersions(definition.spec) };
  const established = old !== undefined && isEstablished(old);
  const stored = once(() => expressionsIn(old?.spec.versions ?? []));
  const facts = { established, dialect, stored, work: {} };
  const errors = await validateSpec(next.spec, old && withVersions(old.spec), facts);
  // As in upstream, `generateName` of a new definition must be the name of the resource, too.
  for (const member of ['name', 'generateName'] as const) {
    const value = next.metadata[member] ?? '';
    if (!old && value !== '' && value !== `${next.spec.names.plural}.${next.spec.group}`)
      errors.unshift(fieldError.invalid(`metadata.${member}`, value, 'must be spec.names.plural+"."+spec.group'));
  }
  if (old) {
    const requireUnchanged = (path: string, value: string, before: string) => {
      if (value !== before) errors.push(fieldError.invalid(path, value, 'field is immutable'));
    };
    if (established) {
      requireUnchanged('spec.scope', next.spec.scope, old.spec.scope);
      requireUnchanged('spec.names.kind', next.spec.names.kind, old.spec.names.kind);
    }
    requireUnchanged('spec.group', next.spec.group, old.spec.group);
    requireUnchanged('spec.names.plural', next.spec.names.plural, old.spec.names.plural);
  }
  errors.push(...validateStatus(next));
  errors.push(...storedVersions(next));
  if (isProtectedGroup(next.spec.group, dialect)) {
    const { state, reason } = approvalOf(next.metadata.annotations, dialect);
    const path = `metadata.annotations[${approvalAnnotation(dialect)}]`;
    const unchanged = old !== undefined && approvalOf(old.metadata.annotations, dialect).state === state;
    if (!unchanged && state === 'missing') errors.push(fieldError.required(path, reason));
    if (!unchanged && state === 'invalid')
      errors.push(fieldError.invalid(path, next.metadata.annotations?.[approvalAnnotation(dialect)], reason));
  }
  if (next.spec.preserveUnknownFields === true && old?.spec.preserveUnknownFields !== true)
    errors.push(
      fieldError.invalid(
        'spec.preserveUnknownFields',
        true,
        `cannot set to true, set ${dialect.schemaExtensionPrefix}preserve-unknown-fields to true in spec.versions[*].schema instead`,
      ),
    );
  return errors;
}

/** Returns the validation errors of a definition's status. */
export function validateStatus({ status }: CustomResourceDefinition): FieldError[] {
  return checkNames(status.acceptedNames, 'status.acceptedNames');
}

function storedVersions({ spec, status }: CustomResourceDefinition): FieldError[] {
  const path = 'status.storedVersions';
  const stored = status.storedVersions ?? [];
  if (stored.length === 0)
    return [fieldError.invalid(path, printed('[]string(nil)'), 'must have at least one stored version')];
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const { name, storage } of spec.versions) {
    names.add(name);
    if (storage && !stored.includes(name))
      errors.push(fieldError.invalid(path, stored, `must have the storage version ${name}`));
  }
  for (const [i, name] of stored.entries())
    if (!names.has(name)) errors.push(fieldError.invalid(`${path}[${i}]`, name, 'must appear in spec.versions'));
  return errors;
}

type Facts = Pick<SchemaOptions, 'dialect' | 'stored' | 'work'> & Omit<ConversionRules, 'old'>;

async function validateSpec(spec: CrdSpec, old: CrdSpec | undefined, facts: Facts): Promise<FieldError[]> {
  const { shared, versions } = hoist(spec);
  const errors: FieldError[] = [];
  const options = { ...facts, loadPatternProblems: once(loadPatternProblems) };
  if (spec.group === '') errors.push(fieldError.required('spec.group'));
  else {
    const problems = dns1123Subdomain(spec.group);
    if (problems.length > 0) errors.push(fieldError.invalid('spec.group', spec.group, problems.join(',')));
    else if (!spec.group.includes('.'))
      errors.push(fieldError.invalid('spec.group', spec.group, 'should be a domain with at least one dot'));
  }
  errors.push(...oneOf('spec.scope', spec.scope, ['Cluster', 'Namespaced']));
  // Every version must have a schema. If a version of the stored definition has none, a version without a schema is accepted when it is not
  // served or when `preserveUnknownFields` is true.
  const mayLack = old?.versions.some(({ schema }) => schema?.openAPIV3Schema === undefined) ?? false;
  const keepsAll = spec.preserveUnknownFields === true;
  if (!(mayLack && keepsAll) && shared.schema?.openAPIV3Schema === undefined)
    for (const [i, { served }] of spec.versions.entries())
      if (versions[i]?.schema?.openAPIV3Schema === undefined && (!mayLack || served))
        errors.push(
          fieldError.required(
            `spec.versions[${i}].schema.openAPIV3Schema`,
            mayLack ? 'because otherwise all fields are pruned' : 'schemas are required',
          ),
        );
  if (keepsAll && spec.versions.some(({ schema }) => hasDefaults(schema?.openAPIV3Schema)))
    errors.push(
      fieldError.invalid('spec.preserveUnknownFields', true, 'must be false in order to use defaults in the schema'),
    );
  const isKnownSchema = (name: string, schema: CrdVersion['schema']) =>
    old?.versions.some((version) => version.name === name && equalJson(version.schema ?? null, schema ?? null)) ??
    false;
  let anyStatus = false;
  for (const [i, version] of spec.versions.entries()) {
    const path = `spec.versions[${i}]`;
    const name = dns1035Label(version.name);
    if (name.length > 0) errors.push(fieldError.invalid(`${path}.name`, version.name, name.join(',')));
    if (version.deprecationWarning !== undefined)
      for (const problem of warningProblems(version.deprecationWarning, version.deprecated))
        errors.push(fieldError.invalid(`${path}.deprecationWarning`, version.deprecationWarning, problem));
    const hasStatusSubresource = version.subresources?.status !== undefined;
    anyStatus ||= hasStatusSubresource;
    const keepsCosts = () => isKnownSchema(version.name, version.schema);
    await checkShared(errors, versions[i] ?? {}, path, { ...options, hasStatusSubresource, keepsCosts });
  }
  errors.push(...versionSet(spec));
  const names = 'spec.names';
  for (const member of ['plural', 'singular', 'kind', 'listKind'] as const)
    if ((spec.names[member] ?? '') === '') errors.push(fieldError.required(`${names}.${member}`));
  errors.push(...checkNames(spec.names, names));
  const keepsCosts = () => isKnownSchema(spec.versions[0]?.name ?? '', shared.schema);
  await checkShared(errors, shared, 'spec', { ...options, hasStatusSubresource: anyStatus, keepsCosts });
  if (spec.conversion && spec.conversion.strategy !== 'None' && spec.preserveUnknownFields === true)
    errors.push(
      fieldError.invalid(
        'spec.conversion.strategy',
        spec.conversion.strategy,
        'must be None if spec.preserveUnknownFields is true',
      ),
    );
  errors.push(...(await checkConversion(spec.conversion, 'spec.conversion', { ...facts, old: old?.conversion })));
  return errors;
}

/**
 * Adds the errors of the members that can be the same in all versions.
 * @param path the path of a version, or `spec` for the members that are the same in all versions
 */
async function checkShared(errors: FieldError[], members: Shared, path: string, options: SchemaOptions): Promise<void> {
  const { subresources, additionalPrinterColumns: columns, selectableFields } = members;
  const schema = members.schema?.openAPIV3Schema;
  const isSpec = path === 'spec';
  if (schema)
    addErrors(errors, await validateVersionSchema(schema, `${path}.${isSpec ? 'validation' : 'schema'}`, options));
  if (subresources?.scale) errors.push(...checkScale(subresources.scale, `${path}.subresources.scale`));
  if (columns) errors.push(...checkColumns(columns, `${path}.additionalPrinterColumns`));
  if (selectableFields?.length) {
    const when = isSpec ? 'validations.schema is included' : 'version.schema.openAPIV3Schema is not included';
    const why = `selectableFields may only be set when ${when}`;
    errors.push(...checkSelectableFields(selectableFields, schema, `${path}.selectableFields`, why));
  }
}

function hasDefaults(schema: JSONSchemaProps | undefined): boolean {
  for (const each of schemasIn(schema ?? {})) if (each.default !== undefined) return true;
  return false;
}

/** The list that replaces absent versions. When versions are printed, its identity distinguishes absent versions from an empty list. */
const NO_VERSIONS: readonly CrdVersion[] = [];
const withVersions = (spec: CrdSpec): CrdSpec => ({ ...spec, versions: spec.versions ?? NO_VERSIONS });

const VERSION = 'apiextensions.CustomResourceDefinitionVersion';

/** Returns the errors of the versions as a whole: duplicate names, and not exactly one storage version. */
function versionSet({ versions }: CrdSpec): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  let storages = 0;
  for (const { name, storage } of versions) {
    names.add(name);
    if (storage) storages++;
  }
  const problems: string[] = [];
  if (names.size < versions.length) problems.push('must contain unique version names');
  if (storages !== 1) problems.push('must have exactly one version marked as storage version');
  for (const problem of problems)
    errors.push(fieldError.invalid('spec.versions', printed(printVersions(versions)), problem));
  // As in upstream, the name of the first version is also validated under the path of the older field `spec.version`.
  const first = versions[0]?.name ?? '';
  const why = first === '' ? [] : dns1035Label(first);
  if (why.length > 0) errors.push(fieldError.invalid('spec.version', first, why.join(',')));
  return errors;
}

/**
 * Maximum number of versions, and of columns of each version, in error messages. The number is limited because the printed form is much
 * longer than the request.
 */
const MAX_SHOWN = 100;

/** Formats versions for error messages. As in upstream, members that are the same in all versions are left out. */
function printVersions(versions: readonly CrdVersion[]): string {
  if (versions === NO_VERSIONS) return `[]${VERSION}(nil)`;
  const own = hoist({ versions }).versions;
  const pointer = (type: string, value: unknown) => `(*${type})(${value === undefined ? 'nil' : '0xc000000000'})`;
  const list = (type: string, items: readonly string[]) =>
    `[]${type}${items.length === 0 ? '(nil)' : `{${items.map((item) => `${type}{${item}}`).join(', ')}}`}`;
  const printFirst = <T>(items: readonly T[] = []) => items.slice(0, MAX_SHOWN);
  const each = printFirst(versions).map(({ name, served, storage, deprecated = false, deprecationWarning }, i) => {
    const { schema, subresources, additionalPrinterColumns: columns, selectableFields } = own[i] ?? {};
    const shown = printFirst(columns).map(
      ({ name, type, format = '', description = '', priority = 0, jsonPath }) =>
        `Name:${quote(name)}, Type:${quote(type)}, Format:${quote(format)}, Description:${quote(description)}, ` +
        `Priority:${priority}, JSONPath:${quote(jsonPath)}`,
    );
    const fields = printFirst(selectableFields).map(({ jsonPath }) => `JSONPath:${quote(jsonPath)}`);
    return (
      `${VERSION}{Name:${quote(name)}, Served:${served}, Storage:${storage}, Deprecated:${deprecated}, ` +
      `DeprecationWarning:${pointer('string', deprecationWarning)}, ` +
      `Schema:${pointer('apiextensions.CustomResourceValidation', schema)}, ` +
      `Subresources:${pointer('apiextensions.CustomResourceSubresources', subresources)}, ` +
      `AdditionalPrinterColumns:${list('apiextensions.CustomResourceColumnDefinition', shown)}, ` +
      `SelectableFields:${list('apiextensions.SelectableField', fields)}}`
    );
  });
  return `[]${VERSION}{${each.join(', ')}}`;
}

function warningProblems(text: string, deprecated = false): string[] {
  if (!deprecated) return ['can only be set for deprecated versions'];
  const problems: string[] = [];
  if (utf8Length(text) > 256) problems.push('must be <= 256 characters long');
  if (text === '') problems.push('must not be an empty string');
  let index = 0;
  for (const character of text) {
    if (!isPrintable(character)) {
      problems.push(`must only contain printable UTF-8 characters; non-printable character found at index ${index}`);
      break;
    }
    index += utf8Length(character);
  }
  return problems;
}

/** Returns the validation errors of `spec.names` or `status.acceptedNames`. Absent names are not checked. */
function checkNames(names: CrdNames, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const check = (member: string, name: string, text: string, hint = '') => {
    const problems = dns1035Label(text);
    if (problems.length > 0) errors.push(fieldError.invalid(`${path}.${member}`, name, hint + problems.join(',')));
  };
  for (const member of ['plural', 'singular', 'kind', 'listKind'] as const) {
    const name = names[member] ?? '';
    if (name === '') continue;
    if (member === 'plural' || member === 'singular') check(member, name, name);
    else check(member, name, name.toLowerCase(), 'may have mixed case, but should otherwise match: ');
  }
  for (const [i, name] of (names.shortNames ?? []).entries()) check(`shortNames[${i}]`, name, name);
  if (names.kind !== '' && names.kind === names.listKind)
    errors.push(fieldError.invalid(`${path}.listKind`, names.listKind, 'kind and listKind may not be the same'));
  for (const [i, name] of (names.categories ?? []).entries()) check(`categories[${i}]`, name, name);
  return errors;
}

/** Versions of ConversionReview that the server supports. */
const REVIEW_VERSIONS = ['v1', 'v1beta1'];

interface ConversionRules {
  /** The conversion of the stored definition. */
  readonly old: CrdConversion | undefined;
  /** Whether the definition is established. If it is, an invalid CA bundle is refused unless the stored CA bundle is invalid, too. */
  readonly established: boolean;
}

/** Returns the validation errors of the conversion between versions. */
async function checkConversion(
  conversion: CrdConversion | undefined,
  path: string,
  { old, established }: ConversionRules,
): Promise<FieldError[]> {
  if (conversion === undefined) return [];
  const { strategy, webhook } = conversion;
  const errors = oneOf(`${path}.strategy`, strategy, ['None', 'Webhook']);
  const client = webhook?.clientConfig;
  const versions = webhook?.conversionReviewVersions ?? [];
  const clientPath = `${path}.webhookClientConfig`;
  const versionsPath = `${path}.conversionReviewVersions`;
  if (strategy !== 'Webhook') {
    const why = 'should not be set when strategy is not set to Webhook';
    if (client !== undefined) errors.push(fieldError.forbidden(clientPath, why));
    if (versions.length > 0) errors.push(fieldError.forbidden(versionsPath, why));
    return errors;
  }
  if (client === undefined) errors.push(fieldError.required(clientPath, 'required when strategy is set to Webhook'));
  else if ((client.url === undefined) === (client.service === undefined))
    errors.push(fieldError.required(clientPath, 'exactly one of url or service is required'));
  else if (client.url !== undefined) errors.push(...webhookUrlProblems(`${clientPath}.url`, client.url));
  else if (client.service) errors.push(...webhookServiceProblems(`${clientPath}.service`, client.service));
  const bundle =
    established && (await caBundleProblem(old)) === undefined ? await caBundleProblem(conversion) : undefined;
  if (bundle !== undefined)
    errors.push(fieldError.invalid(`${clientPath}.caBundle`, printed(printBytes(client?.caBundle ?? '')), bundle));
  return [...errors, ...checkReviewVersions(versions, old, versionsPath)];
}

const printBytes = (base64: string) =>
  `[]byte{${[...decodeBase64(base64)].map((byte) => `0x${byte.toString(16)}`).join(', ')}}`;

function checkReviewVersions(versions: readonly string[], old: CrdConversion | undefined, path: string): FieldError[] {
  if (versions.length === 0) return [fieldError.required(path)];
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, version] of versions.entries()) {
    if (seen.has(version)) errors.push(fieldError.invalid(`${path}[${i}]`, version, 'duplicate version'));
    else for (const why of dns1035Label(version)) errors.push(fieldError.invalid(`${path}[${i}]`, version, why));
    seen.add(version);
  }
  const before = old?.webhook?.conversionReviewVersions ?? [];
  const mayBeUnknown = before.length > 0 && !isKnown(before);
  if (!mayBeUnknown && !isKnown(versions))
    errors.push(fieldError.invalid(path, versions, `must include at least one of ${REVIEW_VERSIONS.join(', ')}`));
  return errors;
}
const isKnown = (versions: readonly string[]): boolean => versions.some((version) => REVIEW_VERSIONS.includes(version));

/** Members that v1beta1 has at the top level if they are the same in all versions. */
type Shared = Pick<CrdVersion, 'schema' | 'subresources' | 'additionalPrinterColumns' | 'selectableFields'>;

/**
 * The form in which upstream validates a definition: members that are the same in all versions are moved to the top level. Paths in error
 * messages depend on this form (`spec.validation` for a schema).
 */
interface HoistedSpec {
  readonly shared: Shared;
  /** The members that differ between the versions, for each version; empty if there are none. */
  readonly versions: readonly Shared[];
}

const MEMBERS = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const;

function hoist({ versions }: Pick<CrdSpec, 'versions'>): HoistedSpec {
  const [first] = versions;
  let shared: Shared = {};
  const own: Shared[] = [];
  for (const member of MEMBERS)
    if (versions.every((version) => equalJson(version[member] ?? null, first?.[member] ?? null)))
      shared = { ...shared, [member]: first?.[member] };
    else for (const [i, version] of versions.entries()) own[i] = { ...own[i], [member]: version[member] };
  return { shared, versions: own };
}
