import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { isInvalid } from '../../src/meta/api-error.js';
import { fieldError } from '../../src/meta/field-error.js';
import { defineResource } from '../../src/registry/resource-definition.js';
import { suiteServer } from '../support/servers.js';

const shape = z.discriminatedUnion('form', [
  z.object({ form: z.literal('circle'), radius: z.number().positive() }),
  z.object({ form: z.literal('square'), side: z.number().positive() }),
]);
const plan = defineResource({
  group: 'shop.example.com',
  version: 'v1',
  kind: 'Plan',
  plural: 'plans',
  scope: 'Namespaced',
  schema: z.object({
    spec: z
      .object({
        from: z.int(),
        until: z.int(),
        shapes: z.array(shape).optional(),
        size: z.union([z.boolean(), z.string()]).optional(),
        either: z.union([z.object({ a: z.int() }), z.object({ b: z.int() })]).optional(),
        slow: z
          .string()
          .refine(async (text) => text !== 'never', 'never is no answer')
          .optional(),
        labels: z.record(z.string().max(3, 'too long a key'), z.string()).optional(),
      })
      .refine(({ from, until }) => from < until, { path: ['until'], message: 'must be after spec.from' }),
  }),
  strategy: {
    validate: ({ spec }) => (spec.from === 13 ? [fieldError.invalid('spec.from', 13, 'is unlucky')] : []),
  },
});
const task = defineResource({
  group: 'shop.example.com',
  version: 'v1',
  kind: 'Task',
  plural: 'tasks',
  scope: 'Namespaced',
  schema: z.object({
    spec: z.object({ size: z.int() }),
    note: z.string().optional(),
    status: z.object({ phase: z.string(), done: z.int().optional() }).optional(),
  }),
  subresources: { status: {} },
});

const server = suiteServer({ resources: (builtin) => [...builtin, plan, task] });

const where = { namespace: 'default' };

describe('a rule that only zod can express', () => {
  const refused = async (spec: object): Promise<string> => {
    const object = { metadata: { name: 'bad' }, spec } as never;
    const error = await server
      .client()
      .create(plan, object, where)
      .catch((problem: unknown) => problem);
    return isInvalid(error) ? error.message.replace('Plan.shop.example.com "bad" is invalid: ', '') : String(error);
  };
  it.each<[string, object, string]>([
    ['a refinement', { from: 2, until: 1 }, 'spec.until: Invalid value: 1: must be after spec.from'],
    [
      'a union',
      { from: 1, until: 2, size: 3 },
      'spec.size: Invalid value: 3: Invalid input: Invalid input: expected boolean, received number; or Invalid input: expected string, received number',
    ],
    [
      'a discriminator',
      { from: 1, until: 2, shapes: [{ form: 'line' }] },
      `spec.shapes[0].form: Invalid value: "line": Invalid discriminator value. Expected 'circle' | 'square'`,
    ],
    [
      'a discriminated option of a union',
      { from: 1, until: 2, shapes: [{ form: 'square', side: -1 }] },
      'spec.shapes[0].side: Invalid value: -1: Too small: expected number to be >0',
    ],
    [
      'a required field of an option',
      { from: 1, until: 2, shapes: [{ form: 'circle' }] },
      'spec.shapes[0].radius: Required value: Invalid input: expected number, received undefined',
    ],
    [
      'the option of a union that comes closest',
      { from: 1, until: 2, either: { b: 'x' } },
      'spec.either.a: Required value: Invalid input: expected number, received undefined',
    ],
    [
      'an asynchronous refinement',
      { from: 1, until: 2, slow: 'never' },
      'spec.slow: Invalid value: "never": never is no answer',
    ],
    [
      'a key of a record',
      { from: 1, until: 2, labels: { long: 'x' } },
      'spec.labels.long: Invalid value: "x": Invalid key in record: too long a key',
    ],
  ])('is checked for %s', async (_, spec, message) => {
    expect(await refused(spec)).toBe(message);
  });

  it('runs after the schema and before the strategy, each only for what the one before accepts', async () => {
    expect(await refused({ from: '1' })).toMatch(
      /^\[spec\.from: Invalid value: "string": .*, spec.until: Required value\]$/,
    );
    expect(await refused({ from: 13, until: 2 })).toBe('spec.until: Invalid value: 2: must be after spec.from');
    expect(await refused({ from: 13, until: 20 })).toBe('spec.from: Invalid value: 13: is unlucky');
  });

  it('validates the object as it was sent, in every update', async () => {
    const spec = { from: 1, until: 2, shapes: [{ form: 'circle' as const, radius: 1.5, colour: 'red' }] };
    const made = await server.client().create(plan, { metadata: { name: 'good' }, spec }, where);
    expect(made.spec).toEqual(spec);
    const update = server.client().patch(plan, 'good', { spec: { until: 0 } }, where);
    await expect(update).rejects.toThrow('spec.until: Invalid value: 0: must be after spec.from');
  });
});

