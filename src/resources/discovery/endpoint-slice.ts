import { equalJson } from '../../json/equal.js';
import { type Dialect, domainName } from '../../meta/dialect.js';
import { errorsOf, type FieldError, fieldError } from '../../meta/field-error.js';
import { dns1123Label, dns1123Subdomain, labelValue } from '../../meta/names.js';
import { validateLabels } from '../../meta/object-meta-validation.js';
import { defineResource } from '../../registry/resource-definition.js';
import type { Draft } from '../../registry/strategy.js';
import { listAtomic } from '../../schema/authoring.js';
import { equalAsStored } from '../../schema/empty-collections.js';
import { age, listedCell, nameColumn } from '../shared/columns.js';
import { validateAddressOf, validateReachable } from '../shared/ip-address.js';
import { PROTOCOLS, validateAppProtocol } from '../shared/port-fields.js';
import { oneOf, validateOptional } from '../shared/value-rules.js';
import { discoveryV1 } from './discovery-v1.js';
import type { Endpoint, EndpointPort, EndpointSlice, ForZone } from './discovery-v1.types.js';

const ADDRESS_TYPES = ['FQDN', 'IPv4', 'IPv6'];
const MAX_ENDPOINTS = 1000;
const MAX_ADDRESSES = 100;
const MAX_PORTS = 20_000;
const MAX_ZONES = 8;
const MAX_TOPOLOGY = 16;

const endpointList = listAtomic(discoveryV1.struct('Endpoint'));

function setDefaults({ ports }: Draft<EndpointSlice>): void {
  for (const port of ports ?? []) {
    port.name ??= '';
    port.protocol ??= 'TCP';
  }
}

/**
 * Drops `deprecatedTopology` from all endpoints, unless an update leaves the endpoints unchanged. In v1, this field only preserves the
 * `topology` that was written through v1beta1; a client cannot write it.
 */
function dropTopology({ endpoints }: Draft<EndpointSlice>, dialect: Dialect, old?: EndpointSlice): void {
  if (old && equalAsStored(endpointList, endpoints, old.endpoints)) return;
  const hostname = domainName(dialect, 'hostname');
  const oldNodes = new Set(old?.endpoints?.map(({ deprecatedTopology }) => deprecatedTopology?.[hostname]));
  for (const item of endpoints ?? []) {
    const node = item.deprecatedTopology?.[hostname] ?? '';
    // An old client that changes some endpoints must not lose the nodes of the others.
    if (item.nodeName === undefined && oldNodes.has(node) && dns1123Subdomain(node).length === 0) item.nodeName = node;
    delete item.deprecatedTopology;
  }
}

/** Increases the generation if the content or the labels change. A change of the annotations does not increase it. */
function countChanges(draft: Draft<EndpointSlice>, old: EndpointSlice): void {
  const { metadata, ...content } = draft;
  const { metadata: oldMetadata, ...oldContent } = old;
  const same =
    equalAsStored(discoveryV1.struct('EndpointSlice'), content, oldContent) &&
    equalJson(metadata.labels ?? {}, oldMetadata.labels ?? {});
  if (!same) metadata.generation = (oldMetadata.generation ?? 0) + 1;
}

const validate = ({ addressType, endpoints, ports }: EndpointSlice): FieldError[] => [
  ...oneOf('addressType', addressType, ADDRESS_TYPES),
  ...validateEndpoints(endpoints ?? [], addressType),
  ...validatePorts(ports ?? []),
];

function validateEndpoints(endpoints: readonly Endpoint[], type: string): FieldError[] {
  if (endpoints.length > MAX_ENDPOINTS) return [fieldError.tooMany('endpoints', endpoints.length, MAX_ENDPOINTS)];
  return errorsOf(endpoints, (item, i) => validateEndpoint(item, type, `endpoints[${i}]`));
}

function validateEndpoint(item: Endpoint, type: string, path: string): FieldError[] {
  const { nodeName, deprecatedTopology = {}, hostname, hints } = item;
  const addresses = item.addresses ?? [];
  const invalid = (name: string, value: string, problems: readonly string[]) =>
    problems.map((message) => fieldError.invalid(`${path}.${name}`, value, message));
  const places = Object.keys(deprecatedTopology).length;
  return [
    ...(addresses.length === 0 ? [fieldError.required(`${path}.addresses`, 'must contain at least 1 address')] : []),
    ...atMost(`${path}.addresses`, addresses.length, MAX_ADDRESSES),
    ...errorsOf(addresses, (address, n) => validateAddress(type, address, `${path}.addresses[${n}]`)),
    ...(nodeName === undefined ? [] : invalid('nodeName', nodeName, dns1123Subdomain(nodeName))),
    ...atMost(`${path}.deprecatedTopology`, places, MAX_TOPOLOGY),
    ...validateLabels(deprecatedTopology, `${path}.deprecatedTopology`),
    ...(hostname === undefined ? [] : invalid('hostname', hostname, dns1123Label(hostname))),
    ...validateZones(hints?.forZones ?? [], `${path}.hints.forZones`),
  ];
}

