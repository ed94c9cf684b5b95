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
    ['asks for nothing', { devices: {} }, []],
    ['is good', wanted(), []],
    ['has a controller', wanted({}, { controller: 'd.example.com' }), []],
    ['has a bad controller', wanted({}, { controller: BAD }), ['spec.controller Invalid value']],
    [
      'names no class',
      wanted({ requests: [request({ deviceClassName: '' })] }),
      [`${at}.requests[0].deviceClassName Required value`],
    ],
    [
      'names a bad class',
      wanted({ requests: [request({ deviceClassName: BAD })] }),
      [`${at}.requests[0].deviceClassName Invalid value`],
    ],
    [
      'names its request badly',
      wanted({ requests: [request({ name: BAD })] }),
      [`${at}.requests[0].name Invalid value`],
    ],
    ['has a nameless request', wanted({ requests: [request({ name: '' })] }), [`${at}.requests[0].name Invalid value`]],
    ['has a request twice', wanted({ requests: [request(), request()] }), [`${at}.requests[1].name Duplicate value`]],
    [
      'has too many requests',
      wanted({ requests: many(33, (i) => request({ name: `r${i}` })) }),
      [`${at}.requests Too long`],
    ],
    ['counts below one', wanted({ requests: [request({ count: -1 })] }), [`${at}.requests[0].count Invalid value`]],
    [
      'counts what is all',
      wanted({ requests: [request({ allocationMode: 'All', count: 2 })] }),
      [`${at}.requests[0].count Invalid value`],
    ],
    ['takes all', wanted({ requests: [{ name: 'r', deviceClassName: 'c', allocationMode: 'All' }] }), []],
    [
      'takes in another way',
      wanted({ requests: [request({ allocationMode: 'Other' })] }),
      [`${at}.requests[0].allocationMode Unsupported value`],
    ],
    [
      'has an empty selector',
      wanted({ requests: [request({ selectors: [{}] })] }),
      [`${at}.requests[0].selectors[0].cel Required value`],
    ],
    ['has a good expression', wanted({ requests: [request({ selectors: [cel('device.driver == "x"')] })] }), []],
    [
      'has a wrong type',
      wanted({ requests: [request({ selectors: [cel('device.driver')] })] }),
      [`${at}.requests[0].selectors[0].cel.expression Invalid value`],
    ],
    [
      'has a broken expression',
      wanted({ requests: [request({ selectors: [cel('noSuchVar')] })] }),
      [`${at}.requests[0].selectors[0].cel.expression Invalid value`],
    ],
    [
      'has too many expressions',
      wanted({ requests: [request({ selectors: many(33, () => cel('true')) })] }),
      [`${at}.requests[0].selectors Too long`],
    ],
    [
      'binds no attribute',
      wanted({ constraints: [{ requests: ['r'] }] }),
      [`${at}.constraints[0].matchAttribute Required value`],
    ],
    [
      'binds an attribute without a domain',
      wanted({ constraints: [{ matchAttribute: 'x' }] }),
      [`${at}.constraints[0].matchAttribute.domain Required value`],
    ],
    [
      'binds an attribute without a name',
      wanted({ constraints: [{ matchAttribute: 'x/' }] }),
      [`${at}.constraints[0].matchAttribute Required value`],
    ],
    ['binds an attribute', wanted({ constraints: [{ matchAttribute: 'x.example.com/y' }] }), []],
    [
      'binds a bad attribute',
      wanted({ constraints: [{ matchAttribute: `${BAD}/${BAD}` }] }),
      [`${at}.constraints[0].matchAttribute Invalid value`, `${at}.constraints[0].matchAttribute Invalid value`],
    ],
    [
      'binds what it does not ask for',
      wanted({ constraints: [{ requests: ['r', BAD, 'x', 'r'], matchAttribute: 'd/x' }] }),
      [
        `${at}.constraints[0].requests[1] Invalid value`,
        `${at}.constraints[0].requests[1] Invalid value`,
        `${at}.constraints[0].requests[2] Invalid value`,
        `${at}.constraints[0].requests[3] Duplicate value`,
      ],
    ],
    [
      'has too many bonds',
      wanted({ constraints: many(33, () => ({ matchAttribute: 'd/x' })) }),
      [`${at}.constraints Too long`],
    ],
    ['tells drivers', wanted({ config: [opaque()] }), []],
    ['tells nobody', wanted({ config: [{}] }), [`${at}.config[0].opaque Required value`]],
    ['tells nothing', wanted({ config: [opaque(null)] }), [`${at}.config[0].opaque.parameters Required value`]],
    ['tells a text', wanted({ config: [opaque('hello')] }), [`${at}.config[0].opaque.parameters Invalid value`]],
    ['tells a list', wanted({ config: [opaque([])] }), [`${at}.config[0].opaque.parameters Invalid value`]],
    ['tells a bad driver', wanted({ config: [opaque({}, BAD)] }), [`${at}.config[0].opaque.driver Invalid value`]],
    ['tells too many', wanted({ config: many(33, () => opaque()) }), [`${at}.config Too long`]],
    [
      'tells about what it does not ask for',
      wanted({ config: [{ requests: ['x'], ...opaque() }] }),
      [`${at}.config[0].requests[0] Invalid value`],
    ],
  ])('that %s', async (_, spec, errors) => {
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
    ['is given devices', none, given1, []],
    ['is given devices and users', none, used, []],
    ['is used without devices', none, { reservedFor: [user()] }, ['status.reservedFor Forbidden']],
    [
      'is used by nobody known',
      given1,
      { ...given1, reservedFor: [{}] },
      ['resource', 'name', 'uid'].map((field) => `status.reservedFor[0].${field} Required value`),
    ],
    [
      'is used twice',
      given1,
      { ...given1, reservedFor: [user(), user()] },
      ['status.reservedFor[1].uid Duplicate value'],
    ],
    ['is used by many', given1, { ...given1, reservedFor: many(32, (i) => user(`${i}`)) }, []],
    [
      'is used by too many',
      given1,
      { ...given1, reservedFor: many(33, (i) => user(`${i}`)) },
      ['status.reservedFor Too long'],
    ],
    ['is used while it goes', given1, used, ['status.reservedFor Forbidden'], GOING],
    ['stays used while it goes', used, used, [], GOING],
    ['is given up by its user', used, given1, [], GOING],
    ['goes back', used, none, []],
    ['is to go back', given1, { ...given1, deallocationRequested: true }, []],
    [
      'is to go back while it is used',
      used,
      { ...used, deallocationRequested: true },
      ['status.deallocationRequested Forbidden'],
    ],
    [
      'is used while it is to go back',
      { ...given1, deallocationRequested: true },
      { ...used, deallocationRequested: true },
      ['status.reservedFor Forbidden'],
    ],
    ['is to go back without devices', none, { deallocationRequested: true }, ['status Forbidden']],
    [
      'is not to go back after all',
      { ...given1, deallocationRequested: true },
      given1,
      ['status.deallocationRequested Forbidden'],
    ],
    ['has gone back', { ...given1, deallocationRequested: true }, none, []],
    ['is given others', given1, { allocation: given({ results: [result({ device: 'y' })] }) }, [`${S} Invalid value`]],
    [
      'is given what is badly named',
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
      'is given of no pool',
      none,
      { allocation: given({ results: [result({ pool: '' })] }) },
      [`${S}.devices.results[0].pool Required value`],
    ],
    [
      'is given of a pool with a long name',
      none,
      { allocation: given({ results: [result({ pool: many(200, () => 'x').join('/') })] }) },
      [`${S}.devices.results[0].pool Too long`],
    ],
    [
      'is given too many',
      none,
      { allocation: given({ results: many(33, () => result()) }) },
      [`${S}.devices.results Too long`],
    ],
    [
      'is told from nowhere',
      none,
      { allocation: given({ config: [{ source: '', ...opaque() }] }) },
      [`${S}.devices.config[0].source Required value`],
    ],
    [
      'is told from elsewhere',
      none,
      { allocation: given({ config: [{ source: 'x', ...opaque() }] }) },
      [`${S}.devices.config[0].source Unsupported value`],
    ],
    [
      'is told by class and claim',
      none,
      { allocation: given({ config: many(64, (i) => ({ source: i % 2 ? 'FromClass' : 'FromClaim', ...opaque() })) }) },
      [],
    ],
    [
      'is told too much',
      none,
      { allocation: given({ config: many(65, () => ({ source: 'FromClass', ...opaque() })) }) },
      [`${S}.devices.config Too long`],
    ],
    [
      'is nowhere',
      none,
      { allocation: given({}, { nodeSelector: { nodeSelectorTerms: [] } }) },
      [`${S}.nodeSelector.nodeSelectorTerms Required value`],
    ],
    [
      'is somewhere odd',
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
