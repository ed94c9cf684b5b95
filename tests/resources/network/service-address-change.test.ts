import { expect, it } from 'vitest';
import { formatFieldError } from '../../../src/meta/field-error.js';
import type { Service, ServiceSpec } from '../../../src/resources/core/core-v1.types.js';
import { validateAddressUpdate } from '../../../src/resources/core/service/service-address-validation.js';

const A = '10.0.0.1';
const B = '10.0.0.2';
const C = 'fd00::1';

/** Returns a Service with only the fields of its addresses. */
const service = (spec: Partial<ServiceSpec>) => ({ spec: { type: 'ClusterIP', ...spec } }) as Service; // nothing else is read

it.each<[string, Partial<ServiceSpec>, Partial<ServiceSpec>, string[]]>([
  ['may leave addresses unchanged', { clusterIPs: [A], ipFamilies: ['IPv4'] }, {}, []],
  [
    'cannot change the address',
    { clusterIPs: [A] },
    { clusterIPs: [B] },
    [`spec.clusterIPs[0]: Invalid value: []string{"${B}"}: may not change once set`],
  ],
  [
    'cannot swap the addresses',
    { clusterIPs: [A, C] },
    { clusterIPs: [C, A] },
    [0, 1].map((i) => `spec.clusterIPs[${i}]: Invalid value: []string{"${C}", "${A}"}: may not change once set`),
  ],
  ['may add a second address', { clusterIPs: [A] }, { clusterIPs: [A, C] }, []],
  [
    'may remove the second address with SingleStack',
    { clusterIPs: [A, C] },
    { clusterIPs: [A], ipFamilyPolicy: 'SingleStack' },
    [],
  ],
  [
    'cannot remove the second address with PreferDualStack',
    { clusterIPs: [A, C] },
    { clusterIPs: [A], ipFamilyPolicy: 'PreferDualStack' },
    [
      'spec.ipFamilyPolicy: Invalid value: "PreferDualStack": must be set to \'SingleStack\' when releasing the secondary clusterIP',
    ],
  ],
  [
    'cannot swap the families',
    { clusterIPs: [A], ipFamilies: ['IPv4', 'IPv6'] },
    { ipFamilies: ['IPv6', 'IPv4'] },
    [0, 1].map(
      () => 'spec.ipFamilies[0]: Invalid value: []core.IPFamily{"IPv6", "IPv4"}: may not change once set', // each as the first
    ),
  ],
  [
    'cannot change the first family and remove the second',
    { clusterIPs: [A], ipFamilies: ['IPv4', 'IPv6'] },
    { ipFamilies: ['IPv6'] },
    [
      `spec.ipFamilies[0]: Invalid value: []string{"${A}"}: may not change once set`,
      'spec.ipFamilyPolicy: Invalid value: "null": must be set to \'SingleStack\' when releasing the secondary ipFamily',
    ],
  ],
  [
    'may change the families of a headless Service',
    { clusterIPs: ['None'], ipFamilies: ['IPv4'] },
    { ipFamilies: ['IPv6'] },
    [],
  ],
])('an update of a Service %s', (_what, old, change, errors) => {
  const found = validateAddressUpdate(service({ ...old, ...change }), service(old));
  expect(found.map(formatFieldError)).toEqual(errors);
});
