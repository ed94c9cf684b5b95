import { errorsOf, type FieldError, fieldError } from '../../meta/field-error.js';
import { dns1123Label, dns1123Subdomain } from '../../meta/names.js';
import { defineRules } from '../../registry/built-in-kind.js';
import type { Draft } from '../../registry/strategy.js';
import { listAtomic, type OutputOf, omitEmpty, omitNull, required } from '../../schema/authoring.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import { age, nameColumn } from '../fragments/columns.js';
import { coreStruct, count, text } from '../fragments/core-struct.js';
import { validateAddress, validateReachable } from '../fragments/ip-address.js';
import { listedCell } from '../fragments/listed-cell.js';
import { objectReference } from '../fragments/object-reference.js';
import { PROTOCOLS, protocol, validateAppProtocol } from '../fragments/port-fields.js';
import { checked, oneOf, portNumber } from '../fragments/value-rules.js';

const endpointAddress = coreStruct(
  'EndpointAddress',
  'One address that serves.',
  () => ({
    ip: required(text, 1, 'The address.'),
    hostname: omitEmpty(text, 3, 'Its name in the domain of the service.'),
    nodeName: omitNull(text, 4, 'The node that has it.'),
    targetRef: omitNull(objectReference, 2, 'The object that has it.'),
  }),
  { mapType: 'atomic' },
);

const endpointPort = coreStruct(
  'EndpointPort',
  'One port of the addresses.',
  () => ({
    name: omitEmpty(text, 1, 'Its name; there must be one where there are several ports.'),
    port: required(count, 2, 'Its number.'),
    protocol: omitEmpty(protocol, 3, 'TCP, UDP or SCTP.'),
    appProtocol: omitNull(text, 4, 'What is spoken above the protocol.'),
  }),
  { mapType: 'atomic' },
);

const endpointSubset = coreStruct('EndpointSubset', 'Addresses that have the same ports.', () => ({
  addresses: omitEmpty(listAtomic(endpointAddress), 1, 'Addresses that are ready.'),
  notReadyAddresses: omitEmpty(listAtomic(endpointAddress), 2, 'Addresses that are not ready.'),
  ports: omitEmpty(listAtomic(endpointPort), 3, 'The ports that each address has.'),
}));

const schema = topLevel('io.k8s.api.core.v1.Endpoints', 'The addresses of a service.', () => ({
  subsets: omitEmpty(listAtomic(endpointSubset), 2, 'Addresses and ports: all of them together.'),
}));
export type Endpoints = OutputOf<typeof schema>;
export type EndpointAddress = OutputOf<typeof endpointAddress>;

function setDefaults({ subsets = [] }: Draft<Endpoints>): void {
  for (const { ports = [] } of subsets) for (const port of ports) port.protocol ||= 'TCP';
}

const validate = ({ subsets = [] }: Endpoints): FieldError[] =>
  errorsOf(subsets, ({ addresses = [], notReadyAddresses = [], ports = [] }, i) => {
    const path = `subsets[${i}]`;
    const isEmpty = addresses.length + notReadyAddresses.length === 0;
    return [
      ...(isEmpty ? [fieldError.required(path, 'must specify `addresses` or `notReadyAddresses`')] : []),
      ...errorsOf(addresses, (address, n) => validateEndpointAddress(address, `${path}.addresses[${n}]`)),
      ...errorsOf(notReadyAddresses, (address, n) =>
        validateEndpointAddress(address, `${path}.notReadyAddresses[${n}]`),
      ),
      ...errorsOf(ports, (port, n) => validatePort(port, `${path}.ports[${n}]`, ports.length > 1)),
    ];
  });

function validateEndpointAddress(address: EndpointAddress, path: string): FieldError[] {
  const { ip, hostname, nodeName } = address;
  return [
    ...validateAddress(`${path}.ip`, ip),
    ...checked(`${path}.hostname`, hostname, dns1123Label),
    ...(nodeName === undefined
      ? []
      : dns1123Subdomain(nodeName).map((message) => fieldError.invalid(`${path}.nodeName`, nodeName, message))),
    ...validateReachable(`${path}.ip`, ip),
  ];
}

function validatePort(port: OutputOf<typeof endpointPort>, path: string, needsName: boolean): FieldError[] {
  const { name = '', port: number, protocol = '', appProtocol } = port;
  return [
    ...(needsName && name === '' ? [fieldError.required(`${path}.name`)] : checked(`${path}.name`, name, dns1123Label)),
    ...portNumber(`${path}.port`, number),
    ...oneOf(`${path}.protocol`, protocol, PROTOCOLS),
    ...validateAppProtocol(`${path}.appProtocol`, appProtocol),
  ];
}

function* shownAddresses(subsets: NonNullable<Endpoints['subsets']>): Iterable<string> {
  for (const { addresses = [], ports = [] } of subsets) {
    if (ports.length === 0) for (const { ip } of addresses) yield ip;
    for (const { port } of ports)
      for (const { ip } of addresses) yield ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;
  }
}

export const endpointsRules = defineRules({
  schema,
  setDefaults,
  strategy: { validate },
  columns: [
    nameColumn,
    {
      name: 'Endpoints',
      type: 'string',
      description: 'The addresses that are ready, with their ports.',
      cell: ({ subsets = [] }) => (subsets.length === 0 ? '<none>' : listedCell(shownAddresses(subsets), '')),
    },
    age,
  ],
});
