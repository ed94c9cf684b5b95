import { canonicalBase64 } from '../../values/base64.js';
import { ParseError } from '../../values/parse-error.js';
import { parseTime } from '../../values/time.js';

type Check = (text: string) => boolean;
const matching =
  (pattern: RegExp): Check =>
  (text) =>
    pattern.test(text);
const uuid = (version: string, variant = '[89ab]') =>
  matching(new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?${variant}[0-9a-f]{3}-?[0-9a-f]{12}$`, 'i'));

const isIpv4: Check = (text) =>
  /^\d{1,3}(?:\.\d{1,3}){3}$/.test(text) && text.split('.').every((part) => Number(part) < 256);
function isIpv6(text: string): boolean {
  if (text.length > 45 || !text.includes(':')) return false;
  // An IPv4 address may replace the last two groups of an IPv6 address.
  const tail = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  if (tail !== null && !isIpv4(tail[2] ?? '')) return false;
  const plain = tail === null ? text : `${tail[1]}0:0`;
  const halves = plain.split('::');
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return false;
  return halves.length === 2 ? groups.length < 8 : groups.length === 8;
}
function isCidr(text: string): boolean {
  const [address = '', bits = '', ...more] = text.split('/');
  if (more.length > 0 || !/^\d{1,3}$/.test(bits)) return false;
  return (isIpv4(address) && Number(bits) <= 32) || (isIpv6(address) && Number(bits) <= 128);
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
function isTime(text: string): boolean {
  try {
    parseTime(text);
    return true;
  } catch (error) {
    if (error instanceof ParseError) return false;
    throw error;
  }
}
const isDateTime: Check = (text) => {
  const match = /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)([.,]\d+)?([Zz]|[+-]\d\d:\d\d)$/.exec(text);
  return match !== null && isTime(`${match[1]}T${match[2]}Z`);
};

// The regular expression is inside the function because its Unicode classes take a millisecond to compile, and most servers never need
// them.
const isLabel: Check = (text) => /^[\p{L}\p{S}\p{N}](?:[\p{L}\p{S}\p{N}-]{0,61}[\p{L}\p{S}\p{N}])?$/u.test(text);
function isHostname(text: string): boolean {
  if (text.length === 0 || text.length > 255) return false;
  const labels = text.split('.');
  // The last of several labels must consist of at least two letters.
  return labels.every(isLabel) && (labels.length === 1 || /^[\p{L}]{2,63}$/u.test(labels.at(-1) ?? ''));
}

const UNIT =
  '(?:ns|nanos?|nanoseconds?|us|µs|micros?|microseconds?|ms|millis?|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|wks?|weeks?)';
const DURATION = new RegExp(
  `^(?:[+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)\\s*${UNIT})(?:\\s*(?:\\d+(?:\\.\\d*)?|\\.\\d+)\\s*${UNIT})*$`,
  'i',
);
const ISO_DURATION = /^P(?=.)(?:\d+Y)?(?:\d+M)?(?:\d+W)?(?:\d+D)?(?:T(?=.)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?$/;

function isUri(text: string): boolean {
  if (/[\s\x00-\x1f\x7f]/.test(text) || text === '' || /%(?![0-9a-f]{2})/i.test(text)) return false;
  return text.startsWith('/') || text === '*' || /^[a-z][a-z0-9+.-]*:./i.test(text);
}

/** The formats that are checked, by name without `-`. All other formats are only published in OpenAPI. */
const FORMATS: Readonly<Record<string, Check>> = {
  bsonobjectid: matching(/^[0-9a-f]{24}$/i),
  uri: isUri,
  email: matching(/^[^\s@<>()[\],;:\\"]+@[^\s@.]+(?:\.[^\s@.]+)*$/),
  hostname: isHostname,
  ipv4: isIpv4,
  ipv6: isIpv6,
  cidr: isCidr,
  mac: matching(/^(?:[0-9a-f]{2}([:-]))(?:[0-9a-f]{2}\1){4,18}[0-9a-f]{2}$|^(?:[0-9a-f]{4}\.){2,9}[0-9a-f]{4}$/i),
  uuid: uuid('[0-9a-f]', '[0-9a-f]'),
  uuid3: uuid('3', '[0-9a-f]'),
  uuid4: uuid('4'),
  uuid5: uuid('5'),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: isCreditCard,
  ssn: matching(/^\d{3}[- ]?\d{2}[- ]?\d{4}$/),
  hexcolor: matching(/^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i),
  rgbcolor: matching(/^rgb\(\s*(?:(?:0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*(?:,\s*|\))){3}$/),
  byte: (text) => typeof canonicalBase64(text) === 'string',
  date: isDate,
  duration: (text) => DURATION.test(text) || ISO_DURATION.test(text),
  datetime: isDateTime,
};

/** Returns whether a string has a format (spec 21.5). A format without a check accepts every string. */
export function isOfFormat(format: string, text: string): boolean {
  const name = format.replaceAll('-', '');
  return Object.hasOwn(FORMATS, name) ? (FORMATS[name]?.(text) ?? true) : true;
}
