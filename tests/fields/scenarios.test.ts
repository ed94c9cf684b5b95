import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { trackOwnership } from '../../src/fields/field-manager.js';
import { formatPath } from '../../src/fields/paths/path-element.js';
import { pathsOf } from '../../src/fields/paths/path-set.js';
import type { JsonObject } from '../../src/json/value.js';
import { type ApiError, isApiError } from '../../src/meta/api-error.js';
import { k8s, orch } from '../../src/meta/dialect.js';
import { managerName } from '../../src/meta/manager-name.js';
import type { ApiObject, ManagedFieldsEntry } from '../../src/meta/object-meta.js';
import type { ObjectSchema } from '../../src/schema/schema.js';
import { deepFreeze } from '../../src/store/freeze.js';
import { applyOwnership } from '../support/apply-ownership.js';
import { configMap, kind, namespace, pod } from './kinds.js';

/** An object with its owners, and a clock that advances a second with every write. */
class Scenario {
  live: ApiObject | undefined;
  error: ApiError | undefined;
  readonly #schema: ObjectSchema;
  readonly #rulings;
  #now = Date.UTC(2024, 0, 1);

  constructor(schema: ObjectSchema, rulings = orch.rulings) {
    this.#schema = schema;
    this.#rulings = rulings;
  }
  apply(manager: string, yaml: string, { force = false, subresource = '', resetFields = [] as string[] } = {}): this {
    const applied = parse(yaml) as JsonObject;
    const head = { apiVersion: 'v1', kind: 'Kind', ...applied };
    return this.#write(() =>
      applyOwnership({
        ...this.#common(manager, subresource, resetFields),
        kind: 'Kind',
        live: this.live,
        applied: head,
        force,
      }),
    );
  }
  update(manager: string, yaml: string, { subresource = '', resetFields = [] as string[] } = {}): this {
    const { metadata, ...fields } = parse(yaml) as Partial<ApiObject>;
    const next = { apiVersion: 'v1', kind: 'Kind', ...fields, metadata: { uid: 'u', ...metadata } };
    return this.#write(() =>
      trackOwnership({
        ...this.#common(manager, subresource, resetFields),
        live: this.live,
        next,
        rulings: this.#rulings,
      }),
    );
  }
  /** Returns the paths of each `manager operation@second`. */
  owners(): Record<string, string[]> {
    const entries = this.live?.metadata.managedFields ?? [];
    return Object.fromEntries(
      entries.map((entry) => [this.#label(entry), pathsOf((entry.fieldsV1 ?? {}) as never).map(formatPath)]),
    );
  }
  content(): JsonObject {
    const { apiVersion: _, kind: __, metadata, ...fields } = this.live ?? { apiVersion: '', kind: '', metadata: {} };
    const { managedFields: ___, uid: ____, ...meta } = metadata;
    return JSON.parse(JSON.stringify(Object.keys(meta).length > 0 ? { metadata: meta, ...fields } : fields));
  }
  #label({ manager, operation, subresource, time }: ManagedFieldsEntry): string {
    const seconds = time === undefined ? '' : `@${(Date.parse(time) - Date.UTC(2024, 0, 1)) / 1000}`;
    return `${manager} ${operation}${subresource === undefined ? '' : `/${subresource}`}${seconds}`;
  }
  #common(manager: string, subresource: string, resetFields: string[]) {
    this.#now += 1000;
    return { schema: this.#schema, manager, apiVersion: 'v1', subresource, now: this.#now, resetFields };
  }
  #write(write: () => ApiObject): this {
    this.error = undefined;
    try {
      this.live = deepFreeze(write());
    } catch (error) {
      if (!isApiError(error)) throw error;
      this.error = error;
    }
    return this;
  }
}

