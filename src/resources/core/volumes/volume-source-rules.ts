import type { Dialect } from '../../../meta/dialect.js';
import { type FieldError, fieldError } from '../../../meta/field-error.js';
import { dns1123Label, dns1123Subdomain } from '../../../meta/names.js';
import { isLongerThan } from '../../../values/utf8.js';
import { validateOptional, validateRequired, within } from '../../shared/value-rules.js';

// This file contains the rules of volume sources that pods and persistent volumes share.

const MAX_DRIVER_NAME = 63;
const HOST_PATH_TYPES = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];
const HOST_AND_PORT = 'must be a host:port pair or multiple pairs separated by commas';
const MANAGED_DISK = '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const BLOB_DISK = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';

/** Checks that a value is present. */
export function requireValue(path: string, value: string | readonly unknown[] | null | undefined): FieldError[] {
  return value === undefined || value === null || value.length === 0 ? [fieldError.required(path)] : [];
}

/** Checks that members of a struct are present. */
const requireValues = (path: string, source: object, ...names: readonly string[]): FieldError[] =>
  names.flatMap((name) => requireValue(`${path}.${name}`, (source as Readonly<Record<string, string>>)[name]));

/** Checks that a path contains no `..`. */
export function validateNoBackSteps(path: string, value: string): FieldError[] {
  return value.includes('..') && value.split('/').includes('..')
    ? [fieldError.invalid(path, value, "must not contain '..'")]
    : [];
}

/** Checks that a path is relative and contains no `..`. */
export function validateDescendingPath(path: string, value: string): FieldError[] {
  const errors = value.startsWith('/') ? [fieldError.invalid(path, value, 'must be a relative path')] : [];
  return [...errors, ...validateNoBackSteps(path, value)];
}

/** Checks that the name of a storage driver is a domain name in upper or lower case. */
export function validateDriverName(path: string, name: string): FieldError[] {
  return [
    ...(name === '' ? [fieldError.required(path)] : []),
    ...(isLongerThan(name, MAX_DRIVER_NAME) ? [fieldError.tooLong(path, MAX_DRIVER_NAME)] : []),
    ...dns1123Subdomain(name.toLowerCase()).map((message) => fieldError.invalid(path, name, message)),
  ];
}

/** Checks a secret reference with name and namespace. */
export function validateSecretReference(path: string, secret: SecretReference | null | undefined): FieldError[] {
  if (!secret) return [];
  const { name = '', namespace = '' } = secret;
  return [
    ...validateRequired(`${path}.name`, name, dns1123Subdomain),
    ...validateRequired(`${path}.namespace`, namespace, dns1123Label),
  ];
}
interface SecretReference {
  readonly name?: string;
  readonly namespace?: string;
}

const partition = (path: string, value = 0) =>
  value >= 0 && value <= 255 ? [] : [fieldError.invalid(path, value, 'must be between 1 and 255, inclusive')];

interface ISCSI {
  readonly targetPortal: string;
  readonly iqn: string;
  readonly lun: number;
  readonly chapAuthDiscovery?: boolean;
  readonly chapAuthSession?: boolean;
  readonly secretRef?: SecretReference;
  readonly initiatorName?: string;
}
const INITIATOR = {
  iqn: /iqn\.\d{4}-\d{2}\.[A-Za-z\d.-]+:[^,;*&$|\s]+$/,
  eui: /^eui.[\dA-Za-z]{16}$/,
  naa: /^naa.[\dA-Za-z]{32}$/,
};

function validateInitiator(path: string, name: string, otherwise: string): FieldError[] {
  const form = (['iqn', 'eui', 'naa'] as const).find((prefix) => name.startsWith(prefix));
  if (form === undefined) return [fieldError.invalid(path, name, otherwise)];
  return INITIATOR[form].test(name) ? [] : [fieldError.invalid(path, name, 'must be valid format')];
}

const STARTS = 'must be valid format starting with iqn, eui, or naa';

const OTHERWISE = 'must be valid format';
const TOO_LONG =
  'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
const MAX_TARGET = 64;

/** Returns an error for `value` at `path` if a disk's target and the name of its volume are too long together. */
export const targetTooLong = (path: string, value: string, name: string, source: ISCSI): FieldError[] =>
  source.initiatorName !== undefined && isLongerThan(`${name}:${source.targetPortal}`, MAX_TARGET)
    ? [fieldError.invalid(path, value, TOO_LONG)]
    : [];

