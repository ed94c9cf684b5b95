import { expect, it } from 'vitest';
import { lowerCaseKeys, startWithWebhook, teamLabel } from '../../examples/webhook.js';
import { compilePolicy } from '../../src/cel/rules.js';
import { configMap } from '../../src/resources/core/index.js';

const namespace = 'default';

it('a webhook in this process changes created objects, and a policy validates them', async () => {
  await using server = await startWithWebhook();
  const create = (name: string, data: Record<string, string>) =>
    server.client().create(configMap, { metadata: { name, namespace, labels: { own: '1' } }, data });
  expect((await create('good', { color: 'blue' })).metadata.labels).toEqual({ own: '1', team: namespace });
  await expect(create('bad', { color: 'blue', Size: '1' })).rejects.toMatchObject({
    code: 422,
    message: expect.stringContaining('denied request: not lower case: Size'),
  });
});

it('the handler is a function that a test can call', async () => {
  const request = { namespace: 'a', object: { metadata: {} } };
  expect(await (teamLabel as (review: object) => unknown)({ request })).toMatchObject({
    patch: [{ op: 'add', value: { team: 'a' } }],
  });
});

it('the policy can be evaluated without a server', () => {
  const { errors, evaluate } = compilePolicy(lowerCaseKeys.spec);
  expect(errors).toEqual([]);
  const judge = (data: object) => evaluate({ object: { data }, request: {} }).decisions[0];
  expect(judge({ color: '1' })?.action).toBe('admit');
  expect(judge({ Color: '1' })).toMatchObject({ action: 'deny', message: 'not lower case: Color' });
});
