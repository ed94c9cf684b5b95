import { type Client, configMap, isAlreadyExists, secret } from 'orch-apiserver';
import { describe, expect } from 'vitest';
import { catches, where } from './stage.js';

/** Creates the password of an application, and records that it exists. */
async function givePassword(client: Client, name: string, bug: boolean): Promise<void> {
  const { data } = await client.get(configMap, name, where);
  if (data?.['password'] === name) return;
  try {
    await client.create(secret, { metadata: { name }, stringData: { password: 'hunter2' } }, where);
  } catch (error) {
    // An earlier attempt may have created it, although its response was lost.
    if (bug || !isAlreadyExists(error)) throw error;
  }
  await client.patch(configMap, name, { data: { password: name } }, where);
}

describe('a lost response', () => {
  catches(async ({ faults, client, user }, bug) => {
    await user.create(configMap, { metadata: { name: 'shop' } }, where);

    faults.on({ verb: 'create', resource: 'secrets' }).loseAnswer();
    for (let attempt = 1; attempt <= 3; attempt++) await givePassword(client, 'shop', bug).catch(() => {});

    const shop = await user.get(configMap, 'shop', where);
    expect(shop.data).toEqual({ password: 'shop' });
  });
});
