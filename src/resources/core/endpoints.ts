import { errorsOf, type FieldError, fieldError } from '../../meta/field-error.js';
import { dns1123Label, dns1123Subdomain } from '../../meta/names.js';
import { defineResource } from '../../registry/resource-definition.js';
import type { Draft } from '../../registry/strategy.js';
import { age, listedCell, nameColumn } from '../shared/columns.js';
import { validateAddress, validateReachable } from '../shared/ip-address.js';
import { PROTOCOLS, validateAppProtocol } from '../shared/port-fields.js';
import { oneOf, portNumber, validateOptional } from '../shared/value-rules.js';
import { coreV1 } from './core-v1.js';
import type { EndpointAddress, EndpointPort, Endpoints } from './core-v1.types.js';

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
    ...validateOptional(`${path}.hostname`, hostname, dns1123Label),
    ...(nodeName === undefined
      ? []
      : dns1123Subdomain(nodeName).map((message) => fieldError.invalid(`${path}.nodeName`, nodeName, message))),
    ...validateReachable(`${path}.ip`, ip),
  ];
}

function validatePort(port: EndpointPort, path: string, needsName: boolean): FieldError[] {
  const { name = '', port: number, protocol = '', appProtocol } = port;
  return [
    ...(needsName && name === ''
      ? [fieldError.required(`${path}.name`)]
      : validateOptional(`${path}.name`, name, dns1123Label)),
    ...portNumber(`${path}.port`, number),
    ...oneOf(`${path}.protocol`, protocol, PROTOCOLS),
    ...validateAppProtocol(`${path}.appProtocol`, appProtocol),
  ];
}

function* listAddresses(subsets: NonNullable<Endpoints['subsets']>): Iterable<string> {
  for (const { addresses = [], ports = [] } of subsets) {
    if (ports.length === 0) for (const { ip } of addresses) yield ip;
    for (const { port } of ports)
      for (const { ip } of addresses) yield ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;
  }
}

/** core/v1 Endpoints: the addresses of a service in one object. */
export const endpoints = defineResource({
  groupStem: '',
  version: 'v1',
  kind: 'Endpoints',
  plural: 'endpoints',
  storedUnder: 'services/endpoints',
  shortNames: ['ep'],
  scope: 'Namespaced',
  allowCreateOnUpdate: true,
  schema: coreV1.struct('Endpoints'),
  setDefaults,
  strategy: { validate },
  columns: [
    nameColumn,
    {
      name: 'Endpoints',
      type: 'string',
      description: 'The addresses that are ready, with their ports.',
      cell: ({ subsets = [] }) => (subsets.length === 0 ? '<none>' : listedCell(listAddresses(subsets), '')),
    },
    age,
  ],
});
