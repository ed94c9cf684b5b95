import { describe, expect, it } from 'vitest';
import type { AdmissionPluginFactory } from '../../src/admission/admission-plugin.js';
import {
  type ApiServer,
  type ApiServerOptions,
  configMap,
  isForbidden,
  namespace,
  pod,
  secret,
  serviceAccount,
} from '../../src/index.js';
import type { SelfSubjectRulesReview } from '../../src/resources/authorization/authorization-v1.types.js';
import { selfSubjectRulesReview } from '../../src/resources/authorization/index.js';
import type { ConfigMap } from '../../src/resources/core/core-v1.types.js';
import { service } from '../../src/resources/core/index.js';
import { flowSchema } from '../../src/resources/flowcontrol/index.js';
import { clusterRole } from '../../src/resources/rbac/index.js';
import { MemoryStore } from '../../src/store/memory-store.js';
import type { StorageFactory } from '../../src/store/storage-factory.js';
import { createFakeClock } from '../../src/testing/fake-clock.js';
import { fetchFrom } from '../support/ask.js';
import { startServer } from '../support/servers.js';

/** A storage that outlives its server. */
class Kept extends MemoryStore {
  override async close(): Promise<void> {}
}

/** Servers that come one after the other, and what they store. */
function keeping() {
  let kept: Kept | undefined;
  const storage: StorageFactory = async (options) => (kept ??= new Kept(options as never)) as never;
  return { storage, kept: () => kept as Kept };
}

const started = (options: ApiServerOptions) =>
  startServer({ clock: createFakeClock('2026-11-21T12:00:00Z'), ...options });

/** Sees everything that is written and changes nothing. */
function onlooker() {
  const seen: string[] = [];
  const plugin: AdmissionPluginFactory = () => ({
    name: 'onlooker',
    validate({ operation, kind, object }) {
      seen.push(`${operation} ${kind.kind} ${object?.metadata.name}`);
    },
  });
  return { seen, plugin };
}

