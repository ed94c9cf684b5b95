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

/** A storage that stays open when its server closes. */
class Kept extends MemoryStore {
  override async close(): Promise<void> {}
}

/** Returns a factory whose storage outlives the servers that use it, and a function that returns the storage. */
function keeping() {
  let kept: Kept | undefined;
  const storage: StorageFactory = async (options) => (kept ??= new Kept(options as never)) as never;
  return { storage, kept: () => kept as Kept };
}

const started = (options: ApiServerOptions) =>
  startServer({ clock: createFakeClock('2026-11-21T12:00:00Z'), ...options });

/** An admission plug-in that records every write and changes nothing. */
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

/** Returns all objects as strings, without what is random: uids, the order of creation and keys. */
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

describe.each(['k8s', 'orch'] as const)('the initial objects of a server (%s)', (dialect) => {
  it.each([{}, { ownNodePort: 30_443 }, { clusterIpRanges: ['fd00::/112', '10.0.0.0/24'] }])(
    'are those that requests with this option create: %j',
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

  it('exist before the first request', async () => {
    await using server = await started({ dialect });
    const names = async (kind: Parameters<typeof server.kind>) =>
      (await server.client().list(server.kind(...kind))).items.map(({ metadata }) => metadata.name);
    expect(await names(['v1', 'Namespace'])).toEqual(['default', 'kube-node-lease', 'kube-public', 'kube-system']);
    expect(await names(['v1', 'ServiceAccount'])).toHaveLength(4);
    const { rules } = await server.client().get(clusterRole, 'admin');
    expect(rules?.length).toBeGreaterThan(20);
  });
});

describe('the objects that are created at the start', () => {
  const rootMaps = async (server: ApiServer) =>
    (await server.client().list(configMap)).items
      .filter(({ metadata }) => metadata.name === 'orch-root-ca.crt')
      .map(({ metadata }) => metadata.namespace);

  it('are complete when start() resolves', async () => {
    await using server = await started({});
    const { items } = await server.client().list(flowSchema);
    expect(items.map(({ metadata }) => metadata.name)).toContain('global-default');
    const dangling = items.map(({ status }) => status.conditions?.find(({ type }) => type === 'Dangling')?.status);
    expect(new Set(dangling)).toEqual(new Set(['False']));
  });

  it('are created for later namespaces as well', async () => {
    await using server = await started({});
    await server.client().create(namespace, { metadata: { name: 'early' }, spec: {} });
    expect(await rootMaps(server)).toContain('early');
    await server.client().create(namespace, { metadata: { name: 'late' }, spec: {} });
    await server.settle();
    expect(await rootMaps(server)).toContain('late');
  });

  it('are not part of a saved state', async () => {
    await using server = await started({});
    await rootMaps(server);
    await server.client().list(flowSchema);
    await server.client().list(clusterRole);
    await server.client().list(server.kind('apiregistration.orch.io/v1', 'APIService'));
    expect((await server.save()).trimEnd().split('\n')).toHaveLength(1);
  });

  it('bring stored objects up to date', async () => {
    const { kept, storage } = keeping();
    const stored = () => kept().get('/registry/configmaps/default/orch-root-ca.crt')?.value as ConfigMap | undefined;
    {
      await using first = await started({ storage });
      expect(await rootMaps(first)).toHaveLength(4);
    }
    const before = stored()?.data;
    await using second = await started({ storage });
    expect(second.dialect.name).toBe('orch');
    // Every server creates a certificate authority of its own.
    expect(before).toBeDefined();
    expect(stored()?.data).not.toEqual(before);
  });

  it('include the roles for the first authorization', async () => {
    await using server = await started({});
    const user = { username: 'system:kube-scheduler', groups: ['system:authenticated'] };
    const all = Array.from({ length: 3 }, () => server.client({ user }).list(pod));
    for (const { items } of await Promise.all(all)) expect(items).toEqual([]);
    await expect(server.client({ user }).list(secret)).rejects.toSatisfy(isForbidden);
  });

  it('include the roles in reviews and explanations', async () => {
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

  it('are counted with the stored objects', async () => {
    await using server = await started({ metrics: true });
    const user = { username: 'root', groups: ['system:masters'] };
    const page = await (await fetchFrom(server, '/metrics', { user })).text();
    const of = (resource: string) =>
      new RegExp(`^apiserver_storage_objects.*"${resource}.*"} (.*)$`, 'm').exec(page)?.[1];
    expect(Number(of('clusterroles[.]'))).toBe((await server.client().list(clusterRole)).items.length);
  });

  it('let controllers work whose accounts need the roles', async () => {
    const { kept, storage } = keeping();
    await using server = await started({ storage });
    expect(kept().count('/registry/clusterroles/')).toBeGreaterThan(50);
    // The controller that creates service accounts acts as a service account itself.
    await server.client().create(namespace, { metadata: { name: 'mine' }, spec: {} });
    await server.settle();
    expect((await server.client().get(serviceAccount, 'default', { namespace: 'mine' })).metadata.name).toBe('default');
  });

  it('include a default role that was deleted', async () => {
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

  it("include the server's own Service, whose address no other gets", async () => {
    await using server = await started({});
    const made = await server
      .client()
      .create(service, { metadata: { name: 'mine' }, spec: { ports: [{ port: 80 }] } }, { namespace: 'default' });
    expect(made.spec.clusterIP).not.toBe('10.0.0.1');
  });
});
