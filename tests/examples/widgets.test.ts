import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startShop, widget } from '../../examples/widgets.js';
import { listen } from '../../src/http/index.js';
import { hasKubectl, kubectlFor } from '../kubectl/kubectl.js';

describe('the example with a kind of its own', () => {
  it('validates, defaults, keeps status apart and selects by field', async () => {
    await using server = await startShop();
    const client = server.client();
    const where = { namespace: 'default' };
    const first = await client.get(widget, 'first', where);
    expect(first).toMatchObject({ spec: { size: 3, color: 'red' }, status: { ready: true } });
    expect(first.metadata.generation).toBe(1);
    const plain = await client.create(widget, { metadata: { name: 'plain' }, spec: { size: 1 } as never }, where);
    expect(plain.spec.color).toBe('green');
    await expect(
      client.create(widget, { metadata: { name: 'huge' }, spec: { size: 11, color: 'red' } }, where),
    ).rejects.toMatchObject({
      code: 422,
      message:
        'Widget.shop.example.com "huge" is invalid: spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10',
    });
    const changed = await client.update(
      widget,
      'first',
      (draft) => void Object.assign(draft, { spec: { size: 4, color: 'blue' }, status: { ready: false } }),
      where,
    );
    expect(changed).toMatchObject({ spec: { size: 4 }, status: { ready: true }, metadata: { generation: 2 } });
    const blue = await client.list(widget, { ...where, fieldSelector: 'spec.color=blue' });
    expect(blue.items.map(({ metadata }) => metadata.name)).toEqual(['first']);
  });

  it.skipIf(!hasKubectl)('is printed by kubectl', async () => {
    await using server = await startShop();
    const listener = await listen(server);
    const folder = mkdtempSync(join(tmpdir(), 'widgets-'));
    try {
      const kubeconfig = join(folder, 'config');
      writeFileSync(kubeconfig, await listener.kubeconfig());
      const run = kubectlFor(kubeconfig, folder);
      expect(await run('get widgets')).toMatch(/^NAME +SIZE +READY\nfirst +3 +true\n$/);
      expect(await run('get wd first -o jsonpath={.spec.color}')).toBe('red');
    } finally {
      await listener.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
