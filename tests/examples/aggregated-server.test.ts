import { apiService } from 'orch-apiserver/kinds';
import { expect, it } from 'vitest';
import { flavor, startWithBackend, vanilla } from '../../examples/aggregated-server.js';
import { startWeather } from '../../examples/guides/aggregation.js';

it('a group of another server in this process is served like a built-in one', async () => {
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

it('a function is a backend; while it is unavailable it is not called', async () => {
  const { server, state } = await startWeather();
  const ask = (path: string) =>
    server.fetch(new Request(`https://server${path}`), { user: { username: 'ann', groups: ['system:masters'] } });
  const report = '/apis/weather.example.com/v1/reports/today';
  expect(await (await ask(report)).json()).toMatchObject({ kind: 'Report', sky: 'blue', reader: 'ann' });
  const { groups } = await (await ask('/apis')).json();
  expect(groups.map(({ name }: { name: string }) => name)).toContain('weather.example.com');
  state.up = false;
  expect((await ask(report)).status).toBe(500);
  await server.client().patch(apiService, 'v1.weather.example.com', { spec: { versionPriority: 11 } });
  await server.settle();
  expect((await ask(report)).status).toBe(503);
  await server.close();
});
