import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiServer } from '../../src/api-server.js';
import { rbac } from '../../src/authorization/rbac/rbac.js';
import { k8s } from '../../src/meta/dialect.js';
import { serveResource } from '../../src/registry/served/served-resource.js';
import { builtinResources } from '../../src/resources/index.js';
import { keyOfKind, SAMPLES } from '../resources/kind-samples.js';
import { ask } from '../support/ask.js';
import { openServer } from '../support/servers.js';

const kinds = builtinResources
  .filter(({ virtual }) => !virtual)
  .map((definition) => serveResource(definition, k8s))
  .filter(({ definition }) => SAMPLES[keyOfKind(definition)]);

/** The reference stores a new claim without the phase that a reader sees, so its first update writes. */
const WRITTEN_ONCE: ReadonlySet<string> = new Set(['persistentvolumeclaims']);

const admin = { user: { username: 'admin', groups: ['system:masters'] } };

describe('a PUT of what was read', () => {
  let server: ApiServer;
  beforeAll(async () => {
    server = await openServer({
      authorization: [rbac()],
      admission: [],
      runtimeConfig: { 'api/all': 'true' },
      featureGates: { ClusterTrustBundle: true, DynamicResourceAllocation: true },
    });
  });
  afterAll(() => server.close());

  it.each(kinds.map((kind) => [`${kind.gvr.resource}.${kind.gvr.version}.${kind.gvr.group}`, kind] as const))(
    'does not write: %s',
    async (_, { gvr, gvk, namespaced, definition }) => {
      const { group, version, resource } = gvr;
      const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
      const path = `${root}/${namespaced ? 'namespaces/default/' : ''}${resource}`;
      const { metadata, ...sample } = (SAMPLES[keyOfKind(definition)] as { object: { metadata?: object } }).object;
      const body = {
        ...sample,
        apiVersion: group === '' ? version : `${group}/${version}`,
        kind: gvk.kind,
        metadata: { ...metadata, name: (metadata as { name?: string })?.name ?? 'a-sample' },
      };
      const made = await ask(server, { method: 'POST', path, body }, admin);
      expect([made.status, made.status === 201 ? '' : made.message]).toEqual([201, '']);
      await server.settle();
      const at = { path: `${path}/${made.value.metadata.name}` };
      const rewritten = async () => {
        const read = await ask(server, at, admin);
        const put = await ask(server, { ...at, method: 'PUT', body: read.value }, admin);
        expect([put.status, put.status === 200 ? '' : put.message]).toEqual([200, '']);
        return [read.value, put.value];
      };
      if (WRITTEN_ONCE.has(resource)) await rewritten();
      const [read, put] = await rewritten();
      expect(put).toEqual(read);
      await ask(
        server,
        { ...at, method: 'DELETE', body: { gracePeriodSeconds: 0, propagationPolicy: 'Background' } },
        admin,
      );
    },
  );
});