describe('a field that two managers apply', () => {
  it('is shared when they agree, and stays when one leaves', () => {
    const s = new Scenario(configMap).apply('one', 'data: {a: x, b: x}').apply('two', 'data: {a: x}');
    expect(s.owners()).toEqual({ 'two Apply': ['.data.a'], 'one Apply@1': ['.data.a', '.data.b'] });
    s.apply('one', 'data: {b: x}');
    expect(s.content()).toEqual({ data: { a: 'x', b: 'x' } });
    expect(s.owners()).toEqual({ 'two Apply': ['.data.a'], 'one Apply@1': ['.data.b'] });
    s.apply('two', 'data: {}');
    expect(s.content()).toEqual({ data: { b: 'x' } });
  });

  it('conflicts when they do not, unless forced', () => {
    const s = new Scenario(configMap).apply('one', 'data: {a: x, b: x}').apply('two', 'data: {a: y, c: y}');
    expect(s.error?.status).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'Apply failed with 1 conflict: conflict with "one": .data.a',
      reason: 'Conflict',
      details: { causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "one"', field: '.data.a' }] },
      code: 409,
    });
    expect(s.content()).toEqual({ data: { a: 'x', b: 'x' } });
    s.apply('two', 'data: {a: y, c: y}', { force: true });
    expect(s.content()).toEqual({ data: { a: 'y', b: 'x', c: 'y' } });
    expect(s.owners()).toEqual({ 'one Apply@1': ['.data.b'], 'two Apply@3': ['.data.a', '.data.c'] });
  });

  it('lists several conflicts by manager, then path', () => {
    const s = new Scenario(configMap)
      .apply('z', 'data: {a: x, b: x}')
      .update('m', 'data: {a: x, b: x, c: x}')
      .apply('k', 'data: {c: y, b: y, a: y}');
    expect(s.error?.message).toBe(
      'Apply failed with 3 conflicts: conflicts with "m" using v1:\n- .data.c\nconflicts with "z":\n- .data.a\n- .data.b',
    );
  });
});

describe('an update', () => {
  it('owns the fields that it changes and adds, and removed fields have no owner', () => {
    const s = new Scenario(configMap)
      .apply('one', 'data: {a: x, b: x, c: x}')
      .update('two', 'data: {a: y, b: x, d: y}');
    expect(s.owners()).toEqual({ 'one Apply@1': ['.data.b'], 'two Update@2': ['.data.a', '.data.d'] });
  });

  it('that changes nothing keeps the entries of managedFields', () => {
    const s = new Scenario(configMap).update('one', 'data: {a: x}');
    const before = s.live?.metadata.managedFields;
    expect(s.update('two', 'data: {a: x}').live?.metadata.managedFields).toBe(before);
  });

  it('of a new object owns what differs from an empty object', () => {
    const s = new Scenario(pod).update(
      'one',
      'spec: {containers: [{name: a, image: i, resources: {}}]}\nstatus: {phase: ""}',
    );
    const item = '.spec.containers[name="a"]';
    // The set omits `.spec`, which every pod has, and contains the whole container, which is new.
    expect(s.owners()).toEqual({
      'one Update@1': ['.spec.containers', item, `${item}.image`, `${item}.name`, `${item}.resources`, '.status.phase'],
    });
  });

  it('does not own fields that its route resets', () => {
    const s = new Scenario(namespace).update(
      'one',
      'metadata: {labels: {a: x}}\nspec: {finalizers: [f]}\nstatus: {phase: Active}',
      { resetFields: ['status'] },
    );
    expect(s.owners()).toEqual({ 'one Update@1': ['.metadata.labels', '.metadata.labels.a', '.spec.finalizers'] });
    s.update('two', 'metadata: {labels: {a: x}}\nspec: {finalizers: [f]}\nstatus: {phase: Terminating}', {
      subresource: 'status',
      resetFields: ['spec'],
    });
    expect(Object.keys(s.owners())).toEqual(['one Update@1', 'two Update/status@2']);
  });
});

describe('dropping fields', () => {
  it('removes a list item with all fields of the manager, but not with fields of others', () => {
    const s = new Scenario(pod)
      .apply('one', 'spec: {containers: [{name: a, image: i}, {name: b, image: i}]}')
      .apply('two', 'spec: {containers: [{name: b, args: [x]}]}')
      .apply('one', 'spec: {containers: [{name: a, image: i}]}');
    expect(s.content()).toEqual({
      spec: {
        containers: [
          { name: 'a', image: 'i' },
          { name: 'b', args: ['x'] },
        ],
      },
    });
    s.apply('one', '{}').apply('two', '{}');
    expect(s.content()).toEqual({});
    expect(s.live?.metadata.managedFields).toBeUndefined();
  });

  it('does not remove fields that an update has taken over', () => {
    const s = new Scenario(configMap).apply('one', 'data: {a: x}').update('two', 'data: {a: y}').apply('one', '{}');
    expect(s.content()).toEqual({ data: { a: 'y' } });
  });

  it('keeps items in the applied order, and others in their places', () => {
    const names = (s: Scenario) =>
      (s.content()['spec'] as { containers: { name: string }[] }).containers.map((c) => c.name).join('');
    const list = (text: string) => `spec: {containers: [${[...text].map((name) => `{name: ${name}}`).join(', ')}]}`;
    const s = new Scenario(pod).apply('one', list('abcd')).apply('two', list('dxb'));
    expect(names(s)).toBe('acdxb');
  });
});

