import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ApiServer, configMap } from '../../../src/index.js';
import { type Faults, injectFaults } from '../../../src/testing/index.js';
import { startServer } from '../../support/servers.js';

const where = { namespace: 'default' };
const made = (name: string) => ({ metadata: { name } });

let server: ApiServer;
let faults: Faults;
beforeEach(async () => {
  server = await startServer({ dialect: 'k8s', certificates: { root: false } });
  faults = injectFaults(server);
});
afterEach(() => server.close());

describe('the response of a fault', () => {
  it('names the object that a create sends', async () => {
    const client = server.client();
    faults.on({ verb: 'create', resource: 'configmaps', nth: [1, 2, 3] }).conflict();
    const created = client.create(configMap, made('a'), where);
    await expect(created).rejects.toMatchObject({
      message: 'configmaps "a" already exists',
      status: { reason: 'AlreadyExists', details: { name: 'a', kind: 'configmaps' } },
    });
    const generated = client.create(configMap, { metadata: { generateName: 'b-' } }, where);
    await expect(generated).rejects.toThrow(/^configmaps "b-[a-z0-9]{5}" already exists$/);
    const headers = { 'content-type': 'application/json' };
    const path = 'https://server/api/v1/namespaces/default/configmaps';
    const malformed = new Request(path, { method: 'POST', headers, body: '{' });
    const user = { username: 'jane', groups: ['system:masters'] };
    expect((await server.fetch(malformed, { user })).status).toBe(409);
    faults.verify();
  });

  it('does not name an object that the request does not name', async () => {
    faults.on({ verb: 'list' }).answer(404);
    const listed = server.client().list(configMap, where);
    await expect(listed).rejects.toThrow(/^the server could not find the requested resource$/);
  });
});

describe('waiting for a fault', () => {
  it('fails with the closest requests', async () => {
    const fault = faults.on({ verb: 'create', resource: 'secrets' }, { optional: true }).conflict();
    await server.client().create(configMap, made('a'), where);
    await expect(fault.arrived({ timeout: 10 })).rejects.toThrow(
      /^waited 10 ms for a fault that never fired:\n {2}verb create.*\n {4}seen: create configmaps.*resource is "configmaps"/,
    );
    await expect(fault.arrived({ timeout: Number.NaN })).rejects.toThrow('arrived: timeout must be a number');
  });

  it('fails when the fault ends or the server closes', async () => {
    const ended = faults.on({ verb: 'create', resource: 'secrets' }).hold();
    const open = faults.on({ verb: 'update', resource: 'secrets' }).hold();
    const failures = Promise.all([
      expect(ended.arrived()).rejects.toThrow('a fault ended before it fired:\n  verb create, resource secrets: hold'),
      expect(open.arrived()).rejects.toThrow('a fault ended before it fired:\n  verb update, resource secrets: hold'),
    ]);
    ended.end();
    await server.close();
    await failures;
  });
});

describe('faults that are closed', () => {
  it('refuse further faults', async () => {
    faults[Symbol.dispose]();
    expect(() => faults.on({}).conflict()).toThrow('these faults are disposed: call injectFaults(server) for new ones');
    const other = injectFaults(server);
    faults[Symbol.dispose]();
    expect(() => injectFaults(server)).toThrow('the server already has faults');
    await server.close();
    expect(() => other.on({}).conflict()).toThrow('the server is closed: create a new one');
  });
});
