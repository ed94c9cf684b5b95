import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type ApiServer, configMap } from '../../../src/index.js';
import { advance } from '../../../src/testing/advance.js';
import { insecureDeterministic } from '../../../src/testing/insecure-deterministic.js';
import { controlOrder } from '../../../src/testing/order/order.js';
import type { OrderRule, WatchHold } from '../../../src/testing/order/watch-order.js';
import { send } from '../../support/ask.js';
import { longProperty, propertyRuns } from '../../support/property-runs.js';
import { startServer } from '../../support/servers.js';

const where = { namespace: 'default' };
const admin = { username: 'admin', groups: ['system:masters'] };
const END = 'the-end';

const step = fc.record({
  action: fc.constantFrom('write', 'open', 'hold', 'delay', 'shuffle', 'endRule', 'release', 'advance', 'settle'),
  agent: fc.constantFrom('one', 'other'),
  value: fc.nat(20),
});
const weighted = fc.array(
  fc.oneof(
    step,
    step.map((each) => ({ ...each, action: 'write' as const })),
  ),
  {
    minLength: 20,
    maxLength: 60,
    size: 'max',
  },
);

/** A client that follows ConfigMaps from a version on, in one of three ways. */
interface Follower {
  readonly since: number;
  readonly seen: string[];
  close(): void;
}

interface SentEvent {
  readonly type: string;
  readonly object: {
    readonly kind?: string;
    readonly metadata: { readonly name?: string; readonly resourceVersion?: string };
    readonly rows?: readonly { readonly object: SentEvent['object'] }[];
  };
}

/** Returns the type, the name and the version of an event; of the row if the event contains a Table. */
function textOf({ type, object }: SentEvent): string {
  const { name, resourceVersion } = (object.rows?.[0]?.object ?? object).metadata;
  return `${type} ${name} ${resourceVersion}`;
}

async function follow(server: ApiServer, userAgent: string, kind: number): Promise<Follower> {
  const since = server.snapshot().revision;
  const seen: string[] = [];
  if (kind % 2 === 0) {
    const client = server.client({ userAgent, user: admin });
    const watch = await client.watch(configMap, { ...where, resourceVersion: String(since) }).opened();
    const following = async () => {
      for await (const event of watch) {
        if (kind % 4 === 0) await new Promise((resolve) => setTimeout(resolve, kind % 3));
        seen.push(textOf(event as SentEvent));
      }
    };
    following().catch((error: unknown) => seen.push(String(error)));
    return { since, seen, close: () => watch.close() };
  }
  const accept = kind % 4 === 1 ? 'application/json' : 'application/json;as=Table;g=meta.k8s.io;v=v1';
  const query = `watch=1&resourceVersion=${since}`;
  const path = '/api/v1/namespaces/default/configmaps';
  const { body } = await send(server, { path, query, headers: { accept, 'user-agent': userAgent } }, { user: admin });
  if (body.type !== 'stream') throw new Error('the watch was refused');
  const { stream } = body;
  const read = () => {
    for (let chunks = stream.take(); chunks.length > 0; chunks = stream.take())
      for (const line of Buffer.concat(chunks).toString().split('\n'))
        if (line !== '') seen.push(textOf(JSON.parse(line) as SentEvent));
  };
  stream.onReadable = read;
  read();
  return { since, seen, close: () => stream.close() };
}

it('changes when a watcher receives events, but not which and in which order', longProperty(), async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 1000 }), weighted, async (seed, steps) => {
      await using server = await startServer({ dialect: 'k8s', ...insecureDeterministic({ seed }) });
      const all: string[] = [];
      const undisturbed = await server.client().watch(configMap, where).opened();
      const following = (async () => {
        for await (const event of undisturbed) all.push(textOf(event as SentEvent));
      })();
      const order = controlOrder(server, { seed });
      const followers: Follower[] = [];
      const rules: (OrderRule & Partial<WatchHold>)[] = [];
      const client = server.client();
      const actions = {
        write: (_: string, value: number) => {
          const metadata = { name: `map-${value % 3}` };
          if (value < 5) return client.delete(configMap, metadata.name, where);
          if (value < 10) return client.create(configMap, { metadata }, where);
          return client.patch(configMap, metadata.name, { data: { value: String(value) } }, where);
        },
        open: async (agent: string, value: number) => followers.push(await follow(server, agent, value)),
        hold: (userAgent: string) => rules.push(order.watches({ userAgent }).hold()),
        delay: (userAgent: string, value: number) => rules.push(order.watches({ userAgent }).delay(value * 20)),
        shuffle: (userAgent: string) => rules.push(order.watches({ userAgent }).shuffle()),
        endRule: (_: string, value: number) => rules.splice(value % (rules.length || 1), 1)[0]?.end(),
        release: (_: string, value: number) => rules.map((rule) => rule.release?.(1 + (value % 3))),
        advance: (_: string, value: number) => advance(server, value * 10),
        settle: () => server.settle(),
      };
      for (const { action, agent, value } of steps)
        await Promise.resolve(actions[action](agent, value)).catch(() => undefined);
      order.end();
      await client.create(configMap, { metadata: { name: END } }, where);
      const isOver = ({ seen }: { seen: readonly string[] }) => seen.some((text) => text.includes(END));
      await expect.poll(() => [{ seen: all }, ...followers].every(isOver), { interval: 5 }).toBe(true);
      for (const { since, seen } of followers)
        expect(seen).toEqual(all.filter((text) => Number(text.split(' ')[2]) > since));
      for (const each of [undisturbed, ...followers]) each.close();
      await following;
    }),
    { numRuns: propertyRuns(30), endOnFailure: true },
  );
});
