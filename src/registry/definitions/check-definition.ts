import { dns1035Label, dns1123Subdomain, type Validator } from '../../meta/names.js';
import type { ObjectSchema, Property, Schema } from '../../schema/schema.js';
import { didYouMean } from '../../values/did-you-mean.js';
import type { ResourceDefinition } from './definition.js';

/** The names of all members that a resource definition may have. */
const MEMBERS: Readonly<Record<keyof ResourceDefinition, true>> = {
  group: true,
  groupStem: true,
  version: true,
  knownVersions: true,
  kind: true,
  listKind: true,
  plural: true,
  storedUnder: true,
  singular: true,
  shortNames: true,
  categories: true,
  scope: true,
  schema: true,
  checkObject: true,
  patchSchema: true,
  decoding: true,
  verbs: true,
  listedVerbs: true,
  nameRule: true,
  setDefaults: true,
  strategy: true,
  gatedFields: true,
  expires: true,
  allocation: true,
  cascadesTo: true,
  subresources: true,
  resetFields: true,
  selectableFields: true,
  ownFieldLabels: true,
  columns: true,
  compareRows: true,
  rowConditions: true,
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: true,
  orphansDependents: true,
  hasNoDependents: true,
  returnsDeletedObject: true,
  describesDeletedObject: true,
  genericMetadata: true,
  metadataChecks: true,
  checksMetadataLast: true,
  tracksGeneration: true,
  listItemsCarryKind: true,
  deprecation: true,
  servedByDefault: true,
  featureGate: true,
  inDialect: true,
  storedAs: true,
  storageForm: true,
  strategyValidatesSchema: true,
  storedVersion: true,
  virtual: true,
  inJson: true,
};
const SCOPES = ['Namespaced', 'Cluster'];
const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const COLUMN_TYPES = ['string', 'integer', 'number', 'boolean', 'date'];

/**
 * Checks the definition of a custom resource kind: its names must be valid for a custom resource definition (spec 21.1), and its paths must
 * name existing fields. TypeScript finds most of these mistakes; this check serves callers without types, and finds misspelled members.
 * @throws TypeError that names the kind and the member.
 */
export function checkDefinition(definition: ResourceDefinition): void {
  const { kind, group = '', schema, columns = [], subresources = {} } = definition;
  const fail: Fail = (why) => {
    throw new TypeError(`${kind}: ${why}`);
  };
  for (const name of Object.keys(definition))
    if (!Object.hasOwn(MEMBERS, name))
      fail(`a definition cannot have the member ${name}${didYouMean(name, Object.keys(MEMBERS))}`);
  checkNames(definition, fail);
  if (!group.includes('.'))
    fail(`group "${group}": the group of a custom kind must be a domain with a dot, such as "shop.example.com"`);
  if (definition.listKind === kind) fail('listKind must differ from kind');
  oneOf(fail, 'scope', SCOPES, [definition.scope]);
  if (definition.verbs) oneOf(fail, 'verbs', VERBS, definition.verbs);
  for (const { name, type, cell } of columns) {
    oneOf(fail, `columns: type of "${name}"`, COLUMN_TYPES, [type]);
    if (typeof cell !== 'function') fail(`columns: "${name}" must have a function cell`);
  }
  if (definition.resetFields) checkPaths(fail, 'resetFields', schema, definition.resetFields);
  for (const { within, fields, usedBy = [] } of definition.gatedFields ?? []) {
    const inside = (path: string) => (within === undefined ? path : `${within}.${path}`);
    checkPaths(fail, 'gatedFields', schema, [...fields, ...usedBy].map(inside), true);
  }
  for (const [name, subresource] of Object.entries(subresources)) {
    if (!/^[a-z][a-z0-9-]*$/.test(name)) fail(`subresources: "${name}" must be a name in lower case`);
    if ('create' in subresource || 'part' in subresource || 'relay' in subresource) continue;
    const { verbs, resetFields } = subresource;
    if (verbs) oneOf(fail, `verbs of subresource "${name}"`, ['get', 'patch', 'update'], verbs);
    if (resetFields) checkPaths(fail, `resetFields of subresource "${name}"`, schema, resetFields);
  }
}

type Fail = (why: string) => never;

function checkNames(definition: ResourceDefinition, fail: Fail): void {
  const { kind, listKind, plural, singular, version, group = '', shortNames = [], categories = [] } = definition;
  const names: readonly [string, string, Validator][] = [
    // Kinds contain capitals, which a DNS label may not. As upstream does for the names of custom resource definitions, the kinds are
    // checked in lower case.
    ['kind', kind.toLowerCase(), dns1035Label],
    ['listKind', listKind.toLowerCase(), dns1035Label],
    ['group', group, dns1123Subdomain],
    ['version', version, dns1035Label],
    ['plural', plural, dns1035Label],
    ['singular', singular, dns1035Label],
    ...shortNames.map((name): [string, string, Validator] => ['shortNames', name, dns1035Label]),
    ...categories.map((name): [string, string, Validator] => ['categories', name, dns1035Label]),
  ];
  for (const [member, name, rule] of names) {
    if (typeof name !== 'string') fail(`${member} must be a string`);
    const [problem] = rule(name);
    if (problem !== undefined) fail(`${member} "${name}": ${problem}`);
  }
}

function oneOf(fail: Fail, member: string, allowed: readonly string[], words: readonly string[]): void {
  for (const word of words)
    if (!allowed.includes(word))
      fail(`${member}: "${word}" is not one of ${allowed.join(', ')}${didYouMean(word, allowed)}`);
}

/** Checks that every path names a field of the schema, because a misspelled path would protect nothing. */
function checkPaths(
  fail: Fail,
  member: string,
  schema: ObjectSchema,
  paths: readonly string[],
  throughLists = false,
): void {
  for (const path of paths) {
    let at: Schema = schema;
    for (const name of path.split('.')) {
      while (throughLists && at.type === 'list') at = at.items;
      if (at.type === 'map' || at.type === 'any') break;
      const property: Property | undefined = at.type === 'object' ? at.properties.get(name) : undefined;
      if (property === undefined) {
        if (at.type === 'object' && at.preserveUnknown === true) break;
        const names = at.type === 'object' ? at.properties.keys() : [];
        fail(`${member}: the schema has no field ${path}${didYouMean(name, names)}`);
      }
      at = property.schema;
    }
  }
}
