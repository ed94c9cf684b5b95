import { expect, it } from 'vitest';
import { encodeQuery, escapePath, unescapeBytes } from '../../../src/requests/relay/outgoing-url.js';

it.each([
  ['/a/b', '/a/b'],
  ['/%61%2fb%20c', '/a/b%20c'],
  ['/%ff%C3%a9%80', '/%FF%C3%A9%80'],
  ['/é/€', '/%E9/%E2%82%AC'],
  ["/$&+,/:;=@!'()*[]?#%25", '/$&+,/:;=@%21%27%28%29%2A%5B%5D%3F%23%25'],
])('the path %s is passed on as %s', (path, passed) => {
  expect(escapePath(unescapeBytes(path))).toBe(passed);
});

it.each([
  ['', ''],
  ['&&', ''],
  ['b=2&a=1&b=1', '?a=1&b=2&b=1'],
  ['a', '?a='],
  ['=a', '?=a'],
  ['a=b=c', '?a=b%3Dc'],
  ['a=1;b=2&c=3', '?c=3'],
  ['a=%zz&%=1&b=%ff', '?b=%FF'],
  ['%C3%A9=%e2%82%ac&Z=a+b%20c%2B', '?Z=a+b+c%2B&%C3%A9=%E2%82%AC'],
  ['a=~-_.!\'()*/:@$,#"', '?a=~-_.%21%27%28%29%2A%2F%3A%40%24%2C%23%22'],
])('the parameters %s are encoded again as %s', (raw, written) => {
  expect(encodeQuery(raw)).toBe(written);
});
