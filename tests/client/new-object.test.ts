import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { New } from '../../src/client/client.js';
import { type CoreEvent, coreEvent, type Namespace, namespace, type Pod, pod } from '../../src/exports/kinds.js';
import { defineResource, type ObjectOf } from '../../src/registry/resource-definition.js';
import { startServer } from '../support/servers.js';

const widget = defineResource({
  group: 'shop.example.com',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  scope: 'Namespaced',
  schema: z.object({
    spec: z.object({ size: z.int(), colour: z.enum(['red', 'green']).default('green') }),
    status: z.object({ ready: z.boolean() }).optional(),
  }),
});
type Widget = ObjectOf<typeof widget>;

/** The type of a new object requires only members that the server cannot set. */
const objects = {
  event: {
    metadata: { name: 'e' },
    involvedObject: { kind: 'Pod', namespace: 'default', name: 'p' },
    reason: 'Started',
    type: 'Normal',
  } satisfies New<CoreEvent>,
  namespace: { metadata: { name: 'n' } } satisfies New<Namespace>,
  pod: { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } } satisfies New<Pod>,
  widget: { metadata: { name: 'w' }, spec: { size: 1 } } satisfies New<Widget>,
};

const wrong = {
  // @ts-expect-error: the server cannot know the containers.
  pod: { metadata: { name: 'p' } } satisfies New<Pod>,
  // @ts-expect-error: a misspelt member.
  container: { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', imag: 'i' }] } } satisfies New<Pod>,
  // @ts-expect-error: the size has no default.
  widget: { metadata: { name: 'w' }, spec: {} } satisfies New<Widget>,
  // @ts-expect-error: not a colour.
  colour: { metadata: { name: 'w' }, spec: { size: 1, colour: 'blue' } } satisfies New<Widget>,
};

describe('a new object', () => {
  it('contains only what the client sets, and the response has the rest', async () => {
    await using server = await startServer({ resources: (builtin) => [...builtin, widget] });
    const client = server.client();
    const where = { namespace: 'default' };
    const made = {
      event: await client.create(coreEvent, objects.event, where),
      namespace: await client.create(namespace, objects.namespace),
      pod: await client.create(pod, objects.pod, where),
      widget: await client.create(widget, objects.widget, where),
    };
    expect(made.event.source).toEqual({});
    expect(made.namespace.status.phase).toBe('Active');
    expect(made.pod.spec.containers[0]?.resources).toEqual({});
    const colour: 'red' | 'green' = made.widget.spec.colour;
    expect(colour).toBe('green');
    // An object that was read can be sent again.
    const { uid: _uid, resourceVersion: _version, ...metadata } = made.event.metadata;
    await client.create(coreEvent, { ...made.event, metadata: { ...metadata, name: 'again' } }, where);
    expect(Object.keys(wrong)).toHaveLength(4);
  });
});
