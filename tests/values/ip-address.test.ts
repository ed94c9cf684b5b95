import { expect, it } from 'vitest';
import {
  formatIp,
  parseAddr,
  parseIp,
  parsePrefix,
  parseSloppyIp,
  withoutWrapping,
} from '../../src/values/ip-address.js';

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

it.each([
  ['010.000.0.08', '10.0.0.8'],
  ['0000000000001.2.3.4', '1.2.3.4'],
  ['00000db8::000001', 'db8::1'],
  ['::ffff:010.0.0.1', '10.0.0.1'],
  ['1:2:3:4:5:6:001.2.3.4', '1:2:3:4:5:6:102:304'],
])('%s is an address where leading zeros are accepted', (text, short) => {
  const bytes = parseSloppyIp(text);
  expect(bytes && formatIp(withoutWrapping(bytes))).toBe(short);
  expect(parseIp(text)).toBeUndefined();
});

it.each([
  '',
  '0',
  '1.2.3.0256',
  '0x1.2.3.4',
  '1.2.3.00a',
  '1.2.3.4%0',
  'fe80::1%eth0',
  '::00010000',
  '0:',
  ':01',
  '1.2.3.4::',
])('%j is not an address even where leading zeros are accepted', (text) => expect(parseSloppyIp(text)).toBeUndefined());

it.each([
  ['1.2.3', 'IPv4 address too short'],
  ['1.2.3.04', 'IPv4 field has octet with leading zero'],
  ['1.2.3.256', 'IPv4 field has value >255'],
  ['1.2.3.4%eth0', 'unexpected character (at "%eth0")'],
  ['%eth0', 'missing IPv6 address'],
  ['fe80::1%', 'zone must be a non-empty string'],
  ['00001::', 'each group must have 4 or less digits (at "00001::")'],
  ['1:', 'colon must be followed by more characters (at ":")'],
  ['1::2::3', 'multiple :: in address (at ":3")'],
  ['1:1.2.3.4', 'embedded IPv4 address must replace the final 2 fields of the address (at "1.2.3.4")'],
])('Go reports why %j is not an address', (text, why) => {
  expect(parseAddr(text)).toBe(`ParseAddr("${text}"): ${why}`);
});

it.each([
  ['10.0.0.1/08', 'bad bits after slash: "08"'],
  ['10.0.0.1/', 'bad bits after slash: ""'],
  ['10.0.0.1/1000', 'prefix length out of range'],
  ['10.0.0.1/9223372036854775808', 'bad bits after slash: "9223372036854775808"'],
  ['fe80::1%a/64', 'IPv6 zones cannot be present in a prefix'],
  ['10.0.0.1', "no '/'"],
  ['01.0.0.1/8', 'ParseAddr("01.0.0.1"): IPv4 field has octet with leading zero'],
])('Go reports why %j is not a network', (text, why) => {
  expect(parsePrefix(text)).toBe(`netip.ParsePrefix("${text}"): ${why}`);
});

it('keeps the zone of an address and the host bits of a network', () => {
  expect(parseAddr('fe80::1%a%b')).toMatchObject({ zone: 'a%b' });
  expect(parsePrefix('10.0.0.1/8')).toEqual({ bytes: Uint8Array.of(10, 0, 0, 1), bits: 8 });
});
