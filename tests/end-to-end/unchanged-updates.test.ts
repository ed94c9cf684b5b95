import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/json/value.js';
import { k8s } from '../../src/meta/dialect.js';
import { serveResource } from '../../src/registry/served/served-resource.js';
import { builtinResources } from '../../src/resources/index.js';
import { keyOfKind, SAMPLES } from '../resources/kind-samples.js';
import { arbitraryValue } from '../support/arbitrary-value.js';
import { propertyRuns } from '../support/property-runs.js';
import { startWorldOfEveryKind, type World } from './world.js';

// A PUT of an object that was read writes nothing, whatever the create omitted: the stored object is complete, and a read adds nothing.
let world: World;
let namespace: string;
beforeAll(async () => {
  world = await startWorldOfEveryKind();
  namespace = await world.namespace();
});
afterAll(() => world.close());

const RUNS = { numRuns: propertyRuns(16) };

/**
 * Kinds whose first PUT of an object that was read writes, while each further PUT does not: upstream stores them before it sets the
 * defaults of fields that their strategy cleared, and sets those defaults in every read. Its records and stored bytes show this.
 */
const COMPLETED_BY_THE_FIRST_UPDATE = new Set(['jobs', 'persistentvolumeclaims']);

type Read = { readonly metadata: { readonly resourceVersion: string } };

const kinds = builtinResources
  .filter((definition) => SAMPLES[keyOfKind(definition)] && definition.verbs?.includes('update') !== false)
  .map((definition) => serveResource(definition, k8s));

describe.each(kinds.map((kind) => [`${kind.gvr.resource}.${kind.gvr.version}.${kind.gvr.group}`, kind] as const))(
  '%s',
  (_, { gvr, gvk, apiVersion, namespaced, definition }) => {
    const sample = SAMPLES[keyOfKind(definition)]?.object as JsonObject & { metadata: { name: string } };
    const { name } = sample.metadata;
    const root = gvr.group === '' ? `/api/${gvr.version}` : `/apis/${gvr.group}/${gvr.version}`;
    let all = '';
    let path = '';
    beforeAll(async () => {
      all = `${root}${namespaced ? `/namespaces/${gvr.resource === 'events' ? 'default' : namespace}` : ''}/${gvr.resource}`;
      path = `${all}/${name}`;
    });
    const parts = ['', ...(definition.subresources?.['status'] ? ['/status'] : [])];

    const remove = async () => {
      await world.send('DELETE', path, { body: { gracePeriodSeconds: 0 } });
      const left = await world.send('GET', path);
      if (left.status === 404) return;
      await world.send('PATCH', path, {
        body: { metadata: { finalizers: null } },
        type: 'application/merge-patch+json',
      });
      if (gvr.resource === 'namespaces')
        await world.send('PUT', `${path}/finalize`, { body: { ...left.value, spec: { finalizers: [] } } });
    };

    /** Writes an object that was read, and reads it again. */
    const unchanged = async (made: Read) => {
      const read: Read = await world.get(path);
      expect(read).toEqual(made);
      if (COMPLETED_BY_THE_FIRST_UPDATE.has(gvr.resource)) {
        const first: Read = await world.put(path, read);
        expect({ ...first, metadata: { ...first.metadata, resourceVersion: '', managedFields: [] } }).toEqual({
          ...read,
          metadata: { ...read.metadata, resourceVersion: '', managedFields: [] },
        });
        made = first;
      }
      for (const part of parts)
        expect(await world.put(`${path}${part}`, await world.get(`${path}${part}`))).toEqual(made);
      const patch = { body: {}, type: 'application/merge-patch+json' };
      expect((await world.send('PATCH', path, patch)).value).toEqual(made);
    };

    it('an unchanged update of the sample object has no effect', async () => {
      const made = await world.post(all, { apiVersion, kind: gvk.kind, ...sample });
      try {
        await unchanged(made);
      } finally {
        await remove();
      }
    });

    it('an unchanged update of an object with absent or additional members has no effect', async () => {
      const { metadata: _, ...complete } = await world.post(`${all}?dryRun=All`, {
        apiVersion,
        kind: gvk.kind,
        ...sample,
      });
      const { metadata: _sampleMetadata, ...given } = sample;
      const choices = fc.array(fc.nat(), { maxLength: 5 });
      const more = fc.tuple(arbitraryValue(definition.schema), fc.nat());
      const fewer = choices.map((chosen) => without(complete, chosen));
      const other = fc
        .tuple(more, choices)
        .map(([[any, choice], chosen]) => without(merged(branch(any as JsonValue, choice), given), chosen));
      await fc.assert(
        fc.asyncProperty(fc.oneof(fewer, other), async (fields) => {
          const body = { ...(fields as JsonObject), apiVersion, kind: gvk.kind, metadata: sample.metadata };
          const created = await world.send('POST', all, { body });
          if (created.status !== 201) return;
          try {
            if (!hasEqualAddresses(created.value)) await unchanged(created.value);
          } finally {
            await remove();
          }
        }),
        RUNS,
      );
    });
  },
);

