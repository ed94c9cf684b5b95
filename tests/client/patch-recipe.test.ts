import { describe, expect, it } from 'vitest';
import { describeDifferences } from '../../src/client/differences.js';
import { configMap } from '../../src/resources/core/index.js';
import { suiteServer } from '../support/servers.js';

const at = { namespace: 'default' };

describe('a patch by recipe', () => {
  const server = suiteServer();

  const make = async (name: string, data: Record<string, string>) =>
    server.client().create(configMap, { metadata: { name }, data }, at);

  it('sends only the fields that the recipe changed', async () => {
    await make('changed', { a: '1', b: '2' });
    const client = server.client();
    const patched = await client.patch(
      configMap,
      'changed',
      (draft) => void (draft.data = { ...draft.data, a: '3' }),
      at,
    );
    expect(patched.data).toEqual({ a: '3', b: '2' });
  });

  it('succeeds after changes of other fields, and is computed again when the same field changed', async () => {
    await make('raced', { mine: '0', theirs: '0' });
    const client = server.client();
    let runs = 0;
    const patched = await client.patch(
      configMap,
      'raced',
      (draft) => {
        runs++;
        draft.data = { ...draft.data, mine: `${Number(draft.data?.['mine']) + 1}` };
        // Another client writes between the read and the patch: first another field, then the same one.
        if (runs === 1) void client.patch(configMap, 'raced', { data: { theirs: '1', mine: '10' } }, at);
      },
      at,
    );
    expect(patched.data).toEqual({ mine: '11', theirs: '1' });
    expect(runs).toBe(2);
  });

  it('sends nothing if nothing changed', async () => {
    const made = await make('same', { a: '1' });
    expect(await server.client().patch(configMap, 'same', () => {}, at)).toBe(
      await server.client().get(configMap, 'same', at),
    );
    expect((await server.client().get(configMap, 'same', at)).metadata.resourceVersion).toBe(
      made.metadata.resourceVersion,
    );
  });

  it('fails with the error of the server', async () => {
    await make('refused', { a: '1' });
    const bad = server.client().patch(configMap, 'refused', (draft) => void (draft.data = { '/': 'x' }), at);
    await expect(bad).rejects.toMatchObject({ reason: 'Invalid' });
  });
});

describe('describeDifferences', () => {
  it.each([
    [{ a: 1 }, { a: 1 }, []],
    [{ a: { b: 'x' } }, { a: { b: 'y' } }, ['a/b: "x" -> "y"']],
    [{ a: 1, 'x/y': 1 }, { 'x/y': 2 }, ['x/y: 1 -> 2', 'a: 1 -> nothing']],
    [{ list: [1] }, { list: [1, { b: 2 }] }, ['list/1: nothing -> {"b":2}']],
  ])('%j to %j', async (before, after, lines) => {
    expect([...(await describeDifferences(before, after))].sort()).toEqual([...lines].sort());
  });
});
