import { describe, expect, it } from 'vitest';
import { resourceClaim, resourceClaimTemplate } from '../../../src/exports/kinds.js';
import { created, createErrors, readBody, updateErrors } from '../steps.js';

/* Errors of devices and claims, from upstream's tables: each row has an object, and the paths and types of its errors. */
const metadata = { name: 'a' };
const short = (errors: readonly string[]) =>
  errors.map((error) => error.replace(/^(.*?): ([A-Z][a-z ]+)(?::.*)?$/s, '$1 $2'));
const BAD = '!@#$%^';
const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

const request = (more: object = {}) => ({
  name: 'r',
  deviceClassName: 'c',
  allocationMode: 'ExactCount',
  count: 1,
  ...more,
});
const wanted = (devices: object = {}, more: object = {}) => ({
  devices: { requests: [request()], ...devices },
  ...more,
});
const claim = (spec: object = wanted(), more: object = {}) => ({ metadata, spec, ...more });
const opaque = (parameters: unknown = {}, driver = 'd.example.com') => ({ opaque: { driver, parameters } });
const cel = (expression: string) => ({ cel: { expression } });
const at = 'spec.devices';

describe('a ResourceClaim', () => {
  it.each<readonly [title: string, spec: object, errors: readonly string[]]>([
    ['no request is valid', { devices: {} }, []],
    ['a request is valid', wanted(), []],
    ['a controller is valid', wanted({}, { controller: 'd.example.com' }), []],
    ['a malformed controller is invalid', wanted({}, { controller: BAD }), ['spec.controller Invalid value']],
    [
      'no class is invalid',
      wanted({ requests: [request({ deviceClassName: '' })] }),
      [`${at}.requests[0].deviceClassName Required value`],
    ],
    [
      'a malformed class is invalid',
      wanted({ requests: [request({ deviceClassName: BAD })] }),
      [`${at}.requests[0].deviceClassName Invalid value`],
    ],
    [
      'a malformed request name is invalid',
      wanted({ requests: [request({ name: BAD })] }),
      [`${at}.requests[0].name Invalid value`],
    ],
    [
      'a nameless request is invalid',
      wanted({ requests: [request({ name: '' })] }),
      [`${at}.requests[0].name Invalid value`],
    ],
    [
      'a duplicate request is invalid',
      wanted({ requests: [request(), request()] }),
      [`${at}.requests[1].name Duplicate value`],
    ],
    [
      '33 requests is invalid',
      wanted({ requests: many(33, (i) => request({ name: `r${i}` })) }),
      [`${at}.requests Too long`],
    ],
    [
      'a negative count is invalid',
      wanted({ requests: [request({ count: -1 })] }),
      [`${at}.requests[0].count Invalid value`],
    ],
    [
      'a count beside the mode All is invalid',
      wanted({ requests: [request({ allocationMode: 'All', count: 2 })] }),
      [`${at}.requests[0].count Invalid value`],
    ],
    ['the mode All is valid', wanted({ requests: [{ name: 'r', deviceClassName: 'c', allocationMode: 'All' }] }), []],
    [
      'an unknown mode is invalid',
      wanted({ requests: [request({ allocationMode: 'Other' })] }),
      [`${at}.requests[0].allocationMode Unsupported value`],
    ],
    [
      'an empty selector is invalid',
      wanted({ requests: [request({ selectors: [{}] })] }),
      [`${at}.requests[0].selectors[0].cel Required value`],
    ],
    [
      'a boolean expression is valid',
      wanted({ requests: [request({ selectors: [cel('device.driver == "x"')] })] }),
      [],
    ],
    [
      'an expression that is not boolean is invalid',
      wanted({ requests: [request({ selectors: [cel('device.driver')] })] }),
      [`${at}.requests[0].selectors[0].cel.expression Invalid value`],
    ],
    [
      'an expression that does not compile is invalid',
      wanted({ requests: [request({ selectors: [cel('noSuchVar')] })] }),
      [`${at}.requests[0].selectors[0].cel.expression Invalid value`],
    ],
    [
      '33 selectors is invalid',
      wanted({ requests: [request({ selectors: many(33, () => cel('true')) })] }),
      [`${at}.requests[0].selectors Too long`],
    ],
    [
      'a constraint without an attribute is invalid',
      wanted({ constraints: [{ requests: ['r'] }] }),
      [`${at}.constraints[0].matchAttribute Required value`],
    ],
    [
      'a constraint whose attribute has no domain is invalid',
      wanted({ constraints: [{ matchAttribute: 'x' }] }),
      [`${at}.constraints[0].matchAttribute.domain Required value`],
    ],
    [
      'a constraint whose attribute has no name is invalid',
      wanted({ constraints: [{ matchAttribute: 'x/' }] }),
      [`${at}.constraints[0].matchAttribute Required value`],
    ],
    ['a constraint is valid', wanted({ constraints: [{ matchAttribute: 'x.example.com/y' }] }), []],
    [
      'a constraint with a malformed attribute is invalid',
      wanted({ constraints: [{ matchAttribute: `${BAD}/${BAD}` }] }),
      [`${at}.constraints[0].matchAttribute Invalid value`, `${at}.constraints[0].matchAttribute Invalid value`],
    ],
    [
      'a constraint on unknown requests is invalid',
      wanted({ constraints: [{ requests: ['r', BAD, 'x', 'r'], matchAttribute: 'd/x' }] }),
      [
        `${at}.constraints[0].requests[1] Invalid value`,
        `${at}.constraints[0].requests[1] Invalid value`,
        `${at}.constraints[0].requests[2] Invalid value`,
        `${at}.constraints[0].requests[3] Duplicate value`,
      ],
    ],
    [
      '33 constraints is invalid',
      wanted({ constraints: many(33, () => ({ matchAttribute: 'd/x' })) }),
      [`${at}.constraints Too long`],
    ],
    ['a configuration is valid', wanted({ config: [opaque()] }), []],
    ['an empty configuration is invalid', wanted({ config: [{}] }), [`${at}.config[0].opaque Required value`]],
    [
      'null parameters is invalid',
      wanted({ config: [opaque(null)] }),
      [`${at}.config[0].opaque.parameters Required value`],
    ],
    [
      'string parameters is invalid',
      wanted({ config: [opaque('hello')] }),
      [`${at}.config[0].opaque.parameters Invalid value`],
    ],
    [
      'list parameters is invalid',
      wanted({ config: [opaque([])] }),
      [`${at}.config[0].opaque.parameters Invalid value`],
    ],
    [
      'a configuration of a malformed driver is invalid',
      wanted({ config: [opaque({}, BAD)] }),
      [`${at}.config[0].opaque.driver Invalid value`],
    ],
    ['33 configurations is invalid', wanted({ config: many(33, () => opaque()) }), [`${at}.config Too long`]],
    [
      'a configuration of an unknown request is invalid',
      wanted({ config: [{ requests: ['x'], ...opaque() }] }),
      [`${at}.config[0].requests[0] Invalid value`],
    ],
  ])('with %s', async (_, spec, errors) => {
    expect(short(await createErrors(resourceClaim, claim(spec)))).toEqual(errors);
    // A template is validated like the claims that are created from it.
    const inTemplate = await createErrors(resourceClaimTemplate, claim({ spec }));
    expect(short(inTemplate)).toEqual(errors.map((error) => error.replace(/^spec\./, 'spec.spec.')));
  });

  it('requests one device by default', () => {
    const devices = (more: object) =>
      created(resourceClaim, claim({ devices: { requests: [{ name: 'r', ...more }] } })).spec.devices.requests;
    expect(devices({ deviceClassName: 'c' })).toMatchObject([{ allocationMode: 'ExactCount', count: 1 }]);
    expect(devices({ deviceClassName: 'c', allocationMode: 'All' })?.[0]?.count).toBeUndefined();
    expect(devices({ deviceClassName: 'c', allocationMode: 'ExactCount', count: 3 })?.[0]?.count).toBe(3);
  });

  it('cannot be changed', async () => {
    const old = created(resourceClaim, claim());
    expect(await updateErrors(resourceClaim, claim(), old)).toEqual([]);
    expect(short(await updateErrors(resourceClaim, claim(wanted({ config: [opaque()] })), old))).toEqual([
      'spec Invalid value',
    ]);
    const template = created(resourceClaimTemplate, claim({ spec: wanted() }));
    const changed = claim({ metadata: { labels: { a: 'b' } }, spec: wanted() });
    expect(short(await updateErrors(resourceClaimTemplate, changed, template))).toEqual(['spec Invalid value']);
  });

  it('gets only labels and annotations from a template', async () => {
    const errorsOf = (members: object) =>
      createErrors(resourceClaimTemplate, claim({ metadata: members, spec: wanted() }));
    expect(await errorsOf({ labels: { a: 'b' }, annotations: { c: 'd' }, creationTimestamp: null })).toEqual([]);
    const bad = { labels: { 'x y': 'b' }, annotations: { 'x y': 'd' }, finalizers: ['a.b/c'], name: 'n', uid: 'u' };
    expect(short(await errorsOf(bad))).toEqual([
      'spec.metadata.annotations Invalid value',
      'spec.metadata.labels Invalid value',
      ...['name', 'uID', 'finalizers'].map((member) => `spec.metadata.${member} Forbidden`),
    ]);
  });

  it('is validated again before and after the change is detected', async () => {
    const changed = wanted({ requests: [request({ count: -1 })] });
    const errors = (path: string) => {
      const error = `${path}.devices.requests[0].count Invalid value`;
      return [error, 'spec Invalid value', error];
    };
    const old = created(resourceClaim, claim());
    expect(short(await updateErrors(resourceClaim, claim(changed), old))).toEqual(errors('spec'));
    const template = created(resourceClaimTemplate, claim({ spec: wanted() }));
    const found = await updateErrors(resourceClaimTemplate, claim({ spec: changed }), template);
    expect(short(found)).toEqual(errors('spec.spec'));
  });
});

