import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Backup, startWithBackups } from '../../examples/custom-resource.js';
import type { ApiServer } from '../../src/api-server.js';
import type { Client } from '../../src/client/client.js';
import type { ResourceDefinition } from '../../src/registry/resource-definition.js';

const where = { namespace: 'default' };

describe('the example with a custom resource definition', () => {
  let server: ApiServer;
  let client: Client;
  let backup: ResourceDefinition<Backup>;
  beforeEach(async () => {
    ({ server, backup } = await startWithBackups());
    client = server.client();
  });
  afterEach(() => server.close());
  const create = (name: string, spec: Backup['spec']) => client.create(backup, { metadata: { name }, spec }, where);

  it('fills in defaults', async () => expect((await create('a', { schedule: '@daily' })).spec.keep).toBe(7));

  it('refuses objects that violate its rules', async () => {
    await expect(create('a', { schedule: '@hourly', keep: 500 })).rejects.toThrow(
      'spec: Invalid value: "object": what is kept that often must end',
    );
    await create('a', { schedule: '@hourly', keep: 500, until: '2030-01-01' });
    const less = client.update(backup, 'a', (draft) => void (draft.spec.keep = 3), where);
    await expect(less).rejects.toThrow('spec: Invalid value: "object": keep only grows');
  });
});
