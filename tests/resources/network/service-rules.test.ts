import { describe, expect, it } from 'vitest';
import type { ApiServer } from '../../../src/api-server.js';
import { service } from '../../../src/exports/kinds.js';
import { k8s } from '../../../src/meta/dialect.js';
import { addressWarnings, rangeWarnings } from '../../../src/resources/core/service/service-warnings.js';
import { ask } from '../../support/ask.js';
import { openServer } from '../../support/servers.js';
import { createErrors, readBody, row, updateErrors } from '../steps.js';

const LATER = 'IP address was accepted, but will be invalid in a future Kubernetes release: ';

describe('addresses in an unusual notation', () => {
  it.each([
    ['192.0.2.1', undefined],
    ['2001:db8::1', undefined],
    ['fe80::1%eth0', undefined],
    ['::ffff:192.0.2.1', undefined],
    ['', 'unable to parse IP'],
    ['%x', 'missing IPv6 address'],
    ['1.2.3', 'IPv4 address too short'],
    ['1.2.3.4.5', 'IPv4 address too long'],
    ['1.2.03.4', 'IPv4 field has octet with leading zero'],
    ['1.2.256.4', 'IPv4 field has value >255'],
    ['1..2.3', 'IPv4 field must have at least one digit (at ".2.3")'],
    ['1.2.3.x', 'unexpected character (at "x")'],
    ['1:2', 'address string too short'],
    ['1:2:', 'colon must be followed by more characters (at ":")'],
    ['1::2::3', 'multiple :: in address (at ":3")'],
    ['12345::', 'each group must have 4 or less digits (at "12345::")'],
    ['::g', 'each colon-separated field must have at least one digit (at "g")'],
    ['1:2g::', 'unexpected character, want colon (at "g::")'],
    ['1:2:3:4:5:6:7:8:9', 'trailing garbage after address (at "9")'],
    ['1:2:3:4::5:6:7:8', 'the :: must expand to at least one field of zeros'],
    ['1:2.3.4.5', 'embedded IPv4 address must replace the final 2 fields of the address (at "2.3.4.5")'],
    ['::1%', 'zone must be a non-empty string'],
  ])('%s: %s', (text, why) => {
    const said = why === undefined ? [] : [`f: ${LATER}ParseAddr("${text}"): ${why}`];
    expect(addressWarnings('f', text, k8s)).toEqual(said);
  });

  it('are quoted in the usual notation', () => {
    const usual = 'which may cause controller apply-loops';
    expect(addressWarnings('f', '2001:DB8:0::1', k8s)).toEqual([
      `f: IPv6 address "2001:DB8:0::1" is not in RFC 5952 canonical format ("2001:db8::1"), ${usual}`,
    ]);
    expect(rangeWarnings('f', '2001:db8:0::/64', k8s)).toEqual([
      `f: IPv6 prefix "2001:db8:0::/64" is not in RFC 5952 canonical format ("2001:db8::/64"), ${usual}`,
    ]);
    for (const [range, why] of [
      ['1.2.3.4', "no '/'"],
      ['1.2.3.4/033', 'bad bits after slash: "033"'],
      ['1.2.3.4/33', 'prefix length out of range'],
      ['fe80::%a/10', 'IPv6 zones cannot be present in a prefix'],
    ])
      expect(rangeWarnings('f', range ?? '', k8s)[0]).toContain(`ParsePrefix("${range}"): ${why}`);
  });
});

it('a table prints the addresses of a Service', () => {
  const shown = (spec: object, status?: object) =>
    row(service, readBody(service, { metadata: { name: 'a' }, spec, status }), 0).slice(1, 5);
  const ports = [
    { port: 80, nodePort: 30_001 },
    { port: 53, protocol: 'UDP' },
  ];
  expect(shown({ clusterIP: 'None', clusterIPs: ['None'] })).toEqual(['ClusterIP', 'None', '<none>', '<none>']);
  expect(shown({ type: 'LoadBalancer', ports, clusterIPs: ['10.0.0.9'] })).toEqual([
    'LoadBalancer',
    '10.0.0.9',
    '<pending>',
    '80:30001/TCP,53/UDP',
  ]);
  const ingress = [{ hostname: 'lb.example.com' }, { ip: '192.0.2.1' }];
  expect(shown({ type: 'LoadBalancer', externalIPs: ['192.0.2.9'] }, { loadBalancer: { ingress } })[2]).toBe(
    '192.0.2.1,lb.example.com,192.0.2.9',
  );
});