describe('the status of a ResourceClaim', () => {
  const result = (more: object = {}) => ({ request: 'r', driver: 'd.example.com', pool: 'p', device: 'x', ...more });
  const given = (devices: object = { results: [result()] }, more: object = {}) => ({ devices, ...more });
  const user = (uid = '1', more: object = {}) => ({ resource: 'pods', name: 'p', uid, ...more });
  const none = {};
  const given1 = { allocation: given() };
  const used = { ...given1, reservedFor: [user()] };
  const GOING = { name: 'a', deletionTimestamp: '2026-01-01T00:00:00Z' };
  const S = 'status.allocation';
  const term = { matchExpressions: [{ key: BAD, operator: 'In', values: ['x'] }] };

  it.each<readonly [title: string, old: object, next: object, errors: readonly string[], metadata?: object]>([
    ['can get devices', none, given1, []],
    ['can get devices and users', none, used, []],
    ['cannot get users without devices', none, { reservedFor: [user()] }, ['status.reservedFor Forbidden']],
    [
      'cannot get an empty user',
      given1,
      { ...given1, reservedFor: [{}] },
      ['resource', 'name', 'uid'].map((field) => `status.reservedFor[0].${field} Required value`),
    ],
    [
      'cannot get a user twice',
      given1,
      { ...given1, reservedFor: [user(), user()] },
      ['status.reservedFor[1].uid Duplicate value'],
    ],
    ['can get 32 users', given1, { ...given1, reservedFor: many(32, (i) => user(`${i}`)) }, []],
    [
      'cannot get 33 users',
      given1,
      { ...given1, reservedFor: many(33, (i) => user(`${i}`)) },
      ['status.reservedFor Too long'],
    ],
    ['cannot get a user while the claim is being deleted', given1, used, ['status.reservedFor Forbidden'], GOING],
    ['can keep a user while the claim is being deleted', used, used, [], GOING],
    ['can lose a user while the claim is being deleted', used, given1, [], GOING],
    ['can lose its devices', used, none, []],
    ['can request deallocation', given1, { ...given1, deallocationRequested: true }, []],
    [
      'cannot request deallocation while there are users',
      used,
      { ...used, deallocationRequested: true },
      ['status.deallocationRequested Forbidden'],
    ],
    [
      'cannot get a user while deallocation is requested',
      { ...given1, deallocationRequested: true },
      { ...used, deallocationRequested: true },
      ['status.reservedFor Forbidden'],
    ],
    ['cannot request deallocation without devices', none, { deallocationRequested: true }, ['status Forbidden']],
    [
      'cannot withdraw the request for deallocation',
      { ...given1, deallocationRequested: true },
      given1,
      ['status.deallocationRequested Forbidden'],
    ],
    ['can lose its devices with the request for deallocation', { ...given1, deallocationRequested: true }, none, []],
    [
      'cannot get other devices',
      given1,
      { allocation: given({ results: [result({ device: 'y' })] }) },
      [`${S} Invalid value`],
    ],
    [
      'cannot get devices with malformed names',
      none,
      {
        allocation: given(
          { results: [result({ request: 'x', driver: BAD, pool: `${BAD}/p`, device: BAD })] },
          { controller: BAD },
        ),
      },
      [
        ...['request', 'driver', 'pool', 'device'].map((field) => `${S}.devices.results[0].${field} Invalid value`),
        `${S}.controller Invalid value`,
      ],
    ],
    [
      'cannot get a device of a nameless pool',
      none,
      { allocation: given({ results: [result({ pool: '' })] }) },
      [`${S}.devices.results[0].pool Required value`],
    ],
    [
      'cannot get a device of a pool with a long name',
      none,
      { allocation: given({ results: [result({ pool: many(200, () => 'x').join('/') })] }) },
      [`${S}.devices.results[0].pool Too long`],
    ],
    [
      'cannot get 33 devices',
      none,
      { allocation: given({ results: many(33, () => result()) }) },
      [`${S}.devices.results Too long`],
    ],
    [
      'cannot get a configuration without a source',
      none,
      { allocation: given({ config: [{ source: '', ...opaque() }] }) },
      [`${S}.devices.config[0].source Required value`],
    ],
    [
      'cannot get a configuration from an unknown source',
      none,
      { allocation: given({ config: [{ source: 'x', ...opaque() }] }) },
      [`${S}.devices.config[0].source Unsupported value`],
    ],
    [
      'can get 64 configurations',
      none,
      { allocation: given({ config: many(64, (i) => ({ source: i % 2 ? 'FromClass' : 'FromClaim', ...opaque() })) }) },
      [],
    ],
    [
      'cannot get 65 configurations',
      none,
      { allocation: given({ config: many(65, () => ({ source: 'FromClass', ...opaque() })) }) },
      [`${S}.devices.config Too long`],
    ],
    [
      'cannot get an empty node selector',
      none,
      { allocation: given({}, { nodeSelector: { nodeSelectorTerms: [] } }) },
      [`${S}.nodeSelector.nodeSelectorTerms Required value`],
    ],
    [
      'cannot get a malformed node selector',
      none,
      { allocation: given({}, { nodeSelector: { nodeSelectorTerms: [term] } }) },
      [`${S}.nodeSelector.nodeSelectorTerms[0].matchExpressions[0].key Invalid value`],
    ],
  ])('%s', async (_, before, next, errors, of = metadata) => {
    const old = readBody(resourceClaim, claim(wanted(), { metadata: of, status: before }));
    const found = await updateErrors(resourceClaim, claim(wanted(), { metadata: of, status: next }), old, 'status');
    expect(short(found)).toEqual(errors);
  });
});