const atMost = (path: string, actual: number, max: number): FieldError[] =>
  actual > max ? [fieldError.tooMany(path, actual, max)] : [];

function validateAddress(type: string, address: string, path: string): FieldError[] {
  if (type === 'FQDN') return validateFullDomain(address, path);
  if (type !== 'IPv4' && type !== 'IPv6') return [];
  return [...validateAddressOf(type, path, address), ...validateReachable(path, address)];
}

/** Checks a domain name with at least two labels. A final dot is accepted. */
function validateFullDomain(address: string, path: string): FieldError[] {
  if (address === '') return [fieldError.required(path)];
  const name = address.endsWith('.') ? address.slice(0, -1) : address;
  const refuse = (value: string, problems: readonly string[]) => [fieldError.invalid(path, value, problems.join(','))];
  const ofName = dns1123Subdomain(name);
  if (ofName.length > 0) return refuse(name, ofName);
  const labels = name.split('.');
  if (labels.length < 2) return refuse(name, ['should be a domain with at least two segments separated by dots']);
  const bad = labels.find((label) => dns1123Label(label).length > 0);
  return bad === undefined ? [] : refuse(bad, dns1123Label(bad));
}

function validateZones(zones: readonly ForZone[], path: string): FieldError[] {
  if (zones.length > MAX_ZONES) return atMost(path, zones.length, MAX_ZONES);
  const seen = new Set<string>();
  return errorsOf(zones, ({ name }, i) => {
    const at = `${path}[${i}].name`;
    const twice = seen.has(name) ? [fieldError.duplicate(at, name)] : [];
    seen.add(name);
    return [...twice, ...labelValue(name).map((message) => fieldError.invalid(at, name, message))];
  });
}

function validatePorts(ports: readonly EndpointPort[]): FieldError[] {
  if (ports.length > MAX_PORTS) return atMost('ports', ports.length, MAX_PORTS);
  const seen = new Set<string>();
  return errorsOf(ports, ({ name = '', protocol, appProtocol }, i) => {
    const path = `ports[${i}]`;
    const twice = seen.has(name) ? [fieldError.duplicate(`${path}.name`, name)] : [];
    seen.add(name);
    return [
      ...validateOptional(`${path}.name`, name, dns1123Label),
      ...twice,
      ...(protocol === undefined
        ? [fieldError.required(`${path}.protocol`)]
        : PROTOCOLS.includes(protocol)
          ? []
          : [fieldError.notSupported(`${path}.protocol`, protocol, PROTOCOLS)]),
      ...validateAppProtocol(`${path}.appProtocol`, appProtocol),
    ];
  });
}

function validateUpdate(next: EndpointSlice, old: EndpointSlice): FieldError[] {
  const { addressType } = next;
  return [
    ...validate(next),
    ...(addressType === old.addressType ? [] : [fieldError.invalid('addressType', addressType, 'field is immutable')]),
  ];
}

const portCell = ({ port, name }: EndpointPort): string => (port === undefined ? (name ?? '*') : `${port}`);

function* allAddresses(endpoints: readonly Endpoint[]): Iterable<string> {
  for (const { addresses } of endpoints) yield* addresses ?? [];
}

/** discovery/v1 EndpointSlice: a part of the endpoints of a service. */
export const endpointSlice = defineResource({
  groupStem: 'discovery',
  version: 'v1',
  kind: 'EndpointSlice',
  plural: 'endpointslices',
  metadataChecks: ['whole'],
  scope: 'Namespaced',
  schema: discoveryV1.struct('EndpointSlice'),
  setDefaults,
  gatedFields: [{ gate: 'TopologyAwareHints', fields: ['endpoints.hints'] }],
  strategy: {
    prepareForCreate(draft, { host }) {
      draft.metadata.generation = 1;
      dropTopology(draft, host.dialect);
    },
    prepareForUpdate(draft, old, { host }) {
      countChanges(draft, old);
      dropTopology(draft, host.dialect, old);
    },
    validate,
    validateUpdate,
    warnings: ({ addressType }, old) =>
      addressType === 'FQDN' && old === undefined ? ['spec.addressType: FQDN endpoints are deprecated'] : [],
  },
  columns: [
    nameColumn,
    {
      name: 'AddressType',
      type: 'string',
      description: 'The type of all addresses.',
      cell: ({ addressType }) => addressType,
    },
    {
      name: 'Ports',
      type: 'string',
      description: 'The ports that each endpoint has.',
      cell: ({ ports }) => listedCell((ports ?? []).map(portCell), '<unset>'),
    },
    {
      name: 'Endpoints',
      type: 'string',
      description: 'The addresses of the endpoints.',
      cell: ({ endpoints }) => listedCell(allAddresses(endpoints ?? []), '<unset>'),
    },
    age,
  ],
});
