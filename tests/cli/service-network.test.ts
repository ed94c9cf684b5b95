import { expect, it } from 'vitest';
import { parseFlags } from '../../src/cli/parse-flags.js';
import { advertised, checkServiceNetwork, externalAddress, readServiceNetwork } from '../../src/cli/service-network.js';

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
])('%s is refused', (flag, why) => {
  expect(checkServiceNetwork(valuesOf(flag))).toEqual([why]);
});

it('a server says that it is where its flags say, unless others cannot reach that or its port is not known', () => {
  const address = '192.0.2.7';
  expect(advertised(valuesOf(`--advertise-address=${address}`))).toEqual({ advertise: { address, port: 6443 } });
  expect(advertised(valuesOf(`--bind-address=${address}`))).toEqual({ advertise: { address, port: 6443 } });
  expect(advertised(valuesOf(`--advertise-address=${address}`, '--secure-port=0'))).toEqual({});
  expect(advertised(valuesOf('--advertise-address=127.0.0.1')).advertise?.address).not.toBe('127.0.0.1');
});

it.each([
  [[], undefined],
  [['--external-hostname='], undefined],
  [['--advertise-address=192.0.2.7'], '192.0.2.7:6443'],
  [['--advertise-address=192.0.2.7', '--external-hostname=api.example.com'], 'api.example.com:6443'],
  [['--external-hostname=api.example.com:443'], 'api.example.com:443'],
  [['--external-hostname=api.example.com', '--secure-port=0'], 'api.example.com'],
  [['--external-hostname=2001:db8::7', '--secure-port=8443'], '[2001:db8::7]:8443'],
])('%j: clients are told to reach it at %s', (flags, address) => {
  expect(externalAddress(valuesOf(...flags)).externalAddress).toBe(address);
});