/** Returns whether an object has equal addresses in its status. Upstream accepts them in a new node, and refuses them in its updates. */
function hasEqualAddresses(object: unknown): boolean {
  const { addresses } = (object as { readonly status?: { readonly addresses?: unknown } }).status ?? {};
  if (!Array.isArray(addresses)) return false;
  return new Set(addresses.map((address) => JSON.stringify(address))).size < addresses.length;
}

describe('a custom resource', () => {
  const defaulted = { type: 'object', default: {}, properties: { a: { type: 'integer', default: 1 } } };
  const define = async (plural: string, properties: JsonObject, subresources: JsonObject = {}) => {
    const group = 'unchanged.example.com';
    const version = { name: 'v1', served: true, storage: true, subresources };
    await world.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: `${plural}.${group}` },
      spec: {
        group,
        scope: 'Cluster',
        names: { plural, kind: `Kind${plural}` },
        versions: [{ ...version, schema: { openAPIV3Schema: { type: 'object', properties } } }],
      },
    });
    await world.server.settle();
    const all = `/apis/${group}/v1/${plural}`;
    const made = await world.post(all, { apiVersion: `${group}/v1`, kind: `Kind${plural}`, metadata: { name: 'a' } });
    const put = async () => world.put(`${all}/a`, await world.get(`${all}/a`));
    return { made, put };
  };

  it('is stored with the defaults of its spec', async () => {
    const { made, put } = await define('ones', { spec: defaulted });
    expect(made.spec).toEqual({ a: 1 });
    expect(await put()).toEqual(made);
  });

  // A create drops the status. Every read fills in its defaults, which an update then stores.
  it('gets the defaults of its status with its first update, as in upstream', async () => {
    const { made, put } = await define('twos', { spec: defaulted, status: defaulted }, { status: {} });
    expect(made).toMatchObject({ spec: { a: 1 }, status: { a: 1 } });
    const first = await put();
    expect(Number(first.metadata.resourceVersion)).toBeGreaterThan(Number(made.metadata.resourceVersion));
    expect(await put()).toEqual(first);
  });
});

/** Returns a value with a single member, which has a single member, and so on for some steps. */
function branch(value: JsonValue, choice: number): JsonValue {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const names = Object.keys(value).filter((name) => name !== 'metadata');
  const name = names[choice % Math.max(names.length, 1)];
  if (name === undefined) return {};
  const inner = (value as JsonObject)[name] ?? null;
  return { [name]: choice % 5 === 0 ? inner : branch(inner, Math.trunc(choice / 5)) };
}

/** Merges two values; the second one takes precedence. */
function merged(first: JsonValue, second: JsonValue): JsonValue {
  if (!isJsonObject(first) || !isJsonObject(second)) return second;
  const out: Record<string, JsonValue> = { ...(first as Record<string, JsonValue>) };
  for (const [name, value] of Object.entries(second)) {
    const before = out[name];
    if (value !== undefined) out[name] = before === undefined ? value : merged(before, value);
  }
  return out;
}

/** Removes some members of a value; each choice descends into one of them. */
function without(value: JsonValue, choices: readonly number[]): JsonValue {
  const copy = structuredClone(value);
  for (const choice of choices) {
    let at: JsonValue | undefined = copy;
    for (let rest = choice; typeof at === 'object' && at !== null; rest = Math.trunc(rest / 7)) {
      const names: string[] = Object.keys(at);
      const chosen = names[rest % Math.max(names.length, 1)];
      if (chosen === undefined) break;
      const inner: JsonValue | undefined = (at as { readonly [name: string]: JsonValue | undefined })[chosen];
      if (rest % 3 === 0 || typeof inner !== 'object' || inner === null) {
        if (Array.isArray(at)) at.splice(Number(chosen), 1);
        else Reflect.deleteProperty(at, chosen);
        break;
      }
      at = inner;
    }
  }
  return copy;
}
