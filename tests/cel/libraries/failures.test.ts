import { expect, it } from 'vitest';
import { admissionEnvironment, compileMatchConditions, matchBindings } from '../../../src/cel/rules.js';

const environment = admissionEnvironment({ authorizer: true });

/** Returns the error of an expression. The authorizer allows everything. */
function errorOf(expression: string): string | undefined {
  const authorize = () => ({ allowed: true, reason: '' });
  const { match } = compileMatchConditions(environment, [{ name: 'a', expression }]);
  return match(matchBindings({ object: undefined, oldObject: undefined, request: {}, authorize } as never)).error;
}

it.each([
  [`authorizer.group('').resource(' ').check('get').allowed()`, 'resource must not be empty'],
  [`authorizer.path(' ').check('get').allowed()`, 'path must not be empty'],
  [
    `authorizer.serviceAccount('A', 'B').group('').resource('a').check('get').allowed()`,
    'Invalid service account name',
  ],
  [
    `authorizer.serviceAccount('A', 'b').group('').resource('a').check('get').allowed()`,
    'Invalid service account namespace',
  ],
  ['authorizer == authorizer', `expression 'authorizer == authorizer' resulted in error: no such overload`],
  [`authorizer.path('/').check('get') == authorizer.path('/').check('get')`, 'resulted in error: no such overload'],
  // The types of these values are known only at run time.
  [
    `object == null && object > 1`,
    `expression 'object == null && object > 1' resulted in error: no such overload: _>_`,
  ],
  [`size(object) > 0`, 'resulted in error: no such overload: size'],
  [`dyn(1).find('a' + 'b') == ''`, 'resulted in error: no such overload: find(int, string)'],
  [`[dyn('a'), dyn(1)].join('-') == ''`, 'resulted in error: join: invalid input: 1'],
  [`[dyn('a'), dyn(object)].join() == ''`, 'resulted in error: join: invalid input: 0'],
  [`[dyn(1)].join() == ''`, 'resulted in error: no such overload: join(list)'],
  [`string(object) == ''`, 'resulted in error: no such overload: string(null_type)'],
  [`cidr('10.0.0.0/8').containsIP('abc')`, 'no such overload'],
  [`ip('12.').family() == 4`, 'ParseAddr("12."): IPv4 field must have at least one digit (at ".")'],
  [`ip('1.2.3.4.x').family() == 4`, 'ParseAddr("1.2.3.4.x"): IPv4 address too long'],
  [`ip('0.00:').family() == 4`, 'ParseAddr("0.00:"): IPv4 field has octet with leading zero'],
  [
    `cidr('10.0.0.0/8').containsCIDR('abc')`,
    'network address parse error during conversion from string: network address parse error during conversion from string: ',
  ],
])('%s fails', (expression, message) => expect(errorOf(expression)).toContain(message));

it('does not name types in the error of a call with a constant pattern', () => {
  expect(errorOf(`dyn(1).find('a') == ''`)).toMatch(/resulted in error: no such overload$/);
  expect(errorOf(`dyn(1).find('a' + 'b') == ''`)).toMatch(/no such overload: find\(int, string\)$/);
});