describe('subresources: { status: {} }', () => {
  const ofStatus = { ...where, subresource: 'status' };
  it('separates the status route from the object', async () => {
    const client = server.client();
    const born = { metadata: { name: 'one' }, spec: { size: 1 }, status: { phase: 'Done' } };
    expect(await client.create(task, born, where)).not.toHaveProperty('status');
    const status = await client.update(task, 'one', (draft) => void (draft.status = { phase: 'Open' }), ofStatus);
    expect(status).toMatchObject({ status: { phase: 'Open' }, metadata: { generation: 1 } });
    const main = await client.update(
      task,
      'one',
      (draft) => void Object.assign(draft, { spec: { size: 2 }, status: { phase: 'Done' } }),
      where,
    );
    expect(main).toMatchObject({ spec: { size: 2 }, status: { phase: 'Open' }, metadata: { generation: 2 } });
    const again = await client.update(
      task,
      'one',
      (draft) => {
        Object.assign(draft, { spec: { size: 3 }, note: 'x', status: { phase: 'Done' } });
        draft.metadata.labels = { a: 'b' };
      },
      ofStatus,
    );
    expect(again).toMatchObject({ spec: { size: 2 }, status: { phase: 'Done' }, metadata: { generation: 2 } });
    expect(again).not.toHaveProperty('note');
    expect(again.metadata.labels).toBeUndefined();
  });

  it('records owners by route', async () => {
    const client = server.client();
    const applied = { metadata: { name: 'two' }, spec: { size: 1 }, status: { phase: 'Open' } };
    await client.apply(task, applied, { ...where, fieldManager: 'author' });
    const both = await client.apply(task, applied, { ...ofStatus, fieldManager: 'worker' });
    const owned = (both.metadata.managedFields ?? []).map(({ manager, subresource, fieldsV1 }) => [
      manager,
      subresource,
      Object.keys(fieldsV1 ?? {}),
    ]);
    expect(owned).toEqual([
      ['author', undefined, ['f:spec']],
      ['worker', 'status', ['f:status']],
    ]);
  });

  it('can be extended by strategies of the kind', async () => {
    const counted = defineResource({
      group: 'shop.example.com',
      version: 'v1',
      kind: 'Counted',
      plural: 'counteds',
      scope: 'Namespaced',
      schema: z.object({ spec: z.object({}), status: z.object({ writes: z.int() }).optional() }),
      strategy: {
        prepareForCreate: (draft) => void (draft.status = { writes: 0 }),
        prepareForUpdate: (draft, old) => void (draft.status = { writes: (old.status?.writes ?? 0) + 1 }),
      },
      subresources: { status: {} },
    });
    await server.install(counted);
    const client = server.client();
    const born = await client.create(counted, { metadata: { name: 'a' }, spec: {}, status: { writes: 9 } }, where);
    expect(born.status).toEqual({ writes: 0 });
    const labels = (draft: { metadata: { labels?: Record<string, string> } }) =>
      void (draft.metadata.labels = { a: 'b' });
    expect((await client.update(counted, 'a', labels, where)).status).toEqual({ writes: 1 });
  });
});
