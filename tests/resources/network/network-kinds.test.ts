import { describe, expect, it } from 'vitest';
import { endpointSlice, endpoints, ingress, ingressClass, networkPolicy } from '../../../src/exports/kinds.js';
import { ipAddress, serviceCIDR } from '../../../src/resources/networking/index.js';
import { openServer } from '../../support/servers.js';
import { created, createErrors, readBody, row, updated, updateErrors } from '../steps.js';

const metadata = { name: 'a', namespace: 'default' };

describe('Endpoints', () => {
  const one = (ip: string) => ({ metadata, subsets: [{ addresses: [{ ip }] }] });

  it('can only have addresses that other hosts can reach', async () => {
    const text = (ip: string, why: string) => `subsets[0].addresses[0].ip: Invalid value: "${ip}": ${why}`;
    expect(await createErrors(endpoints, one('192.0.2.1'))).toEqual([]);
    expect(await createErrors(endpoints, one('192.000.002.001'))).toEqual([]);
    expect(await createErrors(endpoints, one('::ffff:127.0.0.1'))).toEqual([
      text('::ffff:127.0.0.1', 'may not be in the loopback range (127.0.0.0/8, ::1/128)'),
    ]);
    expect(await createErrors(endpoints, one('febf::1'))).toEqual([
      text('febf::1', 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'),
    ]);
    expect(await createErrors(endpoints, one('1.2.3'))).toEqual([
      text('1.2.3', 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'),
      text('1.2.3', 'must be a valid IP address'),
    ]);
  });

  it('prints three addresses with their ports, and the number of further ones', () => {
    const addresses = ['192.0.2.1', '2001:db8::1'].map((ip) => ({ ip }));
    const made = readBody(endpoints, { metadata, subsets: [{ addresses, ports: [{ port: 80 }, { port: 81 }] }] });
    expect(row(endpoints, made, 0)[1]).toBe('192.0.2.1:80,[2001:db8::1]:80,192.0.2.1:81 + 1 more...');
    expect(made.subsets?.[0]?.ports?.[0]?.protocol).toBe('TCP');
  });
});

it('an IPAddress keeps its parent, which is printed in full', async () => {
  const owned = (name: string) => ({
    metadata: { name: '10.0.0.9' },
    spec: { parentRef: { resource: 'services', name } },
  });
  const before = created(ipAddress, owned('a'));
  expect(await updateErrors(ipAddress, owned('a'), before)).toEqual([]);
  expect(await updateErrors(ipAddress, owned('b'), before)).toEqual([
    'spec.parentRef: Invalid value: networking.ParentReference{Group:"", Resource:"services", Namespace:"", Name:"b"}: field is immutable',
  ]);
});

it('an IPAddress without a parent is refused in an update as well', async () => {
  const owned = { metadata: { name: '10.0.0.9' }, spec: { parentRef: { resource: 'services', name: 'a' } } };
  expect(await updateErrors(ipAddress, { ...owned, spec: {} }, created(ipAddress, owned))).toEqual([
    'spec.parentRef: Required value',
    'spec.parentRef: Invalid value: "null": field is immutable',
  ]);
});

it.each([
  ['10.0.0.9', []],
  ['2001:db8::1', []],
  ['2001:DB8::1', ['must be a canonical format IP address']],
  ['010.0.0.9', ['ParseAddr("010.0.0.9"): IPv4 field has octet with leading zero']],
  ['a', ['ParseAddr("a"): unable to parse IP']],
])('the name %s of an IPAddress has the errors %j', (name, errors) =>
  expect(ipAddress.nameRule?.(name, false, created(ipAddress, { metadata: { name } }))).toEqual(errors),
);

it.each([
  [['10.0.0.0/24', '2001:db8::/64'], []],
  [
    ['10.0.0.1/24'],
    ['spec.cidrs[0]: Invalid value: "10.0.0.1/24": wrong CIDR format, IP doesn\'t match network IP address'],
  ],
  [['2001:DB8::/64'], ['spec.cidrs[0]: Invalid value: "2001:DB8::/64": CIDR not in RFC 5952 canonical format']],
  [['10.0.0.0'], ['spec.cidrs[0]: Invalid value: "10.0.0.0": netip.ParsePrefix("10.0.0.0"): no \'/\'']],
])('the CIDRs %j of a ServiceCIDR have the errors %j', async (cidrs, errors) =>
  expect(await createErrors(serviceCIDR, { metadata: { name: 'a' }, spec: { cidrs } })).toEqual(errors),
);

describe('EndpointSlice', () => {
  const slice = (addresses: string[], more: object = {}) => ({
    metadata,
    addressType: 'IPv4',
    endpoints: [{ addresses, ...more }],
  });

  it('increments its generation for changes of endpoints and labels, but not of annotations', () => {
    const old = created(endpointSlice, slice(['192.0.2.1']));
    expect(old.metadata.generation).toBe(1);
    const generation = (body: object) => updated(endpointSlice, body, old).metadata.generation;
    expect(generation({ ...slice(['192.0.2.1']), metadata: { ...old.metadata, annotations: { a: 'b' } } })).toBe(1);
    expect(generation({ ...slice(['192.0.2.1']), metadata: { ...old.metadata, labels: { a: 'b' } } })).toBe(2);
    expect(generation({ ...slice(['192.0.2.2']), metadata: old.metadata })).toBe(2);
  });

  it('refuses topology', () => {
    const made = created(endpointSlice, slice(['192.0.2.1'], { deprecatedTopology: { rack: 'r' } }));
    expect(made.endpoints[0]).toEqual({ addresses: ['192.0.2.1'], conditions: {} });
  });

  it('keeps the node names that a client of v1beta1 wrote into the topology', () => {
    const on = (node: string) => ({ deprecatedTopology: { 'kubernetes.io/hostname': node } });
    const old = {
      ...created(endpointSlice, slice([])),
      endpoints: [{ addresses: ['192.0.2.1'], conditions: {}, ...on('n1') }],
    };
    const next = (node: string) => updated(endpointSlice, slice(['192.0.2.9'], on(node)), old).endpoints;
    expect(next('n1')).toEqual([{ addresses: ['192.0.2.9'], conditions: {}, nodeName: 'n1' }]);
    expect(next('n2')).toEqual([{ addresses: ['192.0.2.9'], conditions: {} }]);
  });

  it('cannot change its address type, and has only addresses of that type', async () => {
    const old = created(endpointSlice, slice(['192.0.2.1']));
    expect(await updateErrors(endpointSlice, { ...slice([]), addressType: 'IPv6', endpoints: [] }, old)).toEqual([
      'addressType: Invalid value: "IPv6": field is immutable',
    ]);
    expect(await createErrors(endpointSlice, slice(['2001:db8::1']))).toEqual([
      'endpoints[0].addresses[0]: Invalid value: "2001:db8::1": must be a valid IPv4 address',
    ]);
    const names = { ...slice(['a.example.com.', 'a']), addressType: 'FQDN' };
    expect(await createErrors(endpointSlice, names)).toEqual([
      'endpoints[0].addresses[1]: Invalid value: "a": should be a domain with at least two segments separated by dots',
    ]);
  });
});

describe('Ingress', () => {
  const backend = { service: { name: 's', port: { number: 80 } } };
  const path = (value: string, pathType: string) => ({
    metadata,
    spec: { rules: [{ http: { paths: [{ path: value, pathType, backend }] } }] },
  });

  it('requires normalized paths, unless their type is implementation-specific', async () => {
    expect(await createErrors(ingress, path('/a/../b', 'ImplementationSpecific'))).toEqual([]);
    expect(await createErrors(ingress, path('a/../b/.', 'Prefix'))).toEqual([
      'spec.rules[0].http.paths[0].path: Invalid value: "a/../b/.": must be an absolute path',
      `spec.rules[0].http.paths[0].path: Invalid value: "a/../b/.": must not contain '/../'`,
      `spec.rules[0].http.paths[0].path: Invalid value: "a/../b/.": cannot end with '/.'`,
    ]);
  });

  it('keeps an invalid name of a secret that is unchanged', async () => {
    const withSecret = (secretName: string, port = 80) => ({
      metadata,
      spec: { defaultBackend: { service: { name: 's', port: { number: port } } }, tls: [{ secretName }] },
    });
    expect(await createErrors(ingress, withSecret('A_b'))).toHaveLength(1);
    const old = created(ingress, withSecret('A_b'));
    expect(await updateErrors(ingress, withSecret('A_b', 81), old)).toEqual([]);
    expect(await updateErrors(ingress, withSecret('A_b'), created(ingress, withSecret('fine')))).toHaveLength(1);
  });

  it('prints its addresses, sorted and without duplicates', () => {
    const made = created(ingress, { metadata, spec: { defaultBackend: backend, tls: [{}] } });
    const status = { loadBalancer: { ingress: [{ ip: '192.0.2.2' }, { ip: '192.0.2.1' }, { ip: '192.0.2.2' }] } };
    const cells = row(ingress, { ...made, status }, 0);
    expect(cells.slice(1, 5)).toEqual(['<none>', '*', '192.0.2.1,192.0.2.2', '80, 443']);
  });
});

describe('IngressClass', () => {
  it('cannot change its controller', async () => {
    const old = created(ingressClass, { metadata: { name: 'a' }, spec: { controller: 'example.com/a' } });
    expect(await updateErrors(ingressClass, { metadata: { name: 'a' }, spec: {} }, old)).toEqual([
      'spec.controller: Invalid value: "": field is immutable',
      'spec.controller: Required value',
    ]);
  });
});

describe('NetworkPolicy', () => {
  const block = (cidr: string, ...except: string[]) => ({
    metadata,
    spec: { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr, except } }] }] },
  });

  it('applies to ingress, and to egress if it has such rules', () => {
    expect(created(networkPolicy, { metadata, spec: {} }).spec.policyTypes).toEqual(['Ingress']);
    const both = created(networkPolicy, { metadata, spec: { egress: [{}] } });
    expect(both.spec.policyTypes).toEqual(['Ingress', 'Egress']);
  });

  it('has exceptions only within a range and smaller than it', async () => {
    const refused = (i: number, range: string) =>
      `spec.ingress[0].from[0].ipBlock.except[${i}]: Invalid value: "${range}": must be a strict subset of \`cidr\``;
    expect(await createErrors(networkPolicy, block('2001:db8::/32', '2001:db8:1::/48'))).toEqual([]);
    expect(await createErrors(networkPolicy, block('192.0.2.0/25', '192.0.2.0/25', '192.0.2.128/26'))).toEqual([
      refused(0, '192.0.2.0/25'),
      refused(1, '192.0.2.128/26'),
    ]);
  });
});

it.each([
  ['an empty list of rules', { rules: [] }, '[]networking.IngressRule{}'],
  ['no rules', {}, '[]networking.IngressRule(nil)'],
])('refuses an ingress with %s, quoting it as it was sent', async (_what, spec, printed) => {
  await using server = await openServer();
  const made = server.client().create(ingress, { metadata: { name: 'a' }, spec }, { namespace: 'default' });
  await expect(made).rejects.toMatchObject({ code: 422, message: expect.stringContaining(printed) });
});
