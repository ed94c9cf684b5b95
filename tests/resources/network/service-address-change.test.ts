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
  ['nothing', { clusterIPs: [A], ipFamilies: ['IPv4'] }, {}, []],
  [
    'the address',
    { clusterIPs: [A] },
    { clusterIPs: [B] },
    [`spec.clusterIPs[0]: Invalid value: []string{"${B}"}: may not change once set`],
  ],
  [
    'both addresses',
    { clusterIPs: [A, C] },
    { clusterIPs: [C, A] },
    [0, 1].map((i) => `spec.clusterIPs[${i}]: Invalid value: []string{"${C}", "${A}"}: may not change once set`),
  ],
  ['a second one comes', { clusterIPs: [A] }, { clusterIPs: [A, C] }, []],
  ['a second one goes', { clusterIPs: [A, C] }, { clusterIPs: [A], ipFamilyPolicy: 'SingleStack' }, []],
  [
    'a second one goes unsaid',
    { clusterIPs: [A, C] },
    { clusterIPs: [A], ipFamilyPolicy: 'PreferDualStack' },
    [
      'spec.ipFamilyPolicy: Invalid value: "PreferDualStack": must be set to \'SingleStack\' when releasing the secondary clusterIP',
    ],
  ],
  [
    'families change places',
    { clusterIPs: [A], ipFamilies: ['IPv4', 'IPv6'] },
    { ipFamilies: ['IPv6', 'IPv4'] },
    [0, 1].map(
      () => 'spec.ipFamilies[0]: Invalid value: []core.IPFamily{"IPv6", "IPv4"}: may not change once set', // each as the first
    ),
  ],
  [
    'another family, and one less',
    { clusterIPs: [A], ipFamilies: ['IPv4', 'IPv6'] },
    { ipFamilies: ['IPv6'] },
    [
      `spec.ipFamilies[0]: Invalid value: []string{"${A}"}: may not change once set`,
      'spec.ipFamilyPolicy: Invalid value: "null": must be set to \'SingleStack\' when releasing the secondary ipFamily',
    ],
  ],
  ['families without an address', { clusterIPs: ['None'], ipFamilies: ['IPv4'] }, { ipFamilies: ['IPv6'] }, []],
])('a change of addresses: %s', (_what, old, change, errors) => {
  const found = validateAddressUpdate(service({ ...old, ...change }), service(old));
  expect(found.map(formatFieldError)).toEqual(errors);
});