/** All objects as texts, but for what chance says: who they are, the order in which they came, keys. */
async function everything(server: ApiServer) {
  const client = server.client();
  const texts = new Map<string, string>();
  for (const { definition } of client.resources())
    for (const object of (await client.list(definition)).items) {
      const { uid: _, resourceVersion: __, ...metadata } = object.metadata;
      const text = JSON.stringify({ ...object, metadata })
        .replace(/-----BEGIN .*?-----END CERTIFICATE-----/g, 'PEM')
        .replace(/(?<="holderIdentity":"apiserver-[a-z2-7]+_)[0-9a-f-]+/, 'RUN');
      texts.set(`${definition.kind} ${metadata.namespace ?? ''}/${metadata.name}`, text);
    }
  return texts;
}

describe.each(['k8s', 'orch'] as const)('what a server begins with (%s)', (dialect) => {
  it.each([{}, { ownNodePort: 30_443 }, { clusterIpRanges: ['fd00::/112', '10.0.0.0/24'] }])(
    'is what requests make of it: %j',
    async (serviceNetwork) => {
      const { seen, plugin } = onlooker();
      const options = { dialect, network: { serviceNetwork } };
      await using seeded = await started(options);
      await using asked = await started({ ...options, admission: (defaults) => [...defaults, plugin] });
      expect(await everything(seeded)).toEqual(await everything(asked));
      expect(seen).toContain('CREATE ClusterRole cluster-admin');
      expect(seen).toContain('CREATE Namespace kube-system');
    },
  );

  it('is there before anybody asks', async () => {
    await using server = await started({ dialect });
    const names = async (kind: Parameters<typeof server.kind>) =>
      (await server.client().list(server.kind(...kind))).items.map(({ metadata }) => metadata.name);
    expect(await names(['v1', 'Namespace'])).toEqual(['default', 'kube-node-lease', 'kube-public', 'kube-system']);
    expect(await names(['v1', 'ServiceAccount'])).toHaveLength(4);
    const { rules } = await server.client().get(clusterRole, 'admin');
    expect(rules?.length).toBeGreaterThan(20);
  });
});

describe('what a start makes', () => {
  const rootMaps = async (server: ApiServer) =>
    (await server.client().list(configMap)).items
      .filter(({ metadata }) => metadata.name === 'orch-root-ca.crt')
      .map(({ metadata }) => metadata.namespace);

  it('is complete when it resolves', async () => {
    await using server = await started({});
    const { items } = await server.client().list(flowSchema);
    expect(items.map(({ metadata }) => metadata.name)).toContain('global-default');
    const dangling = items.map(({ status }) => status.conditions?.find(({ type }) => type === 'Dangling')?.status);
    expect(new Set(dangling)).toEqual(new Set(['False']));
  });

  it('goes on for namespaces that come later', async () => {
    await using server = await started({});
    await server.client().create(namespace, { metadata: { name: 'early' }, spec: {} });
    expect(await rootMaps(server)).toContain('early');
    await server.client().create(namespace, { metadata: { name: 'late' }, spec: {} });
    await server.settle();
    expect(await rootMaps(server)).toContain('late');
  });

  it('is not part of a saved state', async () => {
    await using server = await started({});
    await rootMaps(server);
    await server.client().list(flowSchema);
    await server.client().list(clusterRole);
    await server.client().list(server.kind('apiregistration.orch.io/v1', 'APIService'));
    expect((await server.save()).trimEnd().split('\n')).toHaveLength(1);
  });

  it('brings stored objects up to date', async () => {
    const { kept, storage } = keeping();
    const stored = () => kept().get('/registry/configmaps/default/orch-root-ca.crt')?.value as ConfigMap | undefined;
    {
      await using first = await started({ storage });
      expect(await rootMaps(first)).toHaveLength(4);
    }
    const before = stored()?.data;
    await using second = await started({ storage });
    expect(second.dialect.name).toBe('orch');
    // Every server has an authority of its own.
    expect(before).toBeDefined();
    expect(stored()?.data).not.toEqual(before);
  });

  it('includes the roles that the first decision needs', async () => {
    await using server = await started({});
    const user = { username: 'system:kube-scheduler', groups: ['system:authenticated'] };
    const all = Array.from({ length: 3 }, () => server.client({ user }).list(pod));
    for (const { items } of await Promise.all(all)) expect(items).toEqual([]);
    await expect(server.client({ user }).list(secret)).rejects.toSatisfy(isForbidden);
  });

  it('includes the roles that reviews and explanations show', async () => {
    await using server = await started({});
    const review = await server
      .client()
      .create(selfSubjectRulesReview, { metadata: {}, spec: { namespace: 'default' } } as never);
    expect((review as SelfSubjectRulesReview).status?.resourceRules).toContainEqual({
      verbs: ['*'],
      apiGroups: ['*'],
      resources: ['*'],
    });
    await using other = await started({});
    const question = { verb: 'get', path: '/healthz' };
    const explained = await other.explainDecision({ username: 'eve', groups: ['system:unauthenticated'] }, question);
    expect(explained).toMatchObject({ decision: 'Allow', grant: { role: 'ClusterRole "system:public-info-viewer"' } });
  });

  it('is counted with the stored objects', async () => {
    await using server = await started({ metrics: true });
    const user = { username: 'root', groups: ['system:masters'] };
    const page = await (await fetchFrom(server, '/metrics', { user })).text();
    const of = (resource: string) =>
      new RegExp(`^apiserver_storage_objects.*"${resource}.*"} (.*)$`, 'm').exec(page)?.[1];
    expect(Number(of('clusterroles[.]'))).toBe((await server.client().list(clusterRole)).items.length);
  });

  it('lets controllers work whose accounts need the roles', async () => {
    const { kept, storage } = keeping();
    await using server = await started({ storage });
    expect(kept().count('/registry/clusterroles/')).toBeGreaterThan(50);
    // Its account is made by a controller that acts as one.
    await server.client().create(namespace, { metadata: { name: 'mine' }, spec: {} });
    await server.settle();
    expect((await server.client().get(serviceAccount, 'default', { namespace: 'mine' })).metadata.name).toBe('default');
  });

  it('restores a default role that was deleted', async () => {
    const { kept, storage } = keeping();
    const admin = '/registry/clusterroles/admin';
    {
      await using first = await started({ storage });
      await first.client().delete(clusterRole, 'admin');
      expect(kept().get(admin)).toBeUndefined();
    }
    await using second = await started({ storage });
    expect(second.dialect.name).toBe('orch');
    expect(kept().get(admin)).toBeDefined();
  });

  it('gives the own Service its address before others take one', async () => {
    await using server = await started({});
    const made = await server
      .client()
      .create(service, { metadata: { name: 'mine' }, spec: { ports: [{ port: 80 }] } }, { namespace: 'default' });
    expect(made.spec.clusterIP).not.toBe('10.0.0.1');
  });
});
