import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ApiServer } from '../../../src/api-server.js';
import type { Client } from '../../../src/client/client.js';
import { Informer } from '../../../src/client/informer/informer.js';
import { type ConfigMap, configMap, namespace } from '../../../src/resources/core/index.js';
import { type Faults, injectFaults, recordRequests } from '../../../src/testing/index.js';
import { openServer } from '../../support/servers.js';

export const where = { namespace: 'default' };
export const maps = { resource: 'configmaps', userAgent: 'informer' };

/** Records the calls of handlers as lines that a test can wait for. */
export class Calls {
  readonly lines: string[] = [];
  #wake = () => {};

  constructor(informer: Informer<ConfigMap>) {
    const text = ({ metadata, data }: ConfigMap) => `${metadata.name}=${data?.['n'] ?? ''}`;
    informer.addEventHandler({
      onAdd: (object, isInInitialList) => this.#add(`${isInInitialList ? 'initial' : 'add'} ${text(object)}`),
      onUpdate: (old, next) => this.#add(`update ${text(old)} ${text(next)}`),
      onDelete: (object, isFinalStateUnknown) =>
        this.#add(`delete ${text(object)}${isFinalStateUnknown ? ' unseen' : ''}`),
    });
  }

  /** Reads the lines up to a given one; the time limit of the test applies. */
  async upTo(line: string): Promise<string[]> {
    for (;;) {
      const at = this.lines.indexOf(line);
      if (at >= 0) return this.lines.splice(0, at + 1);
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  #add(line: string): void {
    this.lines.push(line);
    this.#wake();
  }
}

/** Describes what an informer does that connects to its server in some way. */
export function describeInformer(
  way: string,
  open: (server: ApiServer) => Promise<{ client: Client; close?: () => Promise<void> }>,
): void {
  describe(`an informer ${way}`, () => {
    let server: ApiServer;
    let faults: Faults;
    let test: Client;
    let close: (() => Promise<void>) | undefined;
    let informer: Informer<ConfigMap>;
    let calls: Calls;
    let errors: string[];

    const create = (name: string, n = '1') => test.create(configMap, { metadata: { name }, data: { n } }, where);
    const change = (name: string, n: string) => test.patch(configMap, name, { data: { n } }, where);
    const remove = (name: string) => test.delete(configMap, name, where);

    beforeEach(async () => {
      server = await openServer();
      faults = injectFaults(server);
      test = faults.observer();
      await test.create(namespace, { metadata: { name: 'default' } }).catch(() => {});
      const way = await open(server);
      close = way.close;
      errors = [];
      informer = new Informer(way.client, configMap, {
        ...where,
        indexers: { byN: ({ data }) => Object.values(data ?? {}) },
        onError: (error) => errors.push(String(error)),
      });
      calls = new Calls(informer);
    });
    afterEach(async () => {
      informer.close();
      await close?.();
      await server.close();
      faults.verify();
    });

    it('lists, then follows changes, and has the objects in its cache', async () => {
      await create('a');
      await create('b', '2');
      expect(informer.hasSynced).toBe(false);
      await informer.start().synced();
      expect(informer.hasSynced).toBe(true);
      expect(calls.lines.splice(0)).toEqual(['initial a=1', 'initial b=2']);

      await create('c', '2');
      await change('a', '2');
      expect(await calls.upTo('update a=1 a=2')).toEqual(['add c=2', 'update a=1 a=2']);
      const names = (objects: readonly ConfigMap[]) => objects.map(({ metadata }) => metadata.name).sort();
      expect(names(informer.list())).toEqual(['a', 'b', 'c']);
      expect(names(informer.list({ namespace: 'default' }))).toEqual(['a', 'b', 'c']);
      expect(informer.list({ namespace: 'other' })).toEqual([]);
      expect(names(informer.byIndex('byN', '2'))).toEqual(['a', 'b', 'c']);
      expect(informer.byIndex('byN', '1')).toEqual([]);
      expect(() => informer.byIndex('byM', '1')).toThrow('no index "byM"');
      expect(informer.get('a')).toBe(informer.getByKey('default/a'));
      expect(Object.isFrozen(informer.get('a')?.data)).toBe(true);

      await remove('b');
      expect(await calls.upTo('delete b=2')).toEqual(['delete b=2']);
      expect(informer.get('b')).toBeUndefined();
      expect(names(informer.byIndex('byN', '2'))).toEqual(['a', 'c']);
      expect(errors).toEqual([]);
    });

    it('calls a handler that is added later for the cached objects, and does not call a removed one', async () => {
      await create('a');
      await informer.start().synced();
      const later: string[] = [];
      const stop = informer.addEventHandler({
        onAdd: ({ metadata }, initial) => later.push(`${metadata.name} ${initial}`),
      });
      expect(later).toEqual(['a true']);
      await create('b');
      await calls.upTo('add b=1');
      expect(later).toEqual(['a true', 'b false']);
      stop();
      await create('c');
      await calls.upTo('add c=1');
      expect(later).toHaveLength(2);
    });

    it('continues after a lost watch', async () => {
      await create('a');
      await informer.start().synced();
      await create('b');
      await calls.upTo('add b=1');
      const refused = faults.on({ ...maps, verb: 'list' }, { optional: true }).refuse();
      faults.on({ ...maps, verb: 'watch' }).endWatch('lost');
      await remove('a');
      await create('c');
      expect(await calls.upTo('add c=1')).toEqual(['delete a=1', 'add c=1']);
      expect(refused.fired).toBe(0); // The informer did not need another list.
    });

    it('lists again when its version has expired, and reports the deletions that it missed', async () => {
      for (const name of ['a', 'b', 'c', 'd']) await create(name);
      await informer.start().synced();
      calls.lines.length = 0;
      const held = faults.on({ ...maps, verb: 'list' }).hold();
      await opened();
      faults.on({ ...maps, verb: 'watch' }).endWatch('expired');
      await held.arrived({ timeout: 60_000 });
      await remove('a');
      await change('b', '2');
      await remove('c');
      await create('c', '3');
      await create('e');
      held.end();
      const seen = await calls.upTo('add e=1');
      expect(seen).toEqual(['delete a=1 unseen', 'update b=1 b=2', 'delete c=1 unseen', 'add c=3', 'add e=1']);
      expect(informer.get('a')).toBeUndefined();
      expect(informer.list()).toHaveLength(4);
      expect(errors).toEqual([]);
    });

    it('never goes back to the older state of a server that is behind', async () => {
      await create('a');
      await informer.start().synced();
      await change('a', '2');
      await calls.upTo('update a=1 a=2');
      const { metadata } = await create('late');
      await calls.upTo('add late=1');
      const before = String(Number(metadata.resourceVersion) - 2);
      const requests = recordRequests(server);
      const stale = faults.on(maps, { times: 'always' }).stale({ resourceVersion: before });
      faults.on({ ...maps, verb: 'watch' }).endWatch('expired');
      const list = faults.on({ ...maps, verb: 'list' }).delay(0);
      while (list.fired === 0) await new Promise((resolve) => setImmediate(resolve));
      stale.end();
      await change('a', '3');
      expect(await calls.upTo('update a=2 a=3')).toEqual(['update a=2 a=3']);
      expect(informer.get('late')).toBeDefined();
      const lists = [...requests].filter(({ verb, userAgent }) => verb === 'list' && userAgent.startsWith('informer'));
      expect(lists[0]?.query).toContain('resourceVersionMatch=NotOlderThan');
    });

    it('retries a list that is refused, and reports what it waits for', async () => {
      await create('a');
      faults.on({ ...maps, verb: 'list' }).answer(403);
      await informer.start().synced();
      expect(errors).toHaveLength(1);
      expect(errors[0]).toContain('forbidden');
      expect(informer.lastError).toBeUndefined();
      expect(calls.lines).toEqual(['initial a=1']);
    });

    it('follows a server that was restored to an earlier state', async () => {
      await create('a');
      const before = server.snapshot();
      await create('b');
      await informer.start().synced();
      await opened();
      await server.restore(before);
      await calls.upTo('delete b=1 unseen');
      await create('c');
      expect((await calls.upTo('add c=1')).at(-1)).toBe('add c=1');
    });

    /** Resolves when the watch of the informer is open, which shows by a change that it receives. */
    async function opened(): Promise<void> {
      await create('open');
      await calls.upTo('add open=1');
      await remove('open');
      await calls.upTo('delete open=1');
    }
  });
}
