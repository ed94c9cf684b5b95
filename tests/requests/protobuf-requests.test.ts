import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { tokenFile } from '../../src/authentication/tokens/token-file.js';
import { discoverySchema } from '../../src/discovery/discovery-schema.js';
import type { JsonObject } from '../../src/json/value.js';
import { dialectOf, groupOf } from '../../src/meta/dialect.js';
import { defineResource } from '../../src/registry/resource-definition.js';
import { configMap } from '../../src/resources/core/index.js';
import { builtinResources } from '../../src/resources/index.js';
import { decodeTyped } from '../../src/schema/decode.js';
import { metaSchema } from '../../src/schema/meta-kinds.js';
import type { ObjectSchema } from '../../src/schema/schema.js';
import {
  decodeProtobuf,
  encodeProtobuf,
  readEnvelope,
  type TypedObject,
} from '../../src/serialization/protobuf/documents.js';
import { createFakeClock } from '../../src/testing/fake-clock.js';
import { suiteServer } from '../support/servers.js';

const widget = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  scope: 'Cluster',
  schema: z.object({ spec: z.optional(z.object({})) }),
});

const document = (value: object, schema: ObjectSchema) => encodeProtobuf(value as TypedObject, schema); // The encoded object contains its kind.
const read = (bytes: Uint8Array, schema: ObjectSchema): JsonObject => {
  const { type, raw } = readEnvelope(bytes);
  return decodeTyped(schema, { ...decodeProtobuf(raw, schema), ...type }).value;
};

