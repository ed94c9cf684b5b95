import * as k8s from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Listener, listen } from '../../src/http/index.js';
import { k8s as dialect } from '../../src/meta/dialect.js';
import { type ServedResource, serveResource } from '../../src/registry/served/served-resource.js';
import { builtinResources } from '../../src/resources/index.js';
import { keyOfKind, SAMPLES } from '../resources/kind-samples.js';
import { suiteServer } from '../support/servers.js';

/** The members that the tests use of an object of any class of the client. */
interface Thing {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: object;
}
type Call = (parameters: object, options?: object) => Promise<Thing>;

const { JsonPatch, MergePatch, StrategicMergePatch, ServerSideApply } = k8s.PatchStrategy;
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
/** `rbac.authorization.k8s.io/v1`: `RbacAuthorizationV1Api`. */
const classOf = ({ gvk: { group, version } }: ServedResource) => {
  const words = group === '' ? ['core'] : group.replace(/\.k8s\.io$/, '').split('.');
  return `${words.map(capital).join('')}${capital(version)}Api`;
};
/** The suffixes of its method names. */
const methodEnd = ({ namespaced, gvk }: ServedResource) => `${namespaced ? 'Namespaced' : ''}${gvk.kind}`;
const classes = k8s as unknown as Readonly<Record<string, Parameters<k8s.KubeConfig['makeApiClient']>[0] | undefined>>;
const kinds = builtinResources
  .filter(({ virtual }) => !virtual)
  .map((definition) => serveResource(definition, dialect))
  .filter(
    (kind) =>
      SAMPLES[keyOfKind(kind.definition)] && `create${methodEnd(kind)}` in (classes[classOf(kind)]?.prototype ?? {}),
  );

/** The classes that @kubernetes/client-node is generated with, for every kind that has one. */
describe('every kind and its class in @kubernetes/client-node', () => {
  const server = suiteServer({
    dialect: 'k8s',
    controllers: { mode: 'stepped' },
    runtimeConfig: { 'api/all': 'true' },
    featureGates: { ClusterTrustBundle: true, DynamicResourceAllocation: true },
  });
  let listener: Listener;
  const config = new k8s.KubeConfig();
  const namespace = 'default';

  beforeAll(async () => {
    await server.settle();
    // The client opens a connection for each of some thousand requests, so the server uses no TLS.
    const user = { username: 'admin', groups: ['system:masters', 'system:authenticated'] };
    listener = await listen({ handle: (request) => server.handle(request, { user }) }, { tls: false });
    config.loadFromClusterAndUser({ name: 'plain', server: listener.url, skipTLSVerify: true }, { name: 'admin' });
  });
  afterAll(() => listener.close());

  it.each(kinds.map((kind) => [`${kind.gvr.resource}.${kind.gvr.version}.${kind.gvr.group}`, kind] as const))(
    '%s',
    async (_, kind) => {
      const { definition, namespaced, apiVersion, gvk } = kind;
      const api = config.makeApiClient(classes[classOf(kind)] as NonNullable<(typeof classes)[string]>);
      const suffix = methodEnd(kind);
      const call = (verb: string, part = ''): Call => {
        const method = `${verb}${suffix}${part}`;
        const own = (api as unknown as Record<string, Call | undefined>)[method];
        if (!own) throw new Error(`no method ${method}`);
        const where = namespaced ? { namespace } : {};
        return (parameters, options) => own.call(api, { ...where, ...parameters }, options);
      };
      const has = (method: string) => method in api;
      const as = (type: string) => k8s.setHeaderOptions('Content-Type', type);
      const sample = SAMPLES[keyOfKind(definition)]?.object as { metadata: { name: string } };
      const { name } = sample.metadata;
      const body = { ...sample, apiVersion, kind: gvk.kind };

      const made = await call('create')({ body });
      expect(made.metadata.uid).toMatch(/^[0-9a-f-]{36}$/);
      expect(await call('read')({ name })).toEqual(made);
      const { items } = (await call('list')({})) as unknown as { readonly items: readonly Thing[] };
      expect(items.map(({ metadata }) => metadata.uid)).toContain(made.metadata.uid);
      await expect(call('create')({ body })).rejects.toMatchObject({ code: 409 });

      const labelled = { ...made, metadata: { ...made.metadata, labels: { replaced: 'yes' } } };
      const replaced = await call('replace')({ name, body: labelled });
      expect(replaced.metadata.labels).toMatchObject({ replaced: 'yes' });
      // The object has the version with which it was created.
      const stale = { ...labelled, metadata: { ...labelled.metadata, labels: {} } };
      await expect(call('replace')({ name, body: stale })).rejects.toMatchObject({ code: 409 });

      const note = (text: string) => ({ metadata: { annotations: { [text]: 'yes' } } });
      const json = [{ op: 'add', path: '/metadata/annotations', value: { json: 'yes' } }];
      await call('patch')({ name, body: json }, as(JsonPatch));
      await call('patch')({ name, body: note('merge') }, as(MergePatch));
      await call('patch')({ name, body: note('strategic') }, as(StrategicMergePatch));
      const mine = { apiVersion, kind: gvk.kind, metadata: { name, annotations: { applied: 'yes' } } };
      const patched = await call('patch')({ name, body: mine, fieldManager: 'me', force: true }, as(ServerSideApply));
      expect(Object.keys(patched.metadata.annotations ?? {})).toEqual(
        expect.arrayContaining(['json', 'merge', 'strategic', 'applied']),
      );

      for (const part of ['Status', 'Scale', 'Approval', 'Ephemeralcontainers']) {
        if (!has(`read${suffix}${part}`)) continue;
        const read = await call('read', part)({ name });
        expect(read.metadata.name).toBe(name);
        expect((await call('replace', part)({ name, body: read })).metadata.uid).toBe(made.metadata.uid);
        await call('patch', part)({ name, body: {} }, as(MergePatch));
      }

      await call('delete')({ name, gracePeriodSeconds: 0, dryRun: 'All' });
      expect((await call('read')({ name })).metadata.uid).toBe(made.metadata.uid);
      await call('delete')({ name, gracePeriodSeconds: 0 });
      await server.settle(); // Finalizers keep these objects.
      await expect(call('read')({ name })).rejects.toMatchObject({ code: 404 });
      if (!has(`deleteCollection${suffix}`)) return;
      await call('create')({ body });
      await call('deleteCollection')({ gracePeriodSeconds: 0, fieldSelector: `metadata.name=${name}` });
      await server.settle();
      await expect(call('read')({ name })).rejects.toMatchObject({ code: 404 });
    },
  );
});
