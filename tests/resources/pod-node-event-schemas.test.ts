import { describe, expect, it } from 'vitest';
import { coreEvent, node, pod } from '../../src/resources/core/index.js';
import { event } from '../../src/resources/events/index.js';
import { decodeTyped } from '../../src/schema/decode.js';
import type { ObjectSchema, Property, Schema } from '../../src/schema/schema.js';
import { hasSharedData, readShared, readSharedText } from '../support/shared-data.js';

interface FieldFacts {
  readonly type: string;
  readonly format?: string;
  readonly items?: string;
  readonly values?: string;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: string[];
  readonly 'x-kubernetes-patch-strategy'?: string;
  readonly 'x-kubernetes-patch-merge-key'?: string;
  readonly 'x-kubernetes-map-type'?: string;
}
interface TypeFacts {
  readonly fields: Record<string, FieldFacts>;
  readonly required: string[];
  readonly 'x-kubernetes-map-type'?: string;
}

/** All structs of a schema by definition name. */
function structs(schema: Schema, found = new Map<string, ObjectSchema>()): Map<string, ObjectSchema> {
  if (schema.type === 'list') structs(schema.items, found);
  else if (schema.type === 'map') structs(schema.values, found);
  else if (schema.type === 'object' && schema.definition && !found.has(schema.definition)) {
    found.set(schema.definition, schema);
    for (const property of schema.properties.values()) structs(property.schema, found);
  }
  return found;
}

function typeOf(schema: Schema): string {
  if (schema.type === 'object') return `ref:${schema.definition}`;
  if ('definition' in schema && schema.definition) return `ref:${schema.definition}`;
  if (schema.type === 'list') return 'array';
  return schema.type === 'map' ? 'object' : schema.type;
}

function factsOf({ schema, patchStrategy, patchMergeKey }: Property): FieldFacts {
  return {
    type: typeOf(schema),
    ...(schema.type === 'integer' ? { format: schema.format } : {}),
    ...(schema.type === 'list' ? { items: typeOf(schema.items) } : {}),
    ...(schema.type === 'list' && schema.listType ? { 'x-kubernetes-list-type': schema.listType } : {}),
    ...(schema.type === 'list' && schema.mapKeys ? { 'x-kubernetes-list-map-keys': [...schema.mapKeys] } : {}),
    ...(schema.type === 'map' ? { values: typeOf(schema.values) } : {}),
    ...(schema.type === 'map' && schema.mapType ? { 'x-kubernetes-map-type': schema.mapType } : {}),
    ...(patchStrategy ? { 'x-kubernetes-patch-strategy': patchStrategy.join(',') } : {}),
    ...(patchMergeKey ? { 'x-kubernetes-patch-merge-key': patchMergeKey } : {}),
  };
}

const kinds = { Pod: pod, Node: node, Event: coreEvent, 'events Event': event };

describe.skipIf(!hasSharedData)('the shared facts (skipped where they are absent)', () => {
  const facts: Record<string, TypeFacts> = readShared('data/k8s-openapi/schema-facts-1.31.json', {});
  it.each(Object.entries(kinds))('%s: fields, types, lists and merge keys of all its structs', (_, { schema }) => {
    for (const [definition, struct] of structs(schema)) {
      const wanted = facts[definition];
      if (!wanted || /ManagedFieldsEntry|ObjectMeta$/.test(definition)) continue;
      const mine = Object.fromEntries([...struct.properties].map(([name, property]) => [name, factsOf(property)]));
      expect([definition, mine]).toEqual([definition, wanted.fields]);
      expect([definition, struct.mapType]).toEqual([definition, wanted['x-kubernetes-map-type']]);
      const required = [...struct.properties].filter(([, p]) => p.required).map(([name]) => name);
      expect([definition, required.toSorted()]).toEqual([definition, wanted.required.toSorted()]);
    }
  });

  it.each([
    ['core.v1.Pod', pod],
    ['core.v1.Node', node],
    ['core.v1.Event', coreEvent],
    ['events.k8s.io.v1.Event', event],
  ])('%s with all fields set keeps every one, in wire order', (file, { schema }) => {
    const text = readSharedText(`data/roundtrip/release-1.31/${file}.json`);
    const { value, unknownFields } = decodeTyped(schema, JSON.parse(text));
    expect(unknownFields).toEqual([]);
    expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)));
  });
});

it.each([
  ['Pod', pod, { metadata: { creationTimestamp: null }, spec: { containers: null }, status: {} }],
  [
    'Node',
    node,
    {
      metadata: { creationTimestamp: null },
      spec: {},
      status: {
        daemonEndpoints: { kubeletEndpoint: { Port: 0 } },
        nodeInfo: {
          machineID: '',
          systemUUID: '',
          bootID: '',
          kernelVersion: '',
          osImage: '',
          containerRuntimeVersion: '',
          kubeletVersion: '',
          kubeProxyVersion: '',
          operatingSystem: '',
          architecture: '',
        },
      },
    },
  ],
  [
    'Event',
    coreEvent,
    {
      metadata: { creationTimestamp: null },
      involvedObject: {},
      source: {},
      firstTimestamp: null,
      lastTimestamp: null,
      eventTime: null,
      reportingComponent: '',
      reportingInstance: '',
    },
  ],
])('an empty %s has its zero values', (_, { schema }, zero) => {
  expect(decodeTyped(schema, {}).value).toEqual(zero);
});

it('empty fields of a container are encoded as upstream encodes them', () => {
  const body = {
    spec: { containers: [{ name: 'c', env: [], resources: {}, securityContext: {}, ports: [{ containerPort: 1 }] }] },
    status: { conditions: [{ type: 'Ready' }] },
  };
  expect(decodeTyped(pod.schema, body).value).toMatchObject({
    spec: { containers: [{ name: 'c', ports: [{ containerPort: 1 }], resources: {}, securityContext: {} }] },
    status: { conditions: [{ type: 'Ready', status: '', lastProbeTime: null, lastTransitionTime: null }] },
  });
  expect(
    Object.keys((decodeTyped(pod.schema, body).value as { spec: { containers: object[] } }).spec.containers[0] ?? {}),
  ).not.toContain('env');
});
