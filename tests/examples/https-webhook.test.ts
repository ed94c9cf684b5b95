import { expect, it } from 'vitest';
import { startWithHttpsWebhook } from '../../examples/https-webhook.js';
import { configMap } from '../../src/resources/core/index.js';

const namespace = 'default';

it('a webhook behind HTTPS in this process is called', async () => {
  await using started = await startWithHttpsWebhook();
  const client = started.server.client();
  const create = (name: string, data: Record<string, string>) =>
    client.create(configMap, { metadata: { name, namespace }, data });
  await create('good', { color: 'blue' });
  await expect(create('bad', { dbPassword: 'x' })).rejects.toMatchObject({
    code: 403,
    message: 'admission webhook "no-passwords.example.com" denied the request: dbPassword: use a Secret',
  });
  const changed = client.update(configMap, 'good', (draft) => void (draft.data = { password: 'x' }), { namespace });
  await expect(changed).rejects.toThrow('password: use a Secret');
});
