import { expect, it } from 'vitest';
import { flavor, startWithBackend, vanilla } from '../../examples/aggregated-server.js';

it('a group of another server of this process is served as if it were its own', async () => {
  const { server, backend } = await startWithBackend();
  const namespace = 'default';
  const client = server.client();
  await client.create(flavor, vanilla);
  expect((await backend.client().get(flavor, 'vanilla', { namespace })).spec.color).toBe('white');
  expect((await client.list(flavor, { namespace })).items.map(({ metadata }) => metadata.name)).toEqual(['vanilla']);
  await expect(client.get(flavor, 'lemon', { namespace })).rejects.toMatchObject({ code: 404 });
  await server.close();
  await backend.close();
});
