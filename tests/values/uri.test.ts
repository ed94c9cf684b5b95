import { describe, expect, it } from 'vitest';
import { webhookServiceProblems, webhookUrlProblems } from '../../src/resources/shared/webhook-client.js';
import { escapedPath, parseReference, parseUri } from '../../src/values/uri.js';

// Facts of Go's net/url, with which upstream parses URLs.
describe('the host of a URL', () => {
  it.each([
    ['https://a.b\\_%00', 'invalid character "\\\\" in host name'],
    ['https://a.b%00\\', 'invalid URL escape "%00"'],
    ['https://a%b.c%5B', 'invalid URL escape "%b."'],
    ['https://[::1%25%7f]', 'invalid URL escape "%7f"'],
    ['https://[::1%25 a]', 'invalid character " " in host name'],
    ['https://u:%zz@[::1', "missing ']' in host"],
    ['https://u%4:1@a', 'invalid URL escape "%4"'],
    ['http://a%41|', 'invalid URL escape "%41"'],
    ['http://|a%41', 'invalid character "|" in host name'],
    ['http://a%8', 'invalid URL escape "%8"'],
    ['http://"@a%41', 'invalid URL escape "%41"'],
    ['http://"@a', 'net/url: invalid userinfo'],
  ])('%s is refused at its first error', (text, why) => {
    expect(parseReference(text)).toBe(`parse ${JSON.stringify(text)}: ${why}`);
  });

  it.each([
    ['https://a[b%25c]:443/', 'a[b%c]:443'],
    ['https://[fe80::1%25en%200]', '[fe80::1%en 0]'],
    ['https://%C3%A9', 'é'],
    ['https://a%25b%C3%A9/x', 'a%bé'],
  ])('%s is %s', (text, host) => expect(parseReference(text)).toMatchObject({ host }));
});

it.each([
  ['/a{%e9', '/a%7B%E9'],
  ['/%41 é', '/A%20%C3%A9'],
  ["/a!'%7e", "/a!'%7e"],
  ["/a!'\u{1f600}", '/a%21%27%F0%9F%98%80'],
])('the escaped path of %s keeps bytes that are not UTF-8', (text, escaped) => {
  const uri = parseUri(text);
  expect(typeof uri === 'string' ? uri : escapedPath(uri)).toBe(escaped);
});

it('the errors of a URL of a webhook show the user as it is escaped, and the fragment as it is decoded', () => {
  const shown = (text: string) => webhookUrlProblems('url', text).map(({ value }) => value);
  expect(shown('https://a@b:c:d!@host')).toEqual(['"a%40b:c%3Ad%21"']);
  expect(shown('https://host#%41')).toEqual(['"A"']);
});

it('a path of a service that begins with a character outside ASCII is wrong in two ways', () => {
  expect(webhookServiceProblems('at', { name: 'a', namespace: 'b', path: 'éa' })).toHaveLength(2);
  expect(webhookServiceProblems('at', { name: 'a', namespace: 'b', path: 'xa' })).toHaveLength(1);
});
