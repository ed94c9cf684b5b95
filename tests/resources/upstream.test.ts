import { describe, expect, it } from 'vitest';
import { DiscoveryDocuments } from '../../src/discovery/discovery.js';
import * as kinds from '../../src/exports/kinds.js';
import type { JsonObject } from '../../src/json/value.js';
import { k8s } from '../../src/meta/dialect.js';
import { formatGroupVersion } from '../../src/meta/group-version.js';
import type { ApiObject } from '../../src/meta/object-meta.js';
import type { ResourceDefinition } from '../../src/registry/resource-definition.js';
import type { Draft } from '../../src/registry/strategy.js';
import { builtinResources } from '../../src/resources/index.js';
import { decodeTyped } from '../../src/schema/decode.js';
import {
  decodeProtobuf,
  encodeProtobuf,
  readEnvelope,
  type TypedObject,
} from '../../src/serialization/protobuf/documents.js';
import { decodeBase64 } from '../../src/values/base64.js';
import { registryOf } from '../openapi/fixture.js';
import { hasSharedData, readShared } from '../support/shared-data.js';

/*
 * Every served kind against upstream's own data: a kind is covered as soon as it is served. Its schema is compared in
 * tests/openapi/schemas.test.ts, its field numbers and its samples in tests/serialization/protobuf.test.ts.
 */
const read = <T>(path: string, none: T): T => readShared<T>(`data/${path}`, none);

const registry = registryOf();

it('every exported definition is served', () => {
  const isDefinition = (value: unknown): value is ResourceDefinition =>
    typeof value === 'object' && value !== null && 'plural' in value;
  const exported = Object.values(kinds).filter(isDefinition);
  expect(exported.filter((definition) => !builtinResources.includes(definition)).map(({ kind }) => kind)).toEqual([]);
});

interface Listed {
  readonly name: string;
}

describe.skipIf(!hasSharedData)('discovery is that of upstream (skipped where the data is absent)', () => {
  const documents = read<Readonly<Record<string, { readonly resources?: readonly Listed[] }>>>(
    'k8s-discovery/all-1.31.json',
    {},
  );
  const discovery = new DiscoveryDocuments();
  const served = [...registry.current.groups].flatMap(([group, versions]) =>
    versions.map((version) => ({ group, version, path: `${group === '' ? '/api' : `/apis/${group}`}/${version}` })),
  );
  it.each(served.filter(({ path }) => documents[path] !== undefined))('$path', async ({ group, version, path }) => {
    const { resources } = (await discovery.resourceList(group, version, registry.current)) as {
      readonly resources: readonly Listed[];
    };
    const upstream = new Map((documents[path]?.resources ?? []).map((resource) => [resource.name, resource]));
    for (const resource of resources) expect(resource).toEqual(upstream.get(resource.name));
  });
});

interface StoredObject {
  readonly kind: string;
  readonly apiVersion: string;
  readonly encoding: string;
  readonly key: string;
  readonly value: string;
  readonly answer?: JsonObject & { readonly metadata: JsonObject };
}

describe.skipIf(!hasSharedData)('stored bytes of upstream (skipped where the data is absent)', () => {
  const byKind = new Map(
    [...registry.current.contents.stores.values()].map(({ resource: { gvk, definition } }) => [
      `${formatGroupVersion(gvk)} ${gvk.kind}`,
      definition,
    ]),
  );
  const { objects } = read<{ readonly objects: readonly StoredObject[] }>('etcd-layout/objects.json', { objects: [] });
  const ours = objects.filter(
    ({ kind, apiVersion, encoding, answer }) =>
      encoding === 'protobuf' && answer && byKind.has(`${apiVersion} ${kind}`),
  );
  it.each(ours)('$key decodes to the response of upstream, and encodes to the same bytes', (stored) => {
    const definition = byKind.get(`${stored.apiVersion} ${stored.kind}`);
    if (definition === undefined || stored.answer === undefined) throw new TypeError(stored.key);
    const { schema } = definition;
    const document = decodeBase64(stored.value);
    const { type, raw } = readEnvelope(document);
    const { value, unknownFields } = decodeTyped(schema, { ...decodeProtobuf(raw, schema), ...type });
    const { resourceVersion: _read, ...metadata } = stored.answer.metadata;
    expect(unknownFields).toEqual([]);
    // A read fills in the defaults.
    const answered = structuredClone(value) as unknown as Draft<ApiObject>;
    definition.setDefaults?.(answered, k8s);
    expect(answered).toEqual({ ...stored.answer, metadata });
    expect(encodeProtobuf(value as JsonObject & TypedObject, schema)).toEqual(document);
  });
});