describe.each(['k8s', 'orch'] as const)('protobuf requests (%s)', (name) => {
  const dialect = dialectOf(name);
  const protobuf = dialect.protobufMediaType;
  const clock = createFakeClock('2026-11-21T12:00:00Z');
  const server = suiteServer({
    clock,
    dialect: name,
    resources: [...builtinResources, widget],
    authentication: [tokenFile('t,admin,1,system:masters')],
  });
  beforeAll(async () => {
    await server.client().create(configMap, { metadata: { name: 'a' }, data: { k: 'v' } }, { namespace: 'default' });
    await server.client().create(widget, { metadata: { name: 'w' } });
  });

  async function ask(method: string, path: string, accept: string, body?: Uint8Array) {
    const response = await server.fetch(
      new Request(`https://x${path}`, {
        method,
        headers: { authorization: 'Bearer t', accept, ...(body ? { 'content-type': protobuf } : {}) },
        ...(body ? { body: body as Uint8Array<ArrayBuffer> } : {}),
      }),
    );
    // The watch ends at its timeout.
    if (path.includes('timeoutSeconds=1')) clock.advance(1000);
    const bytes = new Uint8Array(await response.arrayBuffer());
    return { status: response.status, type: response.headers.get('content-type'), bytes };
  }
  const maps = '/api/v1/namespaces/default/configmaps';
  const { schema } = configMap;

  it('creates, reads and lists objects, in protobuf or JSON', async () => {
    const sent = document(
      { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'made' }, data: { k: 'v' } },
      schema,
    );
    const made = await ask('POST', maps, `${protobuf},application/json`, sent);
    expect([made.status, made.type]).toEqual([201, protobuf]);
    const json = await ask('GET', `${maps}/made`, 'application/json');
    expect(read(made.bytes, schema)).toEqual(JSON.parse(new TextDecoder().decode(json.bytes)));
    const list = await ask('GET', `${maps}?fieldSelector=metadata.name=a`, protobuf);
    expect(readEnvelope(list.bytes).type).toEqual({ apiVersion: 'v1', kind: 'ConfigMapList' });
    const meta = groupOf(dialect, 'meta');
    const partial = await ask('GET', `${maps}/a`, `${protobuf};as=PartialObjectMetadata;g=${meta};v=v1`);
    expect(readEnvelope(partial.bytes).type).toEqual({ apiVersion: `${meta}/v1`, kind: 'PartialObjectMetadata' });
  });

  it('streams frames', async () => {
    const path = `${maps}?watch=1&timeoutSeconds=1&resourceVersion=0&fieldSelector=metadata.name=a`;
    const { type, bytes } = await ask('GET', path, `${protobuf};stream=watch`);
    expect(type).toBe(`${protobuf};stream=watch`);
    expect(new DataView(bytes.buffer).getUint32(0)).toBe(bytes.length - 4);
    const prefix = new TextDecoder('latin1').decode(bytes).indexOf('k8s\0');
    expect(read(bytes.subarray(prefix), schema)).toMatchObject({ kind: 'ConfigMap', data: { k: 'v' } });
  });

  it('decodes delete options, and encodes failures', async () => {
    const status = metaSchema('Status');
    const options = { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid: 'other' } };
    const kept = await ask('DELETE', `${maps}/a`, protobuf, document(options, metaSchema('DeleteOptions')));
    expect(kept.type).toBe(protobuf);
    expect(read(kept.bytes, status)).toMatchObject({ kind: 'Status', code: 409, reason: 'Conflict' });
    const broken = await ask(
      'POST',
      maps,
      'application/json',
      Uint8Array.from([...document({ kind: 'ConfigMap', apiVersion: 'v1' }, schema).subarray(0, 21), 0x12, 1, 0x0a]),
    );
    expect(JSON.parse(new TextDecoder().decode(broken.bytes)).message).toBe(
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: unexpected EOF',
    );
  });

  it('refuses custom resources, except for their metadata', async () => {
    const path = '/apis/example.com/v1/widgets';
    const problem =
      'object *unstructured.Unstructured does not implement the protobuf marshalling interface and cannot be encoded to a protobuf message';
    const one = await ask('GET', `${path}/w`, protobuf);
    expect([one.status, one.type]).toEqual([406, protobuf]);
    const message = `only the following media types are accepted: application/json, application/yaml, ${protobuf}`;
    expect(read(one.bytes, metaSchema('Status'))).toMatchObject({ message, reason: 'NotAcceptable' });
    expect((await ask('DELETE', `${path}/w`, protobuf)).status).toBe(406);
    expect((await ask('GET', path, protobuf)).status).toBe(406);
    expect((await ask('GET', `${path}?watch=1&timeoutSeconds=1`, protobuf)).status).toBe(406);
    const partial = `${protobuf};as=PartialObjectMetadataList;g=${groupOf(dialect, 'meta')};v=v1`;
    expect((await ask('GET', path, partial)).status).toBe(200);
    const sent = await ask(
      'POST',
      path,
      'application/json',
      document({ kind: 'Widget', apiVersion: 'example.com/v1' }, schema),
    );
    expect(sent.status).toBe(400);
    expect(JSON.parse(new TextDecoder().decode(sent.bytes)).message).toBe(
      `Widget in version "v1" cannot be handled as a Widget: ${problem}`,
    );
  });

  it.each(['/w', '', '?watch=1&timeoutSeconds=1&resourceVersion=0'])(
    'uses the next accepted media type for custom resources, which have no protobuf: widgets%s',
    async (rest) => {
      const answer = await ask('GET', `/apis/example.com/v1/widgets${rest}`, `${protobuf},application/json`);
      expect([answer.status, answer.type]).toEqual([200, 'application/json']);
      expect(new TextDecoder().decode(answer.bytes)).toContain('"name":"w"');
    },
  );

  it('lets a metadata client delete custom resources', async () => {
    const path = '/apis/example.com/v1/widgets';
    await server.client().create(widget, { metadata: { name: 'swept' } });
    const only = '?fieldSelector=metadata.name=swept';
    expect((await ask('DELETE', `${path}${only}`, protobuf)).status).toBe(406);
    expect((await ask('GET', `${path}/swept`, 'application/json')).status).toBe(200);
    const swept = await ask('DELETE', `${path}${only}`, `${protobuf},application/json`);
    expect([swept.status, swept.type]).toEqual([200, 'application/json']);
    expect((await ask('GET', `${path}/swept`, 'application/json')).status).toBe(404);
  });

  it('encodes discovery', async () => {
    const resources = await ask('GET', '/api/v1', protobuf);
    expect(read(resources.bytes, metaSchema('APIResourceList'))).toMatchObject({
      kind: 'APIResourceList',
      groupVersion: 'v1',
    });
    const group = groupOf(dialect, 'apidiscovery');
    const as = `;g=${group};v=v2;as=APIGroupDiscoveryList`;
    const json = await ask('GET', '/apis', `application/json${as}`);
    const aggregated = await ask('GET', '/apis', protobuf + as);
    expect(aggregated.type).toBe(protobuf + as);
    const asJson = decodeTyped(discoverySchema('v2'), JSON.parse(new TextDecoder().decode(json.bytes))).value;
    expect(read(aggregated.bytes, discoverySchema('v2'))).toEqual(asJson);
  });
});
