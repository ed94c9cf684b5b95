import { expect, it } from 'vitest';
import { ApiServer, configMap } from '../../src/index.js';
import { copyLocalDocument } from '../../src/requests/bodies/local-document.js';

it('a local document says what its JSON text would', () => {
  const value = {
    a: [1, undefined, Number.NaN, () => 1],
    b: undefined,
    c: { d: new Date(0), e: null, ['__proto__']: 1 },
    f: 'x',
  };
  expect(JSON.stringify(copyLocalDocument(value))).toBe(JSON.stringify(value));
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  expect(() => copyLocalDocument(circle)).toThrow(TypeError);
});

it('an apply in process keeps nothing of what the caller holds', async () => {
  await using server = new ApiServer();
  await server.start();
  const client = server.client();
  const at = { namespace: 'default' };
  const data: Record<string, string> = { a: '1' };
  const labels = { x: 'y' };
  const applied = await client.apply(configMap, { metadata: { name: 'a', labels }, data }, at);
  data['a'] = '2';
  labels.x = 'z';
  expect(Object.isFrozen(data)).toBe(false);
  expect(applied).toMatchObject({ metadata: { labels: { x: 'y' } }, data: { a: '1' } });
  expect(await client.get(configMap, 'a', at)).toBe(applied);
});
