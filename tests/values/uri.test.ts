import { expect, it } from 'vitest';
import { parseReference, uriProblem } from '../../src/values/uri.js';

it('decodes percent signs and characters outside ASCII in hosts', () => {
  expect(parseReference('https://a%25b%C3%A9/x')).toMatchObject({ host: 'a%bé', rawPath: '/x' });
});

it.each([
  ['http://a%41|', 'invalid URL escape "%41"'],
  ['http://|a%41', 'invalid character "|" in host name'],
  ['http://a%8', 'invalid URL escape "%8"'],
  ['http://"@a%41', 'invalid URL escape "%41"'],
  ['http://"@a', 'net/url: invalid userinfo'],
])('%s is refused for its first fault, the host before the user', (text, why) => {
  expect(uriProblem(text)).toBe(`parse ${JSON.stringify(text)}: ${why}`);
});
