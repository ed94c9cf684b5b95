import { describe, expect, it } from 'vitest';
import type { AdmissionHost, AdmissionPluginFactory } from '../../src/admission/admission-plugin.js';
import { ruledPlugin } from '../../src/admission/ruled-plugin.js';
import { configMap, secret } from '../../src/index.js';
import { dialectOf } from '../../src/meta/dialect.js';
import { defaultAdmission } from '../../src/plugins/default-admission.js';
import { startServer } from '../support/servers.js';

const where = { namespace: 'default' };
const map = (name: string) => ({ metadata: { name } });

/** Returns a plug-in for Secrets that refuses one name, and the number of its creations. */
function refusing() {
  const counts = { created: 0 };
  const plugin = ruledPlugin({
    name: 'Refusing',
    rules: [{ operations: ['CREATE'], apiGroups: [''], resources: ['secrets'] }],
    create() {
      counts.created++;
      return {
        validate({ name }) {
          if (name === 'refused') throw new Error('not this name');
        },
      };
    },
  });
  return { counts, plugin };
}

describe('a plug-in whose rules are known', () => {
  it('is created once, by the first request that its rules name', async () => {
    const { counts, plugin } = refusing();
    await using server = await startServer({ admission: [plugin] });
    const client = server.client();
    await client.create(configMap, map('refused'), where);
    expect(counts.created).toBe(0);
    await expect(client.create(secret, map('refused'), where)).rejects.toThrow('not this name');
    await client.create(secret, map('a'), where);
    expect(counts.created).toBe(1);
  });

  it('is created at the start of a server with metrics, so that its metrics are declared', async () => {
    const { counts, plugin } = refusing();
    await using server = await startServer({ admission: [plugin], metrics: true });
    expect(counts.created).toBe(1);
    await expect(server.client().create(secret, map('refused'), where)).rejects.toThrow('not this name');
  });

  it.each(['orch', 'k8s'] as const)('has the group names of the API dialect in its rules (%s)', (name) => {
    const dialect = dialectOf(name);
    const plugin = ruledPlugin({
      name: 'Any',
      rules: [{ operations: ['*'], apiGroups: ['', '*', 'apps', 'storage'], resources: ['*'] }],
      create: () => ({}),
    });
    const { apiGroups = [] } = plugin({ dialect } as AdmissionHost).rules?.[0] ?? {};
    expect(apiGroups).toEqual(['', '*', 'apps', `storage.${dialect.groupSuffix}`]);
  });
});

it('default plug-ins that a plug-in of an embedder wraps are complete', async () => {
  const names: string[] = [];
  const wrapped = (make: AdmissionPluginFactory): AdmissionPluginFactory => {
    return (host) => {
      const plugin = make(host);
      names.push(plugin.name);
      return plugin;
    };
  };
  await using server = await startServer({ admission: (defaults) => defaults.map(wrapped) });
  expect(names).toHaveLength(defaultAdmission.length);
  const missing = server.client().create(configMap, map('a'), { namespace: 'absent' });
  await expect(missing).rejects.toThrow('namespaces "absent" not found');
});
