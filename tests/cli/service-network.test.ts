import { expect, it } from 'vitest';
import { parseFlags } from '../../src/cli/parse-flags.js';
import {
  advertiseOption,
  checkServiceNetwork,
  externalAddress,
  readServiceNetwork,
} from '../../src/cli/service-network.js';

const valuesOf = (...argv: string[]) => parseFlags(argv).values;

it.each([
  [[], { clusterIpRanges: ['10.0.0.0/24'], nodePorts: { first: 30_000, last: 32_767 } }],
  [['--service-cluster-ip-range=10.1.0.0/16,fd00::/112'], { clusterIpRanges: ['10.1.0.0/16', 'fd00::/112'] }],
  [['--service-node-port-range=80'], { nodePorts: { first: 80, last: 80 } }],
  [['--service-node-port-range=30000+10'], { nodePorts: { first: 30_000, last: 30_010 } }],
])('%j', (argv, network) => {
  expect(checkServiceNetwork(valuesOf(...argv))).toEqual([]);
  expect(readServiceNetwork(valuesOf(...argv))).toMatchObject(network);
});

const RANGE = '--service-cluster-ip-range';
const PORTS = '--service-node-port-range';
it.each([
  [`${RANGE}=10.0.0.1`, 'service-cluster-ip-range[0] is not a valid cidr'],
  [`${RANGE}=10.0.0.0/24,`, 'service-cluster-ip-range[1] is not a valid cidr'],
  [`${RANGE}=10.0.0.0/24,fd00::/112,10.1.0.0/24`, `${RANGE} must not contain more than two entries`],
  [`${RANGE}=10.0.0.0/24,10.1.0.0/24`, `${RANGE}[0] and ${RANGE}[1] must be of different IP family`],
  [`${RANGE}=10.0.0.0/8`, `specified ${RANGE} is too large; for 32-bit addresses, the mask must be >= 12`],
  [`${RANGE}=fd00::/64`, `specified ${RANGE} is too large; for 128-bit addresses, the mask must be >= 108`],
  [`${RANGE}=10.0.0.0/30`, 'the service cluster IP range must be at least 8 IP addresses'],
  [`${PORTS}=x`, `invalid argument "x" for "${PORTS}" flag: unable to parse port range: x`],
  [`${PORTS}=2-1`, `invalid argument "2-1" for "${PORTS}" flag: end port cannot be less than start port: 2-1`],
  [
    `${PORTS}=1-70000`,
    `invalid argument "1-70000" for "${PORTS}" flag: the port range cannot be greater than 65535: 1-70000`,
  ],
  [
    '--kubernetes-service-node-port=-1',
    '--kubernetes-service-node-port -1 must be between 0 and 65535, inclusive. If 0, the orch-apiserver master service will be of type ClusterIP',
  ],
  ['--kubernetes-service-node-port=80', "orch service port range 30000-32767 doesn't contain 80"],
  [
    '--advertise-address=api.example.com',
    'invalid argument "api.example.com" for "--advertise-address" flag: failed to parse IP: "api.example.com"',
  ],
  ['--advertise-address=2001:db8::7', 'service IP family "10.0.0.0/24" must match public address family "2001:db8::7"'],
])('%s is refused', (flag, why) => {
  expect(checkServiceNetwork(valuesOf(flag))).toEqual([why]);
});

it('a server publishes the address of its flags, unless others cannot reach it or its port is unknown', () => {
  const address = '192.0.2.7';
  expect(advertiseOption(valuesOf(`--advertise-address=${address}`))).toEqual({ advertise: { address, port: 6443 } });
  expect(advertiseOption(valuesOf(`--bind-address=${address}`))).toEqual({ advertise: { address, port: 6443 } });
  expect(advertiseOption(valuesOf(`--advertise-address=${address}`, '--secure-port=0'))).toEqual({});
  expect(advertiseOption(valuesOf('--advertise-address=127.0.0.1')).advertise?.address).not.toBe('127.0.0.1');
  expect(advertiseOption(valuesOf(`--advertise-address=${address}`, '--endpoint-reconciler-type=none'))).toEqual({});
  const six = '--service-cluster-ip-range=2001:db8::/112';
  expect(advertiseOption(valuesOf(`--bind-address=${address}`, six)).advertise?.address).not.toBe(address);
});

it.each([
  [[], undefined],
  [['--external-hostname='], undefined],
  [['--advertise-address=192.0.2.7'], '192.0.2.7:6443'],
  [['--advertise-address=192.0.2.7', '--external-hostname=api.example.com'], 'api.example.com:6443'],
  [['--external-hostname=api.example.com:443'], 'api.example.com:443'],
  [['--external-hostname=api.example.com', '--secure-port=0'], 'api.example.com'],
  [['--external-hostname=2001:db8::7', '--secure-port=8443'], '[2001:db8::7]:8443'],
])('%j: the address for clients is %s', (flags, address) => {
  expect(externalAddress(valuesOf(...flags)).externalAddress).toBe(address);
});

it('a class E range, any order of families, and a port in the node port range are accepted', () => {
  for (const flags of [
    ['--service-cluster-ip-range=244.0.0.0/16'],
    ['--service-cluster-ip-range=10.0.0.0/16,3000::/108'],
    ['--service-cluster-ip-range=3000::/108,10.0.0.0/16'],
    ['--kubernetes-service-node-port=30067', '--service-node-port-range=30065+4'],
    ['--advertise-address=2001:db8::7', '--endpoint-reconciler-type=none'],
  ])
    expect(checkServiceNetwork(valuesOf(...flags)), flags.join(' ')).toEqual([]);
  expect(readServiceNetwork(valuesOf('--kubernetes-service-node-port=30067')).ownNodePort).toBe(30067);
});
