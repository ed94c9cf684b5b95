import { describe, expect, it } from 'vitest';
import { defineKind, defineRules, type KindRules, loadKinds } from '../../src/registry/built-in-kind.js';
import { subresourcesOf } from '../../src/registry/definitions/subresource-facts.js';
import { defineResource } from '../../src/registry/resource-definition.js';
import { omitNull, string } from '../../src/schema/authoring.js';
import { topLevel } from '../../src/schema/object-meta-schema.js';

const schema = topLevel('test.Thing', 'A thing.', () => ({ note: omitNull(string(), 2, 'A note.') }));
const NAMES = { groupStem: 'test', version: 'v1', kind: 'Thing', plural: 'things', scope: 'Cluster' } as const;
const strategy = { validate: () => [] };

function late(names: object, rules: object) {
  let imports = 0;
  const importRules = async () => {
    imports++;
    return defineRules({ schema, strategy, ...rules }) as KindRules<never>;
  };
  const kind = defineKind({ ...NAMES, ...names }, importRules);
  return { kind, imports: () => imports };
}

describe('a built-in kind', () => {
  it('has its names before its rules are loaded', () => {
    const { kind, imports } = late({ subresources: { status: {} } }, { subresources: { status: {} } });
    expect(kind).toMatchObject({ kind: 'Thing', listKind: 'ThingList', singular: 'thing', decoding: 'typed' });
    expect(Object.keys(subresourcesOf(kind))).toEqual(['status']);
    expect(imports()).toBe(0);
  });

  it('throws for each of its rules until then, and for a copy that would lack them', () => {
    const { kind } = late({}, {});
    for (const rule of ['schema', 'strategy', 'columns', 'subresources', 'nameRule', 'gatedFields'] as const)
      expect(() => kind[rule]).toThrow('Thing: what it does is not loaded yet; await loadKinds([…])');
    expect(() => ({ ...kind })).toThrow(TypeError);
  });

  it('is then, as the same object, what defineResource makes of names and rules', async () => {
    const { kind, imports } = late(
      { subresources: { status: { verbs: ['update'] }, log: { relay: { kind: 'Log', verbs: ['get'] } } } },
      { subresources: { status: { resetFields: ['spec'] }, log: { relay: { parameters: [], answer: () => {} } } } },
    );
    await Promise.all([loadKinds([kind]), loadKinds([kind, kind])]);
    await loadKinds([kind]);
    expect(imports()).toBe(1);
    const whole = defineResource({ ...NAMES, schema, strategy });
    expect(Object.keys({ ...kind, subresources: 0 }).sort()).toEqual([...Object.keys(whole), 'subresources'].sort());
    expect(kind.strategy).toBe(strategy);
    expect(kind.subresources).toMatchObject({
      status: { verbs: ['update'], resetFields: ['spec'] },
      log: { relay: { kind: 'Log', verbs: ['get'], parameters: [] } },
    });
    expect(Object.isFrozen(kind)).toBe(true);
  });

  it('loads the kind its objects are stored as with it', async () => {
    const { kind: hub } = late({ version: 'v2' }, {});
    const form = { toStorage: (object: object) => object, fromStorage: (object: object) => object };
    const { kind } = late({ storedAs: hub }, { storedAs: form });
    expect(kind.storedAs?.definition).toBe(hub);
    expect(() => kind.storedAs?.toStorage({} as never, {} as never)).toThrow('not loaded');
    await loadKinds([kind]);
    expect(hub.strategy).toBe(strategy);
    expect(kind.storedAs).toEqual({ definition: hub, ...form });
  });

  it('is tried again after a module could not be loaded', async () => {
    let fails = true;
    const kind = defineKind(NAMES, async () => {
      if (fails) throw new Error('no network');
      return defineRules({ schema });
    });
    await expect(loadKinds([kind])).rejects.toThrow('no network');
    expect(() => kind.schema).toThrow('not loaded');
    fails = false;
    await loadKinds([kind]);
    expect(kind.schema.type).toBe('object');
  });

  it.each([
    ['a subresource without rules', { subresources: { status: {} } }, {}, 'subresource status'],
    ['a subresource without names', {}, { subresources: { status: {} } }, 'subresource status'],
    [
      'a subresource of another sort',
      { subresources: { log: {} } },
      { subresources: { log: { relay: {} } } },
      'subresource log',
    ],
    ['a kind that is not stored', {}, { virtual: { create: () => {} } }, 'virtual'],
    ['a kind that is computed', { virtual: 'answering' }, { virtual: { list: () => [] } }, 'virtual'],
    ['another stored form', {}, { storedAs: {} }, 'storedAs'],
  ])('is refused where names and rules contradict each other: %s', async (_what, names, rules, of) => {
    await expect(loadKinds([late(names, rules).kind])).rejects.toThrow(`names and rules say different things of ${of}`);
  });
});
