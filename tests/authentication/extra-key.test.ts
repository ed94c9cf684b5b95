import { expect, it } from 'vitest';
import { extraKey } from '../../src/authentication/extra-key.js';

it.each([
  ['Scopes', 'scopes'],
  ['%50urpose', 'Purpose'],
  ['Acme.com%2FProject', 'acme.com/project'],
  ['100%', '100%'],
])('the key of an extra fact: of %s it is %s (spec 11.12)', (sent, key) => {
  expect(extraKey(sent)).toBe(key);
});
