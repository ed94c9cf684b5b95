import { describe, expect, it } from 'vitest';
import { configMap, coreEvent } from '../../../src/exports/kinds.js';
import type { ApiServer } from '../../../src/index.js';
import { createFakeClock } from '../../../src/testing/fake-clock.js';
import { openServer } from '../../support/servers.js';

const HOUR = 3_600_000;
const WHERE = { namespace: 'default' };
const happened = (name: string) =>
  ({ metadata: { name }, involvedObject: { kind: 'Pod', namespace: 'default', name: 'p' }, reason: 'R' }) as never;
const tell = (server: ApiServer, name: string) => server.client().create(coreEvent, happened(name), WHERE);
const names = async (server: ApiServer) => {
  const { items } = await server.client().list(coreEvent, WHERE);
  return items.map(({ metadata }) => metadata.name);
};
/** Waits for the work that a timer has started. */
const soon = () => new Promise((resolve) => setTimeout(resolve, 0));

async function serverAt(options: { readonly eventLifetime?: number; readonly saved?: string } = {}) {
  const clock = createFakeClock();
  const server = await openServer({ clock, ...options });
  const pass = async (milliseconds: number) => {
    clock.advance(milliseconds);
    await soon();
  };
  return { clock, server, pass, [Symbol.asyncDispose]: () => server.close() };
}

describe('events', () => {
  it('are deleted an hour after their last write, and other objects are kept', async () => {
    await using at = await serverAt();
    const { server, pass } = at;
    await server.client().create(configMap, { metadata: { name: 'kept' } }, WHERE);
    await tell(server, 'first');
    await pass(HOUR / 2);
    await tell(server, 'second');
    await tell(server, 'third');
    await server.client().delete(coreEvent, 'third', WHERE);
    expect(await names(server)).toEqual(['first', 'second']);
    await pass(HOUR / 2);
    expect(await names(server)).toEqual(['second']);
    await pass(HOUR / 2 - 1);
    await server.client().patch(coreEvent, 'second', { count: 2 } as never, WHERE);
    await pass(HOUR - 1);
    expect(await names(server)).toEqual(['second']);
    await pass(1);
    expect(await names(server)).toEqual([]);
    expect(await server.client().get(configMap, 'kept', WHERE)).toMatchObject({ metadata: { name: 'kept' } });
  });

  it('are reported as deleted by watches, with their last state and a version of their own', async () => {
    await using at = await serverAt({ eventLifetime: 1000 });
    const { server, pass } = at;
    const made = await tell(server, 'short');
    const { metadata } = await server.client().list(coreEvent, WHERE);
    const watch = server.client().watch(coreEvent, { ...WHERE, resourceVersion: metadata.resourceVersion ?? '' });
    await pass(1000);
    for await (const { type, object } of watch) {
      expect(type).toBe('DELETED');
      expect(object).toMatchObject({ reason: 'R', metadata: { uid: made.metadata.uid } });
      expect(object.metadata.resourceVersion).not.toBe(made.metadata.resourceVersion);
      break;
    }
  });

  it('are kept if the lifetime is infinite', async () => {
    await using at = await serverAt({ eventLifetime: 0 });
    await tell(at.server, 'lasting');
    await at.pass(100 * HOUR);
    expect(await names(at.server)).toEqual(['lasting']);
  });

  it('have the full lifetime again when a saved state is loaded', async () => {
    await using before = await serverAt();
    await tell(before.server, 'saved');
    await before.pass(HOUR - 1);
    await using after = await serverAt({ saved: await before.server.save() });
    await after.pass(HOUR - 1);
    expect(await names(after.server)).toEqual(['saved']);
    await after.pass(1);
    expect(await names(after.server)).toEqual([]);
  });

  it('leave no timer after the server has closed', async () => {
    const at = await serverAt();
    await tell(at.server, 'late');
    await at.server.close();
    const left = at.clock.pendingTimers;
    await at.pass(2 * HOUR);
    expect(at.clock.pendingTimers).toBeLessThanOrEqual(left);
  });
});
