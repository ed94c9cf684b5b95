import { describe, expect, it } from 'vitest';
import { isOfFormat } from '../../src/schema/constraints/string-formats.js';

/* Edge cases of the formats, as upstream's validators decide them. */

const CASES: Readonly<Record<string, { readonly yes: readonly string[]; readonly no: readonly string[] }>> = {
  hostname: {
    yes: [
      'localhost',
      'x',
      'x-y',
      'x-',
      'ex$ample',
      '<foo>',
      'a.com',
      '1.2.com',
      'xn--ls8h.la',
      'a-b-c.example.com',
      '詹姆斯.org',
    ],
    no: [
      'my-host',
      'a-b-c',
      'a.b.c',
      '1.1.1.1',
      'www-.example.org',
      'a.com.',
      '',
      'a'.repeat(64),
      `${'é'.repeat(32)}.org`,
    ],
  },
  ipv6: {
    yes: ['::1', '::00000ffff', '1:2:3:4:5:6:1.2.3.4'],
    no: ['::1ffff', '1.2.3.4', '1::2::3', '::1%a'],
  },
  cidr: { yes: ['1.2.3.4/08', '::1/0128'], no: ['::1/129', '1.2.3.4/', '1.2.3.4/33'] },
  email: {
    yes: [
      'a@b',
      '"Fred B"@b.c',
      '"A\\@b"@b.c',
      'Jane Doe <jane@b.c>',
      '"Jane" <jane@b.c>',
      'a@b (her)',
      'a@[10.0.0.1]',
      'a@[::1]',
      '!#$%&*+-/=?^_`{}|~@b.c',
    ],
    no: [
      'a@[256.0.0.1]',
      'a@[01.0.0.1]',
      'a@[b]',
      'a..b@c',
      '.a@c',
      'a.@c',
      'a@b@c',
      'a@',
      '@b',
      '',
      '<a>',
      'Jane <jane>',
      'a@b c',
      'a@b.',
    ],
  },
  duration: {
    yes: ['0', '1h30m', '-1.5h', '.5s', '3 weeks', 'P1D', 'in 5 minutes', '2DAYS', '99999999h'],
    no: ['', '5', '5 months', 'soon', '99999999999999999999 s', '1.5'],
  },
  uri: {
    yes: ['/a b', '*', 'http:', 'http://a.b/c d', 'mailto:a', 'http://[::1]:80/'],
    no: ['', 'a', 'http://a b/', 'http://a:b/', '%zz', '/%zz', 'http://[::1'],
  },
  mac: {
    yes: ['00-11-22-33-44-55', '00:11:22:33:44:55:66:77', '0011.2233.4455', Array(20).fill('00').join(':')],
    no: ['00:11:22:33:44:55:66', '00:11-22:33:44:55', '0011.2233', '0011.2233.4455.6677.8899'],
  },
  ipv4: { yes: ['001.2.3.4', '::ffff:1.2.3.4'], no: ['::1', '1.2.3', '1.2.3.4.5'] },
  'date-time': {
    yes: ['2020-01-31t10:00:00z', '2020-01-31T10:00:00,5Z', '2020-01-31T10:00:00+99:99'],
    no: ['2020-01-31T10:00:60Z', '2020-01-31T24:00:00Z', '2020-02-30T10:00:00Z', '2020-01-31T10:00:00'],
  },
  byte: { yes: ['aGk=', 'aGl='], no: ['', 'aGk', 'a\nGk='] },
  ssn: { yes: ['111-11-1111', '999 99 9999'], no: ['111111111'] },
  rgbcolor: { yes: ['rgb( 1 , 2,3 )'], no: ['rgb(1,2,3,', 'rgb(1)2)3)', 'rgb(256,0,0)'] },
};

describe.each(Object.entries(CASES))('the format %s', (format, { yes, no }) => {
  it.each(yes)('accepts %j', (text) => expect(isOfFormat(format, text)).toBe(true));
  it.each(no)('does not accept %j', (text) => expect(isOfFormat(format, text)).toBe(false));
});
