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
    ['may select all devices', {}, []],
    ['may have expressions', { selectors: [cel('true'), cel('device.attributes["x"].y')] }, []],
    [
      'cannot have an expression that is not boolean',
      { selectors: [cel('1')] },
      ['spec.selectors[0].cel.expression Invalid value'],
    ],
    ['cannot have a selector without an expression', { selectors: [{}] }, ['spec.selectors[0].cel Required value']],
    ['cannot have more than 32 selectors', { selectors: many(33, () => cel('true')) }, ['spec.selectors Too long']],
    ['cannot have more than 32 configurations', { config: many(33, () => opaque()) }, ['spec.config Too long']],
    [
      'cannot have an empty configuration',
      { config: [{}, opaque(null)] },
      ['spec.config[0].opaque Required value', 'spec.config[1].opaque.parameters Required value'],
    ],
    [
      'cannot have an empty list of nodes',
      { suitableNodes: { nodeSelectorTerms: [] } },
      ['suitableNodes.nodeSelectorTerms Required value'],
    ],
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
    ['a device is valid', { devices: [device()] }, []],
    ['no driver is invalid', { driver: '' }, ['spec.driver Required value', 'spec.driver Invalid value']],
    ['a malformed driver is invalid', { driver: BAD }, ['spec.driver Invalid value']],
    ['a long driver name is invalid', { driver: 'x'.repeat(64) }, ['spec.driver Too long']],
    ['a malformed node name is invalid', { nodeName: BAD }, ['spec.nodeName Invalid value']],
    ['no place is invalid', { nodeName: '' }, ['spec Required value']],
    ['a node and allNodes is invalid', { allNodes: true }, ['spec Invalid value']],
    ['allNodes is valid', { nodeName: '', allNodes: true }, []],
    ['one node selector term is valid', { nodeName: '', ...terms(1) }, []],
    [
      'no node selector term is invalid',
      { nodeName: '', ...terms(0) },
      ['spec.nodeSelector.nodeSelectorTerms Required value', 'spec.nodeSelector.nodeSelectorTerms Invalid value'],
    ],
    [
      'two node selector terms is invalid',
      { nodeName: '', ...terms(2) },
      ['spec.nodeSelector.nodeSelectorTerms Invalid value'],
    ],
    ['a nameless pool is invalid', pool({ name: '' }), ['spec.pool.name Required value']],
    ['a malformed pool name is invalid', pool({ name: BAD }), ['spec.pool.name Invalid value']],
    ['a pool of no slices is invalid', pool({ resourceSliceCount: 0 }), ['spec.pool.resourceSliceCount Invalid value']],
    ['a negative pool generation is invalid', pool({ generation: -1 }), ['spec.pool.generation Invalid value']],
    ['128 devices is valid', { devices: many(128, (i) => device({ name: `d${i}` })) }, []],
    ['129 devices is invalid', { devices: many(129, (i) => device({ name: `d${i}` })) }, ['spec.devices Too long']],
    ['a duplicate device is invalid', { devices: [device(), device()] }, ['spec.devices[1].name Duplicate value']],
    ['a malformed device name is invalid', { devices: [device({ name: BAD })] }, [`${D}.name Invalid value`]],
    ['a device without a type is invalid', { devices: [{ name: 'x' }] }, [`${D}.basic Required value`]],
    ['a number as attribute is valid', attributes({ int: 1 }), []],
    ['a boolean as attribute is valid', attributes({ bool: false }), []],
    ['an empty string as attribute is valid', attributes({ string: '' }), []],
    ['a version as attribute is valid', attributes({ version: '1.2.3-alpha.1+build.7' }, 'd.example.com/a'), []],
    [
      'an incomplete version as attribute is invalid',
      attributes({ version: '1.2' }),
      [`${A}[a].version Invalid value`],
    ],
    ['a version with a leading zero is invalid', attributes({ version: '1.02.3' }), [`${A}[a].version Invalid value`]],
    ['a long version is invalid', attributes({ version: `1.2.3-${'x'.repeat(60)}` }), [`${A}[a].version Too long`]],
    ['a long string as attribute is invalid', attributes({ string: 'x'.repeat(65) }), [`${A}[a].string Too long`]],
    ['an empty attribute is invalid', attributes({}), [`${A}[a] Required value`]],
    ['an attribute of two values is invalid', attributes({ int: 1, bool: true }), [`${A}[a] Invalid value`]],
    ['an attribute without a name is invalid', attributes({ int: 1 }, ''), [`${A} Required value`]],
    ['a malformed attribute name is invalid', attributes({ int: 1 }, BAD), [`${A} Invalid value`]],
    ['a long attribute name is invalid', attributes({ int: 1 }, 'x'.repeat(33)), [`${A} Too long`]],
    ['an attribute with an empty domain is invalid', attributes({ int: 1 }, '/x'), [`${A} Required value`]],
    ['an attribute with a domain only is invalid', attributes({ int: 1 }, 'd/'), [`${A} Required value`]],
    [
      '33 attributes and capacities is invalid',
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
      'a malformed capacity name is invalid',
      { devices: [device({ basic: { capacity: { [BAD]: '1' } } })] },
      [`${D}.basic.capacity Invalid value`],
    ],
  ])('with %s', async (_, spec, errors) => {
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
    ['may be 128', nodes(128), []],
    ['cannot be 129', nodes(129), [' Too long']],
    ['cannot be repeated', ['a', 'a'], ['[1] Duplicate value']],
    ['cannot be malformed', [BAD], ['[0] Invalid value']],
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
