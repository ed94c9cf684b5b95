import type { ApiServer, ResourceDefinition } from '../../../src/index.js';
import { openServer as open } from '../../support/servers.js';

/** Only the rules of the kinds matter here. */
export const openServer = (options: Parameters<typeof open>[0] = {}) => open({ admission: [], ...options });

export const container = { name: 'c', image: 'i' };
export const runs = (spec: object = {}, more: object = {}) => ({
  spec: { containers: [{ ...container, ...more }], ...spec },
});
export const template = (spec: object = {}, more: object = {}) => ({
  metadata: { labels: { a: 'b' } },
  ...runs({ restartPolicy: 'Never', ...spec }, more),
});
export const jobOf = (spec: object) => ({ spec: { template: template(), ...spec } });
export const indexed = { completionMode: 'Indexed', completions: 2, backoffLimitPerIndex: 1 };
export const setOf = (spec: object) => ({
  spec: {
    serviceName: 's',
    selector: { matchLabels: { a: 'b' } },
    template: template({ restartPolicy: 'Always' }),
    ...spec,
  },
});
export const size = { resources: { requests: { storage: '1Gi' } }, accessModes: ['ReadWriteOnce'] };

export const placed = (kind: ResourceDefinition<never>) =>
  kind.scope === 'Namespaced' ? { namespace: 'default' } : {};
export const named = (object: object) => ({ ...object, metadata: { name: 'a' } }) as never;
export const at = (object: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], object);

export async function made(server: ApiServer, kind: ResourceDefinition<never>, object: object): Promise<object> {
  return server.client().create(kind, named(object), placed(kind));
}

/** Starts a server with other gates that loads the saved state of another server. */
export async function after(server: ApiServer, featureGates: Readonly<Record<string, boolean>>): Promise<ApiServer> {
  const text = await server.save();
  await server.close();
  const next = await openServer({ featureGates, saved: text });
  return next;
}
