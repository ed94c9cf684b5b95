import { parseDuration } from '../../values/duration.js';
import { parseIp, parseSloppyIp } from '../../values/ip-address.js';
import { ParseError } from '../../values/parse-error.js';
import { parseTime } from '../../values/time.js';
import { uriProblem } from '../../values/uri.js';
import { utf8Length } from '../../values/utf8.js';

type Check = (text: string) => boolean;
const matching =
  (pattern: RegExp): Check =>
  (text) =>
    pattern.test(text);
const uuid = (version: string, variant = '[89ab]') =>
  matching(new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?${variant}[0-9a-f]{3}-?[0-9a-f]{12}$`, 'i'));

const isAddress: Check = (text) => parseSloppyIp(text) !== undefined;
function isCidr(text: string): boolean {
  const [, address = '', bits = ''] = /^([^/]*)\/(\d+)$/.exec(text) ?? [];
  const bytes = parseSloppyIp(address);
  return bytes !== undefined && Number(bits) <= bytes.length * 8;
}

// The check digit of an ISBN-10 makes the weighted sum of its digits divisible by 11.
function isIsbn10(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, '');
  if (!/^\d{9}[\dX]$/.test(digits)) return false;
  return [...digits].reduce((sum, d, i) => sum + (d === 'X' ? 10 : Number(d)) * (10 - i), 0) % 11 === 0;
}
function isIsbn13(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, '');
  return (
    /^\d{13}$/.test(digits) && [...digits].reduce((sum, d, i) => sum + Number(d) * (i % 2 === 0 ? 1 : 3), 0) % 10 === 0
  );
}
function isCreditCard(text: string): boolean {
  const digits = text.replace(/\D+/g, '');
  if (
    !/^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11}|62\d{14})$/.test(
      digits,
    )
  )
    return false;
  const sum = [...digits].reverse().reduce((total, digit, i) => {
    const value = Number(digit) * (i % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && isTime(`${text}T00:00:00Z`);
}
const isTime = (text: string): boolean => parses(parseTime, text);
function parses(parse: (text: string) => unknown, text: string): boolean {
  try {
    parse(text);
    return true;
  } catch (error) {
    if (error instanceof ParseError) return false;
    throw error;
  }
}
// As in upstream, the fraction may begin with any character instead of a dot, time zone offsets have no maximum, and text after a second
// `t` is ignored.
function isDateTime(text: string): boolean {
  const [date = '', time = ''] = text.toLowerCase().split('t', 2);
  const match = /^(\d\d):(\d\d):(\d\d)(?:.\d+)?(?:z|[+-]\d\d:\d\d)$/u.exec(time);
  if (match === null || !isDate(date)) return false;
  const [, hour = '', minute = '', second = ''] = match;
  return hour <= '23' && minute <= '59' && second <= '59';
}

// The regular expressions are inside the function because their Unicode classes take a millisecond to compile, and most servers never need
// them.
function isHostname(text: string): boolean {
  if (utf8Length(text) > 255) return false;
  const labels = text.split('.');
  if (labels.some((label) => utf8Length(label) > 63)) return false;
  const last = labels.pop() ?? '';
  // A hostname with only one label may contain a hyphen only as its second character, which may also be its last one.
  if (labels.length === 0) return /^[a-zA-Z0-9\p{S}\p{L}]-?[a-zA-Z0-9\p{S}\p{L}]{0,62}$/u.test(last);
  // The last of several labels must consist of at least two letters.
  const inner = /^[a-zA-Z0-9\p{S}\p{L}](?:[a-zA-Z0-9\p{S}\p{L}-]{0,61}[a-zA-Z0-9\p{S}\p{L}])?$/u;
  return /^\p{L}{2,63}$/u.test(last) && labels.every((label) => inner.test(label));
}

const ATEXT = String.raw`[^\x00-\x20\x7f()<>[\]:;@\\,".]`;
const DOTTED = String.raw`${ATEXT}+(?:\.${ATEXT}+)*`;
const QUOTED = String.raw`"(?:[^"\\\x00-\x08\x0a-\x1f\x7f]|\\[\t\x20-\x7e\x80-\uffff])+"`;
const ADDRESS = String.raw`[ \t]*(?:${DOTTED}|${QUOTED})@[ \t]*(?:${DOTTED}|\[[^\s[\]\\]+\])`;
/** Matches an email address, or a display name followed by an address in angle brackets. A comment in parentheses may follow. */
const EMAIL = new RegExp(
  String.raw`^(?:${ADDRESS}|(?:${ATEXT}|[. \t]|${QUOTED})*<${ADDRESS}>)[ \t]*(?:\([^()\\]*\)[ \t]*)?$`,
);

/** Returns whether a string is an email address. The brackets behind `@` must contain an IP address without leading zeros. */
function isEmail(text: string): boolean {
  if (!EMAIL.test(text)) return false;
  const [, address] = /@[ \t]*\[([^\s[\]\\]+)\]>?[ \t]*(?:\([^()\\]*\)[ \t]*)?$/.exec(text) ?? [];
  return address === undefined || parseIp(address) !== undefined;
}

const PAIRS = /^[0-9a-f]{2}(?::[0-9a-f]{2})*$|^[0-9a-f]{2}(?:-[0-9a-f]{2})*$|^[0-9a-f]{4}(?:\.[0-9a-f]{4})*$/i;
/** Returns whether a string is a hardware address (MAC address) of 6, 8 or 20 bytes. */
const isMac: Check = (text) => [12, 16, 40].includes(PAIRS.test(text) ? text.replace(/[:.-]/g, '').length : 0);

const UNIT = /^(?:ns|[uµm]s|[smhdw]|hr|wk)$|^(?:nano|micro|milli|sec|min|hour|day|week)/;
const MAX_INT64 = (1n << 63n) - 1n;
/** Returns whether a string is a duration or contains any number with a unit of time. Units may be words: `3 weeks`, `P1D`. */
function isDuration(text: string): boolean {
  if (parses(parseDuration, text)) return true;
  let found = false;
  for (const [, digits = '', unit = ''] of text.matchAll(/(\d+)[\t\n\f\r ]*([A-Za-zµ]*)/g)) {
    if (unit === '') continue;
    if (digits.length > 18 && (digits.replace(/^0+/, '').length > 19 || BigInt(digits) > MAX_INT64)) return false;
    found ||= UNIT.test(unit.toLowerCase());
  }
  return found;
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/;
const BYTE = String.raw`\s*(?:0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*`;

/** The formats that are checked, by name without `-`. All other formats are only published in OpenAPI. */
const FORMATS: Readonly<Record<string, Check>> = {
  bsonobjectid: matching(/^[0-9a-f]{24}$/i),
  uri: (text) => uriProblem(text) === undefined,
  email: isEmail,
  hostname: isHostname,
  // An IPv6 address that ends with an IPv4 address is valid for both formats.
  ipv4: (text) => text.includes('.') && isAddress(text),
  ipv6: (text) => text.includes(':') && isAddress(text),
  cidr: isCidr,
  mac: isMac,
  uuid: uuid('[0-9a-f]', '[0-9a-f]'),
  uuid3: uuid('3', '[0-9a-f]'),
  uuid4: uuid('4'),
  uuid5: uuid('5'),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: isCreditCard,
  ssn: matching(/^\d{3}[- ]\d{2}[- ]\d{4}$/),
  hexcolor: matching(/^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i),
  rgbcolor: matching(new RegExp(`^rgb\\(${BYTE},${BYTE},${BYTE}\\)$`)),
  byte: matching(BASE64),
  date: isDate,
  duration: isDuration,
  password: () => true,
  datetime: isDateTime,
};

/** Returns whether strings of a format are checked. */
export const isKnownFormat = (format: string): boolean => Object.hasOwn(FORMATS, format.replaceAll('-', ''));

/** Returns whether a string has a format (spec 21.5). A format without a check accepts every string. */
export const isOfFormat = (format: string, text: string): boolean =>
  !isKnownFormat(format) || (FORMATS[format.replaceAll('-', '')]?.(text) ?? true);
