import { expect, it } from 'vitest';
import { formatIp, parseIp } from '../../../src/pki/names/ip-address.js';

it.each([
  ['10.0.0.1', '10.0.0.1'],
  ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
  ['::', '::'],
  ['::ffff:1.2.3.4', '::ffff:102:304'],
  ['1:2:3:4:5:6:1.2.3.4', '1:2:3:4:5:6:102:304'],
])('%s is an address', (text, short) => {
  const bytes = parseIp(text);
  expect(bytes && formatIp(bytes)).toBe(short);
});

it.each([
  '',
  '1.2.3',
  '1.2.3.04',
  '1.2.3.256',
  '1.2.3.4::',
  '1:1.2.3.4::1',
  '1::2::3',
  '1:2:3:4:5:6:7',
  'fe80::1%eth0',
])('%j is not an address', (text) => {
  expect(parseIp(text)).toBeUndefined();
});
