import { describe, expect, it } from 'vitest';
import { deviceClass, podSchedulingContext, resourceSlice } from '../../../src/exports/kinds.js';
import { created, createErrors, readBody, updateErrors } from '../steps.js';

/* Errors of devices and claims, from upstream's tables: each row has an object, and the paths and types of its errors. */
const metadata = { name: 'a' };
const short = (errors: readonly string[]) =>
  errors.map((error) => error.replace(/^(.*?): ([A-Z][a-z ]+)(?::.*)?$/s, '$1 $2'));
const BAD = '!@#$%^';
const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const opaque = (parameters: unknown = {}, driver = 'd.example.com') => ({ opaque: { driver, parameters } });
const cel = (expression: string) => ({ cel: { expression } });

describe('a DeviceClass', () => {
  const of = (spec: object) => ({ metadata, spec });
  it.each<readonly [title: string, spec: object, errors: readonly string[]]>([
    ['of everything', {}, []],
    ['with expressions', { selectors: [cel('true'), cel('device.attributes["x"].y')] }, []],
    ['with an expression of numbers', { selectors: [cel('1')] }, ['spec.selectors[0].cel.expression Invalid value']],
    ['without an expression', { selectors: [{}] }, ['spec.selectors[0].cel Required value']],
    ['with too many expressions', { selectors: many(33, () => cel('true')) }, ['spec.selectors Too long']],
    ['that tells too much', { config: many(33, () => opaque()) }, ['spec.config Too long']],
    [
      'that tells nothing',
      { config: [{}, opaque(null)] },
      ['spec.config[0].opaque Required value', 'spec.config[1].opaque.parameters Required value'],
    ],
    ['of no nodes', { suitableNodes: { nodeSelectorTerms: [] } }, ['suitableNodes.nodeSelectorTerms Required value']],
  ])('%s', async (_, spec, errors) => {
    expect(short(await createErrors(deviceClass, of(spec)))).toEqual(errors);
    // A class can be changed completely. The errors of an update are reported twice.
    const found = short(await updateErrors(deviceClass, of(spec), created(deviceClass, of({}))));
    expect(found).toEqual([...errors, ...errors]);
  });

  it('keeps invalid expressions that are unchanged', async () => {
    const stored = readBody(deviceClass, of({ selectors: [cel('1')] }));
    expect(await updateErrors(deviceClass, of({ selectors: [cel('1')], config: [opaque()] }), stored)).toEqual([]);
  });
});