/** Checks an iSCSI disk, for pods and persistent volumes. */
export function validateIscsiTarget(path: string, source: ISCSI, otherwise = STARTS): FieldError[] {
  const { iqn, lun, secretRef } = source;
  const authenticated = source.chapAuthDiscovery === true || source.chapAuthSession === true;
  return [
    ...(iqn === '' ? [fieldError.required(`${path}.iqn`)] : validateInitiator(`${path}.iqn`, iqn, otherwise)),
    ...within(`${path}.lun`, lun, 0, 255),
    ...(authenticated && !secretRef ? [fieldError.required(`${path}.secretRef`)] : []),
  ];
}

/** Checks the initiator name of a node; it may be absent. */
export function validateInitiatorName(path: string, name: string | undefined, otherwise = STARTS): FieldError[] {
  return name === undefined ? [] : validateInitiator(`${path}.initiatorname`, name, otherwise);
}

function validateIscsi(path: string, source: ISCSI, _parent: string, name: string): FieldError[] {
  const { targetPortal, secretRef, initiatorName } = source;
  return [
    ...requireValue(`${path}.targetPortal`, targetPortal),
    // As in upstream, the field is spelled `targetportal` in this path.
    ...targetTooLong(`${path}.targetportal`, targetPortal, name, source),
    ...validateIscsiTarget(path, source, OTHERWISE),
    ...(secretRef ? requireValue(`${path}.secretRef.name`, secretRef.name) : []),
    ...validateInitiatorName(path, initiatorName, OTHERWISE),
  ];
}

interface FC {
  readonly targetWWNs?: readonly string[];
  readonly wwids?: readonly string[];
  readonly lun?: number;
}
function validateFc(path: string, { targetWWNs = [], wwids = [], lun }: FC): FieldError[] {
  const at = `${path}.targetWWNs`;
  const errors: FieldError[] = [];
  if (targetWWNs.length === 0 && wwids.length === 0)
    errors.push(fieldError.required(at, 'must specify either targetWWNs or wwids, but not both'));
  if (targetWWNs.length > 0 && wwids.length > 0)
    errors.push(fieldError.invalid(at, targetWWNs, 'targetWWNs and wwids can not be specified simultaneously'));
  if (targetWWNs.length === 0) return errors;
  if (lun === undefined) errors.push(fieldError.required(`${path}.lun`, 'lun is required if targetWWNs is specified'));
  return [...errors, ...within(`${path}.lun`, lun, 0, 255)];
}

interface Quobyte {
  readonly registry: string;
  readonly volume: string;
  readonly tenant?: string;
}
function validateQuobyte(path: string, { registry, volume, tenant = '' }: Quobyte): FieldError[] {
  const errors: FieldError[] = [];
  if (registry === '') errors.push(fieldError.required(`${path}.registry`, HOST_AND_PORT));
  else if (tenant.length >= 65)
    errors.push(fieldError.required(`${path}.tenant`, 'must be a UUID and may not exceed a length of 64 characters'));
  else if (!registry.split(',').every((pair) => /^(?:\[[^\]]*\]|[^:[\]]*):[^:]*$/.test(pair)))
    errors.push(fieldError.invalid(`${path}.registry`, registry, HOST_AND_PORT));
  return [...errors, ...requireValue(`${path}.volume`, volume)];
}

interface Flocker {
  readonly datasetName?: string;
  readonly datasetUUID?: string;
}
function validateFlocker(path: string, { datasetName = '', datasetUUID = '' }: Flocker): FieldError[] {
  const errors: FieldError[] = [];
  if (datasetName === '' && datasetUUID === '')
    errors.push(fieldError.required(path, 'one of datasetName and datasetUUID is required'));
  if (datasetName !== '' && datasetUUID !== '')
    errors.push(
      fieldError.invalid(path, 'resource', 'datasetName and datasetUUID can not be specified simultaneously'),
    );
  if (datasetName.includes('/'))
    errors.push(fieldError.invalid(`${path}.datasetName`, datasetName, "must not contain '/'"));
  return errors;
}

interface AzureDisk {
  readonly diskName: string;
  readonly diskURI: string;
  readonly cachingMode?: string;
  readonly kind?: string;
}
function validateAzureDisk(path: string, { diskName, diskURI, cachingMode, kind }: AzureDisk): FieldError[] {
  const requireSupported = (field: string, value: string | undefined, supported: readonly string[]) =>
    value === undefined || supported.includes(value)
      ? []
      : [fieldError.notSupported(`${path}.${field}`, value, supported)];
  const uri = (prefix: string, form: string) =>
    diskURI.startsWith(prefix) ? [] : [fieldError.notSupported(`${path}.diskURI`, diskURI, [form])];
  return [
    ...requireValue(`${path}.diskName`, diskName),
    ...requireValue(`${path}.diskURI`, diskURI),
    ...requireSupported('cachingMode', cachingMode, ['None', 'ReadOnly', 'ReadWrite']),
    ...requireSupported('kind', kind, ['Dedicated', 'Managed', 'Shared']),
    ...(kind === 'Managed' ? uri('/subscriptions/', MANAGED_DISK) : uri('https://', BLOB_DISK)),
  ];
}

