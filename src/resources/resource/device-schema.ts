import {
  always,
  any,
  embedded,
  type Fields,
  int64,
  listAtomic,
  map,
  type OutputOf,
  omitEmpty,
  omitNull,
  quantity,
  required,
  string,
  struct,
} from '../../schema/authoring.js';
import { coreV1 } from '../core/core-v1.js';
import { flag, long, text } from '../fragments/core-struct.js';

/** The name of a struct of the group. */
export const resourceName = (kind: string) => `io.k8s.api.resource.v1alpha3.${kind}`;
/* @__NO_SIDE_EFFECTS__ */
export function resourceStruct<const F extends Fields>(kind: string, description: string, fields: () => F) {
  return struct(resourceName(kind), description, fields);
}

const celSelector = resourceStruct('CELDeviceSelector', 'A selector that is an expression.', () => ({
  expression: required(text, 1, 'The expression, about `device`.'),
}));
const selector = resourceStruct('DeviceSelector', 'Which devices.', () => ({
  cel: omitNull(celSelector, 1, 'An expression.'),
}));
export type DeviceSelector = OutputOf<typeof selector>;

const opaque = resourceStruct('OpaqueDeviceConfiguration', 'What a driver is told.', () => ({
  driver: required(text, 1, 'The driver.'),
  parameters: required(any({ definition: 'io.k8s.apimachinery.pkg.runtime.RawExtension' }), 2, 'What it is told.'),
}));
const configuration = (number: number) => embedded(number, { opaque: omitNull(opaque, 1, 'What a driver is told.') });
export interface DeviceConfiguration {
  readonly opaque?: OutputOf<typeof opaque>;
}

const SELECTORS = 'Requirements that all must hold.';

const request = resourceStruct('DeviceRequest', 'One request for devices.', () => ({
  name: required(text, 1, 'Its name.'),
  deviceClassName: required(text, 2, 'The class of the devices.'),
  selectors: omitEmpty(listAtomic(selector), 3, SELECTORS),
  allocationMode: omitEmpty(string<string>({ typeName: 'v1alpha3.DeviceAllocationMode' }), 4, 'ExactCount or All.'),
  count: omitEmpty(long, 5, 'How many.'),
  adminAccess: omitEmpty(flag, 6, 'Whether it is for looking after devices that are in use.'),
}));
export type DeviceRequest = OutputOf<typeof request>;
const REQUESTS = 'Names of requests; all of them unless given.';
const constraint = resourceStruct('DeviceConstraint', 'What devices must have in common.', () => ({
  requests: omitEmpty(listAtomic(text), 1, REQUESTS),
  matchAttribute: omitNull(
    string<string>({ typeName: 'v1alpha3.FullyQualifiedName' }),
    2,
    'An attribute of one value.',
  ),
}));
const claimConfiguration = resourceStruct('DeviceClaimConfiguration', 'What drivers are told.', () => ({
  requests: omitEmpty(listAtomic(text), 1, REQUESTS),
  ...configuration(2),
}));
const deviceClaim = resourceStruct('DeviceClaim', 'The devices that are wanted.', () => ({
  requests: omitEmpty(listAtomic(request), 1, 'The requests.'),
  constraints: omitEmpty(listAtomic(constraint), 2, 'What must hold of all.'),
  config: omitEmpty(listAtomic(claimConfiguration), 3, 'What drivers are told.'),
}));
export type DeviceClaim = OutputOf<typeof deviceClaim>;
export const resourceClaimSpec = resourceStruct('ResourceClaimSpec', 'What is wanted.', () => ({
  devices: always(deviceClaim, 1, 'The devices that are wanted.'),
  controller: omitEmpty(text, 2, 'The driver whose controller allocates.'),
}));
export type ResourceClaimSpec = OutputOf<typeof resourceClaimSpec>;

const result = resourceStruct('DeviceRequestAllocationResult', 'A device that was given.', () => ({
  request: required(text, 1, 'The request.'),
  driver: required(text, 2, 'The driver.'),
  pool: required(text, 3, 'The pool.'),
  device: required(text, 4, 'The device.'),
}));
const givenConfiguration = resourceStruct('DeviceAllocationConfiguration', 'What drivers are told.', () => ({
  source: required(string<string>({ typeName: 'v1alpha3.AllocationConfigSource' }), 1, 'FromClass or FromClaim.'),
  requests: omitEmpty(listAtomic(text), 2, REQUESTS),
  ...configuration(3),
}));
const given = resourceStruct('DeviceAllocationResult', 'Devices that were given.', () => ({
  results: omitEmpty(listAtomic(result), 1, 'The devices.'),
  config: omitEmpty(listAtomic(givenConfiguration), 2, 'What drivers are told.'),
}));
export const allocation = resourceStruct('AllocationResult', 'What was given, and where.', () => ({
  devices: always(given, 1, 'Devices that were given.'),
  nodeSelector: omitNull(coreV1.struct('NodeSelector'), 3, 'Where they are.'),
  controller: omitEmpty(text, 4, 'The driver whose controller gave them.'),
}));
export type Allocation = OutputOf<typeof allocation>;

const pool = resourceStruct('ResourcePool', 'The pool of the devices.', () => ({
  name: required(text, 1, 'Its name.'),
  generation: required(long, 2, 'Counts its changes.'),
  resourceSliceCount: required(long, 3, 'The number of its slices.'),
}));
export const deviceAttribute = resourceStruct('DeviceAttribute', 'One value.', () => ({
  int: omitNull(int64(), 2, 'A number.'),
  bool: omitNull(flag, 3, 'A truth.'),
  string: omitNull(text, 4, 'A text.'),
  version: omitNull(text, 5, 'A semantic version.'),
}));
export type DeviceAttribute = OutputOf<typeof deviceAttribute>;
const basicDevice = resourceStruct('BasicDevice', 'What the device is like.', () => ({
  attributes: omitEmpty(
    map(deviceAttribute, { typeName: 'map[v1alpha3.QualifiedName]v1alpha3.DeviceAttribute' }),
    1,
    'Its attributes.',
  ),
  capacity: omitEmpty(
    map(quantity(), { typeName: 'map[v1alpha3.QualifiedName]resource.Quantity' }),
    2,
    'What it has to give.',
  ),
}));
const device = resourceStruct('Device', 'One device.', () => ({
  name: required(text, 1, 'Its name.'),
  basic: omitNull(basicDevice, 2, 'What the device is like.'),
}));
export type Device = OutputOf<typeof device>;
export const resourceSliceSpec = resourceStruct('ResourceSliceSpec', 'Devices of one driver.', () => ({
  driver: required(text, 1, 'The driver; fixed.'),
  pool: required(pool, 2, 'The pool of the devices.'),
  nodeName: omitEmpty(text, 3, 'The node that has them; fixed.'),
  nodeSelector: omitNull(coreV1.struct('NodeSelector'), 4, 'The nodes that reach them.'),
  allNodes: omitEmpty(flag, 5, 'Whether all nodes reach them.'),
  devices: omitEmpty(listAtomic(device), 6, 'The devices.'),
}));