describe('a ResourceSlice', () => {
  const device = (more: object = {}) => ({ name: 'x', basic: {}, ...more });
  const of = (more: object = {}) => ({
    metadata,
    spec: {
      driver: 'd.example.com',
      nodeName: 'n',
      pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
      ...more,
    },
  });
  const pool = (more: object) => ({ pool: { name: 'p', generation: 1, resourceSliceCount: 1, ...more } });
  const attributes = (value: object, key = 'a') => ({ devices: [device({ basic: { attributes: { [key]: value } } })] });
  const D = 'spec.devices[0]';
  const A = `${D}.basic.attributes`;
  const terms = (count: number) => ({
    nodeSelector: { nodeSelectorTerms: many(count, () => ({ matchExpressions: [{ key: 'k', operator: 'Exists' }] })) },
  });
  it.each<readonly [title: string, spec: object, errors: readonly string[]]>([
    ['is good', { devices: [device()] }, []],
    ['is of no driver', { driver: '' }, ['spec.driver Required value', 'spec.driver Invalid value']],
    ['is of a bad driver', { driver: BAD }, ['spec.driver Invalid value']],
    ['is of a driver with a long name', { driver: 'x'.repeat(64) }, ['spec.driver Too long']],
    ['is of a bad node', { nodeName: BAD }, ['spec.nodeName Invalid value']],
    ['is nowhere', { nodeName: '' }, ['spec Required value']],
    ['is at one node, and everywhere', { allNodes: true }, ['spec Invalid value']],
    ['is everywhere', { nodeName: '', allNodes: true }, []],
    ['is where one term says', { nodeName: '', ...terms(1) }, []],
    [
      'is where no term says',
      { nodeName: '', ...terms(0) },
      ['spec.nodeSelector.nodeSelectorTerms Required value', 'spec.nodeSelector.nodeSelectorTerms Invalid value'],
    ],
    ['is where two terms say', { nodeName: '', ...terms(2) }, ['spec.nodeSelector.nodeSelectorTerms Invalid value']],
    ['is of a nameless pool', pool({ name: '' }), ['spec.pool.name Required value']],
    ['is of a bad pool', pool({ name: BAD }), ['spec.pool.name Invalid value']],
    ['is one of none', pool({ resourceSliceCount: 0 }), ['spec.pool.resourceSliceCount Invalid value']],
    ['is of no generation', pool({ generation: -1 }), ['spec.pool.generation Invalid value']],
    ['has many devices', { devices: many(128, (i) => device({ name: `d${i}` })) }, []],
    ['has too many devices', { devices: many(129, (i) => device({ name: `d${i}` })) }, ['spec.devices Too long']],
    ['has a device twice', { devices: [device(), device()] }, ['spec.devices[1].name Duplicate value']],
    ['has a badly named device', { devices: [device({ name: BAD })] }, [`${D}.name Invalid value`]],
    ['has a device of no sort', { devices: [{ name: 'x' }] }, [`${D}.basic Required value`]],
    ['knows a number', attributes({ int: 1 }), []],
    ['knows a truth', attributes({ bool: false }), []],
    ['knows an empty text', attributes({ string: '' }), []],
    ['knows a version', attributes({ version: '1.2.3-alpha.1+build.7' }, 'd.example.com/a'), []],
    ['knows no version', attributes({ version: '1.2' }), [`${A}[a].version Invalid value`]],
    ['knows a version with a zero too many', attributes({ version: '1.02.3' }), [`${A}[a].version Invalid value`]],
    ['knows a long version', attributes({ version: `1.2.3-${'x'.repeat(60)}` }), [`${A}[a].version Too long`]],
    ['knows a long text', attributes({ string: 'x'.repeat(65) }), [`${A}[a].string Too long`]],
    ['knows nothing', attributes({}), [`${A}[a] Required value`]],
    ['knows two things', attributes({ int: 1, bool: true }), [`${A}[a] Invalid value`]],
    ['knows what has no name', attributes({ int: 1 }, ''), [`${A} Required value`]],
    ['knows what has a bad name', attributes({ int: 1 }, BAD), [`${A} Invalid value`]],
    ['knows what has a long name', attributes({ int: 1 }, 'x'.repeat(33)), [`${A} Too long`]],
    ['knows what has no domain', attributes({ int: 1 }, '/x'), [`${A} Required value`]],
    ['knows what has a domain only', attributes({ int: 1 }, 'd/'), [`${A} Required value`]],
    [
      'knows too much',
      {
        devices: [
          device({
            basic: {
              attributes: Object.fromEntries(many(20, (i) => [`a${i}`, { int: i }])),
              capacity: Object.fromEntries(many(13, (i) => [`c${i}`, '1'])),
            },
          }),
        ],
      },
      [`${D}.basic Invalid value`],
    ],
    [
      'has a bad capacity',
      { devices: [device({ basic: { capacity: { [BAD]: '1' } } })] },
      [`${D}.basic.capacity Invalid value`],
    ],
  ])('that %s', async (_, spec, errors) => {
    expect(short(await createErrors(resourceSlice, of(spec)))).toEqual(errors);
  });

  it('cannot change its driver, its node and its pool', async () => {
    const old = created(resourceSlice, of());
    const change = async (more: object) => short(await updateErrors(resourceSlice, of(more), old));
    expect(await change({ devices: [device()], ...pool({ generation: 2, resourceSliceCount: 3 }) })).toEqual([]);
    expect(await change({ driver: 'e' })).toEqual(['spec.driver Invalid value']);
    expect(await change({ nodeName: 'm' })).toEqual(['spec.nodeName Invalid value']);
    expect(await change(pool({ name: 'q' }))).toEqual(['spec.pool.name Invalid value']);
  });
});

describe('the node selector of an allocation', () => {
  const of = (potentialNodes: readonly string[], status = {}) => ({
    metadata,
    spec: { selectedNode: 'n', potentialNodes },
    status,
  });
  const nodes = (count: number) => many(count, (i) => `n${i}`);
  const say = (...claims: object[]) => ({ resourceClaims: claims });
  it.each<readonly [title: string, nodes: readonly string[], errors: readonly string[]]>([
    ['many', nodes(128), []],
    ['too many', nodes(129), [' Too long']],
    ['twice', ['a', 'a'], ['[1] Duplicate value']],
    ['bad', [BAD], ['[0] Invalid value']],
  ])('%s', async (_, names, errors) => {
    expect(short(await createErrors(podSchedulingContext, of(names)))).toEqual(
      errors.map((each) => `spec.potentialNodes${each}`),
    );
    const old = created(podSchedulingContext, of([]));
    const next = of([], say({ name: 'c', unsuitableNodes: names }));
    const found = short(await updateErrors(podSchedulingContext, next, old, 'status'));
    expect(found).toEqual(errors.map((each) => `status.claims[0].unsuitableNodes${each}`));
  });

  it('is validated twice when it changes', async () => {
    const old = created(podSchedulingContext, of([]));
    const error = 'spec.potentialNodes[1] Duplicate value';
    expect(short(await updateErrors(podSchedulingContext, of(['n', 'n']), old))).toEqual([error, error]);
  });

  it('is reported once per claim', async () => {
    const old = created(podSchedulingContext, of([]));
    const next = of([], say({ name: 'c' }, { name: 'c' }));
    expect(short(await updateErrors(podSchedulingContext, next, old, 'status'))).toEqual([
      'status.claims[1] Duplicate value',
    ]);
  });
});
