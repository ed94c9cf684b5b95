import { expect, it } from 'vitest';
import { customResourceDefinition } from '../../src/exports/kinds.js';
import { namespace, secret, serviceAccount } from '../../src/index.js';
import { createFakeClock, createFakeRandom } from '../../src/testing/index.js';
import { orchDefinitionOf } from '../support/definitions.js';
import { rsaKeys } from '../support/rsa-keys.js';
import { startServer } from '../support/servers.js';

// With an RSA key, a token has the same bytes each time.
const privateKey = rsaKeys().privateKey.export({ type: 'pkcs8', format: 'pem' }) as string; // PEM is text

const shops = orchDefinitionOf('shops', 'Shop', { group: 'test.example.com' });

async function run() {
  const clock = createFakeClock('2030-01-01T00:00:00Z');
  await using server = await startServer({
    clock,
    random: createFakeRandom(7),
    controllers: { mode: 'stepped' },
    certificates: { root: false, signing: false },
    authenticationTrust: false,
    serviceAccountTokens: { signingKey: privateKey },
  });
  const client = server.client();
  const where = { namespace: 'default' };
  await client.create(namespace, { metadata: { name: 'shop' } });
  // A token is signed while other controllers create their objects.
  const annotations = { 'kubernetes.io/service-account.name': 'robot' };
  const type = 'kubernetes.io/service-account-token';
  await client.create(serviceAccount, { metadata: { name: 'robot' } }, where);
  await client.create(secret, { metadata: { name: 'token', annotations }, type }, where);
  await client.create(customResourceDefinition, shops);
  await server.settle();
  // Deleting the content of a namespace lists every kind, including the roles, which are created at that time.
  await client.delete(namespace, 'shop');
  await server.settle();
  clock.advance(3_600_000);
  await server.settle();
  return await server.save();
}

// The first run loads modules that the second one finds loaded.
it('the same calls produce the same bytes, whatever is loaded or signed meanwhile', async () => {
  const first = await run();
  expect(await run()).toBe(first);
});