describe('the first apply', () => {
  it('to an object without owners creates an owner for the existing fields', () => {
    const s = new Scenario(configMap);
    s.live = deepFreeze({ apiVersion: 'v1', kind: 'Kind', metadata: { uid: 'u' }, data: { a: 'x' } });
    s.update('one', 'data: {a: x, b: x}');
    expect(s.owners()).toEqual({});
    s.apply('two', 'data: {a: y}');
    expect(s.error?.message).toContain('conflict with "before-first-apply" using v1: .data.a');
    s.apply('two', 'data: {a: x, c: x}');
    expect(s.owners()).toEqual({
      'two Apply@3': ['.data.a', '.data.c'],
      'before-first-apply Update@3': ['.data', '.data.a', '.data.b'],
    });
  });
});

describe('a reset of managedFields', () => {
  const start = (rulings = orch.rulings) => new Scenario(configMap, rulings).apply('one', 'data: {a: x}');
  const write = (list: string) => `metadata: {managedFields: ${list}}\ndata: {a: x, b: y}`;

  it('by one empty entry gives the caller the fields that it changed, or none, depending on the dialect', () => {
    expect(start().update('two', write('[{}]')).owners()).toEqual({ 'two Update@2': ['.data.b'] });
    expect(start(k8s.rulings).update('two', write('[{}]')).owners()).toEqual({});
  });
  it('by an empty list depends on the dialect', () => {
    expect(start().update('two', write('[]')).owners()).toEqual({
      'one Apply@1': ['.data.a'],
      'two Update@2': ['.data.b'],
    });
    expect(start(k8s.rulings).update('two', write('[]')).owners()).toEqual({});
  });
  it('does not happen for entries that cannot be parsed', () => {
    const broken = [
      '[{manager: m}]',
      '[{manager: m, operation: Update, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {x: {}}}]',
      '[7]',
    ];
    for (const list of broken)
      expect(Object.keys(start().update('two', write(list)).owners())).toEqual(['one Apply@1', 'two Update@2']);
  });
});

describe('more than ten updaters', () => {
  it('are merged into one entry, oldest first', () => {
    const s = new Scenario(configMap);
    for (let i = 1; i <= 12; i++)
      s.update(`m${i}`, `data: {${Array.from({ length: i }, (_, k) => `k${k}: x`).join(', ')}}`);
    const owners = s.owners();
    expect(Object.keys(owners)).toHaveLength(10);
    expect(owners['ancient-changes Update@3']).toEqual(['.data', '.data.k0', '.data.k1', '.data.k2']);
  });
});