describe('validation of a Service', () => {
  const body = (spec: object) => ({ metadata: { name: 'a' }, spec: { ports: [{ port: 80 }], ...spec } });
  const both = { clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1', 'fd00::1'] };

  it.each<readonly [string, object, readonly string[]]>([
    [
      'reports families that do not fit the addresses beside other errors',
      { ...both, ipFamilies: ['IPv6', 'IPv4'], ipFamilyPolicy: 'Both' },
      [
        'spec.ipFamilyPolicy: Unsupported value: "Both": supported values: "PreferDualStack", "RequireDualStack", "SingleStack"',
        'spec.clusterIPs[0]: Invalid value: "10.0.0.1": expected an IPv6 value as indicated by `ipFamilies[0]`',
        'spec.clusterIPs[1]: Invalid value: "fd00::1": expected an IPv4 value as indicated by `ipFamilies[1]`',
      ],
    ],
    [
      'does not compare addresses with unknown families',
      { ...both, ipFamilies: ['IPv4', 'IPv5'] },
      ['spec.ipFamilies[1]: Unsupported value: "IPv5": supported values: "IPv4", "IPv6"'],
    ],
  ])('%s', async (_what, spec, errors) => {
    expect(await createErrors(service, body(spec))).toEqual(errors);
  });

  it.each<readonly [string, object, object, readonly string[]]>([
    [
      'reports an invalid class of a load balancer twice if it changed',
      { type: 'LoadBalancer', loadBalancerClass: 'a.example.com/b' },
      { type: 'LoadBalancer', loadBalancerClass: 'a/b/c' },
      [
        'spec.loadBalancerClass: Invalid value: "a/b/c": may not change once set',
        expect.stringContaining('spec.loadBalancerClass: Invalid value: "a/b/c": a qualified name must'),
        expect.stringContaining('spec.loadBalancerClass: Invalid value: "a/b/c": a qualified name must'),
      ],
    ],
    [
      'refuses a class if the Service is no longer a load balancer',
      { type: 'LoadBalancer', loadBalancerClass: 'a.example.com/b' },
      { type: 'ClusterIP', loadBalancerClass: 'a.example.com/c' },
      Array(2).fill("spec.loadBalancerClass: Forbidden: may only be used when `type` is 'LoadBalancer'"),
    ],
    [
      'refuses another address beside an unknown type',
      { clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'] },
      { type: 'Other', clusterIP: '10.0.0.2', clusterIPs: ['10.0.0.2'] },
      [
        'spec.clusterIPs[0]: Invalid value: []string{"10.0.0.2"}: may not change once set',
        expect.stringContaining('spec.type: Unsupported value: "Other"'),
      ],
    ],
  ])('on an update: %s', async (_what, old, next, errors) => {
    expect(await updateErrors(service, body(next), readBody(service, body(old)))).toEqual(errors);
  });
});

describe('the proxy of a service', () => {
  const base = '/api/v1/namespaces/default';

  async function asked(server: ApiServer, name: string, method = 'GET', rest = '/a//b') {
    const { status, message } = await ask(server, { method, path: `${base}/services/${name}/proxy${rest}` });
    return [status, message];
  }

  it('finds an endpoint by name or number of a port, and reports what is missing', async () => {
    await using server = await openServer();
    const web = {
      ports: [
        { name: 'web', port: 80, targetPort: 80 },
        { name: 'other', port: 81, targetPort: 81 },
      ],
    };
    await server.load([
      { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a', namespace: 'default' }, spec: web },
    ]);
    expect(await asked(server, 'a')).toEqual([404, 'services "a" not found']);
    expect(await asked(server, 'a:82')).toEqual([503, 'no service port 82 found for service "a"']);
    expect(await asked(server, 'ftp:a:80')).toEqual([400, 'invalid service request "ftp:a:80"']);
    const subsets = [{ addresses: [{ ip: '192.0.2.1' }], ports: [{ name: 'web', port: 8080 }] }];
    await server.load([
      { apiVersion: 'v1', kind: 'Endpoints', metadata: { name: 'a', namespace: 'default' }, subsets },
    ]);
    expect(await asked(server, 'https:a:81')).toEqual([503, 'no endpoints available for service "https:a:81"']);
    // An endpoint that is not a pod of the namespace gets no request.
    for (const name of ['a:80', 'a:web'])
      expect(await asked(server, name)).toEqual([503, `no endpoints available for service "${name}"`]);
  });

  it('accepts every path and method', async () => {
    await using server = await openServer();
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
      expect(await asked(server, 'a', method, '')).toEqual([404, 'services "a" not found']);
    expect(await asked(server, 'a', 'TRACE')).toEqual([
      405,
      'the server does not allow this method on the requested resource',
    ]);
    const other = await ask(server, { path: `${base}/services/a/status/x` });
    expect(other.status).toBe(404);
  });
});
