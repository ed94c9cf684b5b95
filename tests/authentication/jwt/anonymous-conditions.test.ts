import { expect, it } from 'vitest';
import { validateConfiguration } from '../../../src/authentication/jwt/authentication-configuration.js';
import { formatFieldError } from '../../../src/meta/field-error.js';

it('refuses conditions unless anonymous access is enabled', () => {
  const anonymous = { enabled: false, conditions: [{ path: '/livez' }, { path: '/a"b' }] };
  expect(validateConfiguration({ anonymous }, [], undefined, true).map(formatFieldError)).toEqual([
    'anonymous.conditions: Invalid value: []apiserver.AnonymousAuthCondition{apiserver.AnonymousAuthCondition{Path:"/livez"}, ' +
      'apiserver.AnonymousAuthCondition{Path:"/a\\"b"}}: enabled should be set to true when conditions are defined',
  ]);
});