interface Flex {
  readonly driver: string;
  readonly options?: Readonly<Record<string, string>>;
}

/** Checks a flex volume. The keys of its options may not be in the API's own domains. */
export function validateFlex(path: string, { driver, options = {} }: Flex, dialect: Dialect): FieldError[] {
  const domains = [...new Set([dialect.labelDomain, dialect.bareDomain])];
  const reserved = Object.keys(options).filter((key) => {
    const domain = (key.includes('/') ? key.slice(0, key.indexOf('/')) : key).toLowerCase();
    return domains.some((own) => domain === own || domain.endsWith(`.${own}`));
  });
  const why = `${domains.join(' and ')} namespaces are reserved`;
  return [
    ...requireValue(`${path}.driver`, driver),
    ...reserved.map((key) => fieldError.invalid(`${path}.options[${key}]`, key, why)),
  ];
}

interface StorageOS {
  readonly volumeName?: string;
  readonly volumeNamespace?: string;
}
function validateStorageOS(path: string, { volumeName = '', volumeNamespace }: StorageOS): FieldError[] {
  return [
    ...validateRequired(`${path}.volumeName`, volumeName, dns1123Label),
    ...validateOptional(`${path}.volumeNamespace`, volumeNamespace, dns1123Label),
  ];
}

interface Path {
  readonly path: string;
}
function validateHostPath(path: string, source: Path & { readonly type?: string }): FieldError[] {
  if (source.path === '') return [fieldError.required(`${path}.path`)];
  const { type } = source;
  return [
    ...validateNoBackSteps(`${path}.path`, source.path),
    ...(type === undefined || HOST_PATH_TYPES.includes(type)
      ? []
      : [fieldError.notSupported(`${path}.type`, type, HOST_PATH_TYPES)]),
  ];
}

function validateNfs(path: string, source: Path & { readonly server: string }): FieldError[] {
  return [
    ...requireValue(`${path}.server`, source.server),
    ...requireValue(`${path}.path`, source.path),
    ...(source.path.startsWith('/')
      ? []
      : [fieldError.invalid(`${path}.path`, source.path, 'must be an absolute path')]),
  ];
}

type Rule = (path: string, source: never, parent: string, name: string) => FieldError[];

/**
 * The validation rules of each volume source. `parent` is the path of the volume and `name` its name. As in upstream, the paths of
 * gcePersistentDisk contain `persistentDisk` instead of the field's name.
 */
export const volumeSourceRules = {
  hostPath: validateHostPath,
  gcePersistentDisk: (
    _path: string,
    source: { readonly pdName: string; readonly partition?: number },
    parent: string,
  ) => [
    ...requireValue(`${parent}.persistentDisk.pdName`, source.pdName),
    ...partition(`${parent}.persistentDisk.partition`, source.partition),
  ],
  awsElasticBlockStore: (path: string, source: { readonly volumeID: string; readonly partition?: number }) => [
    ...requireValue(`${path}.volumeID`, source.volumeID),
    ...partition(`${path}.partition`, source.partition),
  ],
  glusterfs: (path: string, source: object) => requireValues(path, source, 'endpoints', 'path'),
  flocker: validateFlocker,
  nfs: validateNfs,
  rbd: (path: string, source: object) => requireValues(path, source, 'monitors', 'image'),
  quobyte: validateQuobyte,
  cephfs: (path: string, source: object) => requireValues(path, source, 'monitors'),
  iscsi: validateIscsi,
  cinder: (path: string, source: object) => requireValues(path, source, 'volumeID'),
  fc: validateFc,
  azureFile: (path: string, source: object) => requireValues(path, source, 'secretName', 'shareName'),
  vsphereVolume: (path: string, source: object) => requireValues(path, source, 'volumePath'),
  photonPersistentDisk: (path: string, source: object) => requireValues(path, source, 'pdID'),
  portworxVolume: (path: string, source: object) => requireValues(path, source, 'volumeID'),
  azureDisk: validateAzureDisk,
  scaleIO: (path: string, source: object) => requireValues(path, source, 'gateway', 'system', 'volumeName'),
  storageos: validateStorageOS,
} as const satisfies Readonly<Record<string, Rule>>;
