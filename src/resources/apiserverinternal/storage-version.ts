import { errorsOf, type FieldError, fieldError, printed } from '../../meta/field-error.js';
import { dns1035Label, dns1123Subdomain, qualifiedName } from '../../meta/names.js';
import { defineResource } from '../../registry/resource-definition.js';
import { printGoSyntax } from '../../schema/print-go-syntax.js';
import { age, listedCell, nameColumn } from '../shared/columns.js';
import { keepAllButStatus, keepStatus } from '../shared/workload.js';
import { apiserverinternalV1alpha1 } from './apiserverinternal-v1alpha1.js';
import type { ServerStorageVersion, StorageVersion } from './apiserverinternal-v1alpha1.types.js';

type Status = StorageVersion['status'];

const at = 'status.storageVersions';

/** Checks that a name is `<group>.<resource>`. */
function nameRule(name: string): readonly string[] {
  const dot = name.lastIndexOf('.');
  if (dot < 0) return ['name must be in the form of <group>.<resource>'];
  return [
    ...dns1123Subdomain(name.slice(0, dot)).map((why) => `the group segment ${why}`),
    ...dns1035Label(name.slice(dot + 1)).map((why) => `the resource segment ${why}`),
  ];
}

function validateStatus({ status: { storageVersions = [], commonEncodingVersion, conditions = [] } }: StorageVersion) {
  const seen = new Set<string>();
  return [
    ...errorsOf(storageVersions, (version, i) => {
      const { apiServerID = '' } = version;
      const twice = seen.has(apiServerID) ? [fieldError.duplicate(`${at}[${i}].apiServerID`, apiServerID)] : [];
      seen.add(apiServerID);
      return [...twice, ...validateServerVersion(version, `${at}[${i}]`)];
    }),
    ...validateCommonVersion(storageVersions, commonEncodingVersion),
    ...validateConditions(conditions),
  ];
}

const NO_VERSION =
  "an apiVersion is a DNS-1035 label, which must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyVersion')";

/** Returns why a string is not `<version>` or `<group>/<version>`. */
function groupVersionProblems(text: string): readonly string[] {
  const parts = text.split('/');
  if (parts.length > 2) return [NO_VERSION];
  const problemsOf = (part: string, name: string, rule: (value: string) => readonly string[]) =>
    (part === '' ? ['must be non-empty'] : rule(part)).map((why) => `${name} part: ${why}`);
  const [group, version = ''] = parts.length === 2 ? parts : [undefined, ...parts];
  return [
    ...(group === undefined ? [] : problemsOf(group, 'group', dns1123Subdomain)),
    ...problemsOf(version, 'version', dns1035Label),
  ];
}

function validateServerVersion(
  { apiServerID = '', encodingVersion = '', decodableVersions, servedVersions = [] }: ServerStorageVersion,
  path: string,
): FieldError[] {
  const decodable = new Set(decodableVersions);
  const check = (field: string, value: string) => {
    const why = groupVersionProblems(value);
    return why.length === 0 ? [] : [fieldError.invalid(`${path}.${field}`, value, why.join(','))];
  };
  return [
    ...dns1123Subdomain(apiServerID).map((why) => fieldError.invalid(`${path}.apiServerID`, apiServerID, why)),
    ...check('encodingVersion', encodingVersion),
    ...(decodableVersions ?? []).flatMap((version, i) => check(`decodableVersions[${i}]`, version)),
    ...(decodable.has(encodingVersion)
      ? []
      : [
          fieldError.invalid(
            `${path}.decodableVersions`,
            printed(printGoSyntax(apiserverinternalV1alpha1.type('[]string set'), decodableVersions)),
            `decodableVersions must include encodingVersion ${encodingVersion}`,
          ),
        ]),
    ...errorsOf(servedVersions, (version, i) => {
      const errors = check(`servedVersions[${i}]`, version);
      if (decodable.has(version)) return errors;
      const all = `[${(decodableVersions ?? []).join(' ')}]`;
      const why = `individual served version : ${version} must be included in decodableVersions : ${all}`;
      return [...errors, fieldError.invalid(`${path}.servedVersions[${i}]`, version, why)];
    }),
  ];
}

function validateCommonVersion(
  all: NonNullable<Status['storageVersions']>,
  declaredVersion: string | undefined,
): FieldError[] {
  const [first, ...others] = all.map(({ encodingVersion = '' }) => encodingVersion);
  const common = others.every((version) => version === first) ? first : undefined;
  if (common === declaredVersion) return [];
  const why =
    common === undefined
      ? 'should be nil if servers do not agree on the same encoding version, or if there is no server reporting the supported versions yet'
      : `the ${declaredVersion === undefined ? '' : 'actual '}common encoding version is ${common}`;
  return [fieldError.invalid('status.commonEncodingVersion', declaredVersion, why)];
}

function validateConditions(conditions: NonNullable<Status['conditions']>): FieldError[] {
  const seen = new Map<string, number>();
  return conditions.flatMap(({ type, status: value, reason, message }, i) => {
    const path = `status[${i}]`;
    const firstIndex = seen.get(type);
    seen.set(type, i);
    return [
      ...(firstIndex === undefined
        ? []
        : [
            fieldError.invalid(
              `${path}.type`,
              type,
              `the type of the condition is not unique, it also appears in conditions[${firstIndex}]`,
            ),
          ]),
      ...qualifiedName(type).map((why) => fieldError.invalid(`${path}.type`, type, why)),
      ...qualifiedName(value).map((why) => fieldError.invalid(`${path}.status`, value, why)),
      ...(reason === '' ? [fieldError.required(`${path}.reason`, 'reason cannot be empty')] : []),
      ...(message === '' ? [fieldError.required(`${path}.message`, 'message cannot be empty')] : []),
    ];
  });
}

/** apiserverinternal/v1alpha1 StorageVersion: the version in which servers store the objects of a kind. */
export const storageVersion = defineResource({
  groupStem: 'internal.apiserver',
  version: 'v1alpha1',
  kind: 'StorageVersion',
  plural: 'storageversions',
  metadataChecks: [],
  scope: 'Cluster',
  allowUnconditionalUpdate: false,
  schema: apiserverinternalV1alpha1.struct('StorageVersion'),
  nameRule,
  resetFields: ['status'],
  strategy: {
    prepareForCreate: (draft) => void Object.assign(draft, { status: {} }),
    prepareForUpdate: keepStatus,
    validate: validateStatus,
    validateUpdate: () => [],
  },
  subresources: {
    status: {
      resetFields: ['metadata', 'spec'],
      strategy: { prepareForUpdate: keepAllButStatus, validateUpdate: validateStatus },
    },
  },
  columns: [
    nameColumn,
    {
      name: 'CommonEncodingVersion',
      type: 'string',
      description: 'The version that all servers write.',
      cell: ({ status: { commonEncodingVersion = '<unset>' } }) => commonEncodingVersion,
    },
    {
      name: 'StorageVersions',
      type: 'string',
      description: 'The report of each server.',
      cell: ({ status: { storageVersions = [] } }) =>
        listedCell(
          storageVersions.map(({ apiServerID = '', encodingVersion = '' }) => `${apiServerID}=${encodingVersion}`),
          '<unset>',
        ),
    },
    age,
  ],
});
