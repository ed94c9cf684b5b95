import { describe, expect, test } from 'vitest';
import { k8s } from '../../src/meta/dialect.js';
import type { Operation } from '../../src/openapi/operation.js';
import { resourceOperations } from '../../src/openapi/resource-operations.js';
import { hasSharedData, readShared } from '../support/shared-data.js';
import { registryOf } from './fixture.js';

/** One operation of upstream's document. */
interface Recorded {
  readonly path: string;
  readonly method: string;
  readonly operationId: string;
  readonly action: string | null;
  readonly gvk: object | null;
  readonly consumes: readonly string[] | null;
  readonly produces: readonly string[] | null;
  readonly params: readonly string[];
  readonly responses: Readonly<Record<string, string | null>>;
}

const recorded = new Map(
  readShared<Recorded[]>('data/k8s-openapi/operations-1.31.json', []).map((each) => [
    `${each.method} ${each.path}`,
    each,
  ]),
);
const registry = registryOf().current;
const resources = [...registry.groups].flatMap(([group, versions]) =>
  versions.flatMap((version) => registry.resourcesOf(group, version).map((store) => store.resource)),
);

/** Returns parameter names as recorded, where `*` and a suffix of letters mark required and shared ones. */
const parameterName = (text: string) => text.replace(/\*$/, '').replace(/-.{8}$/, '');

// Upstream documents a Status where its server returns the namespace. Our document names the returned type.
const ANSWERS_DIFFER = new Set(['deleteCoreV1Namespace']);

function facts(
  path: string,
  { method, operationId, about, parameters, body, consumes, produces, responses }: Operation,
): object {
  return {
    path,
    method,
    operationId,
    action: about?.action,
    gvk: about?.kind,
    consumes,
    produces,
    params: [...(body ? ['body'] : []), ...parameters.map(({ name }) => name)].sort(),
    responses: Object.fromEntries(Object.entries(responses).map(([status, name]) => [status, name ?? null])),
  };
}

describe.skipIf(!hasSharedData)('operations are those of upstream', () => {
  test.each(resources.map((resource) => [`${resource.apiVersion} ${resource.gvk.kind}`, resource] as const))(
    '%s',
    (_, resource) => {
      const ours = resourceOperations(resource).flatMap(({ path, operations }) =>
        operations.map((one) => facts(path, one)),
      );
      const theirs = ours.map((one) => {
        const { path, method } = one as { path: string; method: string };
        const found = recorded.get(`${method} ${path}`);
        if (found === undefined) return undefined;
        const responses = ANSWERS_DIFFER.has(found.operationId) ? expect.anything() : found.responses;
        return { ...found, responses, params: found.params.map(parameterName).sort() };
      });
      expect(ours).toEqual(theirs);
    },
  );

  test.each(resources.map((resource) => [`${resource.apiVersion} ${resource.gvk.kind}`, resource] as const))(
    'all of %s',
    (_, resource) => {
      const base = resource.gvk.group === '' ? '/api/v1' : `/apis/${resource.apiVersion}`;
      const own = new RegExp(`^${base}/(watch/)?(namespaces/{namespace}/)?${resource.gvr.resource}(/{name}(/\\w+)?)?$`);
      const served = new Set(Object.keys(resource.definition.subresources ?? {}));
      const wanted = [...recorded.values()].filter(({ path }) => {
        const subresource = /{name}\/(\w+)$/.exec(path)?.[1];
        return own.test(path) && (subresource === undefined || served.has(subresource));
      });
      const ours = new Set(
        resourceOperations(resource).flatMap(({ operations }) => operations.map((one) => one.operationId)),
      );
      expect(wanted.map(({ operationId }) => operationId).filter((id) => !ours.has(id))).toEqual([]);
    },
  );
});

test('the tests use the dialect of the records', () => expect(registry.dialect).toBe(k8s));