describe('refused bodies', () => {
  const refuse = (schema: ObjectSchema, yaml: string) => new Scenario(schema).apply('one', yaml).error;
  const frame = (kindName: string) => `failed to create typed patch object (/; /v1, Kind=${kindName}): `;

  it.each([
    ['an undeclared field', 'spec: 1', '.spec: field not declared in schema'],
    ['a list for a map', 'data: [x]', '.data: expected map, got &{[x]}'],
    ['a number for a string', 'data: {a: 1}', '.data.a: expected string, got &value.valueUnstructured{Value:1}'],
    [
      'an object for a string',
      'data: {a: {b: [x]}}',
      '.data.a: expected string, got &value.valueUnstructured{Value:map[string]interface {}{"b":[]interface {}{"x"}}}',
    ],
    ['a string for a boolean', 'immutable: yes please', '.immutable: expected boolean, got &{yes please}'],
    [
      'a string for a number',
      'metadata: {generation: x}',
      '.metadata.generation: expected numeric (int or float), got string',
    ],
    [
      'a value twice in a set',
      'metadata: {finalizers: [f, f]}',
      '.metadata.finalizers: duplicate entries for key [="f"]',
    ],
    [
      'null in a set',
      'metadata: {finalizers: [~]}',
      ".metadata.finalizers: element 0: associative list without keys has an element that's an explicit null",
    ],
    [
      'an item without its key',
      'metadata: {ownerReferences: [{name: x}]}',
      '.metadata.ownerReferences: element 0: associative list with keys has an element that omits key field "uid" (and doesn\'t have default value)',
    ],
    [
      'several',
      'data: {a: 1}\nimmutable: x',
      'errors:\n  .data.a: expected string, got &value.valueUnstructured{Value:1}\n  .immutable: expected boolean, got &{x}',
    ],
  ])('%s', (_, yaml, text) => {
    const error = refuse(configMap, yaml);
    expect([error?.code, error?.reason, error?.message]).toEqual([500, '', frame('Kind') + text]);
  });

  it('have another kind, managedFields, or deep nesting', () => {
    expect(refuse(configMap, 'kind: Other')?.message).toBe('invalid object type: /v1, Kind=Other');
    expect(refuse(configMap, 'apiVersion: a/v2')?.message).toBe('invalid object type: a/v2, Kind=Kind');
    expect(refuse(configMap, 'metadata: {managedFields: []}')?.message).toBe('metadata.managedFields must be nil');
    expect(refuse(configMap, 'metadata: {managedFields: [{manager: a}, {}]}')?.message).toContain('must be nil');
    const any = kind({ x: { type: 'any', granular: true } });
    const s = new Scenario(any);
    let deep: JsonObject = {};
    for (let i = 0; i < 100_000; i++) deep = { a: deep };
    expect(() =>
      applyOwnership({
        schema: any,
        manager: 'm',
        apiVersion: 'v1',
        kind: 'K',
        subresource: '',
        now: 0,
        live: undefined,
        force: false,
        applied: { apiVersion: 'v1', kind: 'K', x: deep },
      }),
    ).toThrow(/nested deeper than 500 levels/);
    const next = { apiVersion: 'v1', kind: 'K', metadata: {}, x: deep } as ApiObject;
    expect(
      trackOwnership({
        schema: any,
        manager: 'm',
        apiVersion: 'v1',
        subresource: '',
        now: 0,
        live: undefined,
        next,
        rulings: orch.rulings,
      }),
    ).toBe(next);
    expect(s.error).toBeUndefined();
  });

  it('include an apply onto stored owners that cannot be parsed', () => {
    const s = new Scenario(configMap);
    s.live = { apiVersion: 'v1', kind: 'Kind', metadata: { managedFields: [{ manager: 'm' }] } };
    expect(s.apply('one', 'data: {a: x}').error?.message).toBe(
      'failed to decode managed fields: operation must be `Apply` or `Update`',
    );
  });
});

describe('hostile names', () => {
  it('are ordinary members', () => {
    const schema = kind({ x: { type: 'any', granular: true } });
    const s = new Scenario(schema);
    const body = (text: string): JsonObject =>
      JSON.parse(`{"apiVersion":"v1","kind":"Kind","metadata":{},"x":${text}}`);
    const common = { schema, manager: 'm', apiVersion: 'v1', kind: 'Kind', subresource: '', force: false };
    s.live = deepFreeze(
      applyOwnership({ ...common, now: 0, live: undefined, applied: body('{"__proto__":{"a":1},"constructor":2}') }),
    );
    expect(Object.values(s.owners())).toEqual([['.x.__proto__', '.x.constructor', '.x.__proto__.a']]);
    expect(JSON.stringify(s.live)).toContain('"x":{"__proto__":{"a":1},"constructor":2}');
    s.live = deepFreeze(applyOwnership({ ...common, now: 0, live: s.live, applied: body('{"__proto__":{"b":1}}') }));
    expect(JSON.stringify(s.live)).toContain('"x":{"__proto__":{"b":1}}');
    expect(({} as Record<string, unknown>)['b']).toBeUndefined();
  });
});

describe('versions', () => {
  it('that are no longer served own nothing', () => {
    const entry = {
      manager: 'm',
      operation: 'Update',
      apiVersion: 'v0',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:data': { 'f:a': {} } },
    } as const;
    const s = new Scenario(configMap);
    s.live = { apiVersion: 'v1', kind: 'Kind', metadata: { managedFields: [entry] }, data: { a: 'x' } } as ApiObject;
    expect(s.apply('one', 'data: {a: y}').owners()).toEqual({ 'one Apply@1': ['.data.a'] });
  });
});

it('names the manager of a write', () => {
  expect(managerName('given', 'curl/8')).toBe('given');
  expect(managerName('', 'curl/8 (x)')).toBe('curl');
  expect(managerName(undefined, 'plain agent')).toBe('plain agent');
  expect(managerName(undefined, '/x')).toBe('unknown');
  expect(managerName(undefined, undefined)).toBe('unknown');
  expect(managerName(undefined, `a\u0007\u00a0é${'u'.repeat(200)}`)).toBe(`aé${'u'.repeat(125)}`);
});
