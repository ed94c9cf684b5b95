import { describe, expect, it } from 'vitest';
import type { AdmissionPluginFactory } from '../../../src/exports/admission.js';
import type { ControllerDefinition } from '../../../src/exports/controllers.js';
import { ApiServer, type Client, configMap } from '../../../src/index.js';
import { assertDeterministic, NotDeterministicError, type Replay } from '../../../src/testing/index.js';

const where = { namespace: 'default' };
const create = (client: Client, name: string) => client.create(configMap, { metadata: { name } }, where);

/** A plug-in that labels ConfigMaps with the value that the function returns. */
const labelling =
  (value: () => string): AdmissionPluginFactory =>
  () => ({
    name: 'Labelling',
    handles: ({ resource }) => resource.resource === 'configmaps',
    admit({ object, user }) {
      if (!object || user.username !== 'jane') return object;
      return { ...object, metadata: { ...object.metadata, labels: { drawn: value() } } };
    },
  });

/** A controller that writes the value that the function returns. */
const writing = (value: () => string): ControllerDefinition => ({
  name: 'writing',
  follow: ({ host, queue }) =>
    host.lister('', 'configmaps').onChange((next) => {
      if (next?.metadata.name === 'a') queue.add('a');
    }),
  async reconcile(_key, { client }) {
    await client.apply(configMap, { metadata: { name: 'written' }, data: { value: value() } }, where);
  },
});

/** A workload: three requests of jane, and the work of the controllers. */
const workload =
  (options: Partial<ConstructorParameters<typeof ApiServer>[0]> = {}) =>
  async ({ follow, options: deterministic }: Replay) => {
    const server = follow(new ApiServer({ dialect: 'k8s', ...deterministic, ...options }));
    await server.start();
    const client = server.client({ user: { username: 'jane', groups: ['system:masters'] }, userAgent: 'shop' });
    const watch = await client.watch(configMap, where).opened();
    void (async () => {
      for await (const _ of watch);
    })();
    for (const name of ['a', 'b', 'c']) await create(client, name);
    await server.settle();
    watch.close();
  };

const refusal = async (...call: Parameters<typeof assertDeterministic>) =>
  await assertDeterministic(...call).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof NotDeterministicError) return error;
      throw error;
    },
  );

describe('assertDeterministic', () => {
  it('accepts a deterministic workload, and returns the same hash for the same seed', async () => {
    const one = await assertDeterministic(workload(), { seed: 7 });
    expect(one).toEqual({ hash: expect.stringMatching(/^[0-9a-f]{64}$/), entries: expect.any(Number) });
    expect(one.entries).toBeGreaterThan(10);
    expect(await assertDeterministic(workload(), { seed: 7, replays: 2 })).toEqual(one);
    expect((await assertDeterministic(workload(), { seed: 8, replays: 2 })).hash).not.toBe(one.hash);
  });

  it('reports randomness in an admission plug-in, with the request and the source line', async () => {
    const plugin = labelling(() => String(Math.random()));
    const error = await refusal(workload({ admission: (defaults) => [...defaults, plugin] }));
    expect(error?.message).toMatch(
      /^replay 2 of seed 1 differs from the first: request \d+, create \/api\/v1\/namespaces\/default\/configmaps by jane \(shop\): the texts differ at byte \d+\n {2}first: .*"drawn\\?":\\?"0\..*\n {2}other: .*"drawn\\?":\\?"0\./,
    );
    const { offset = 0, texts = ['', ''] } = error?.difference ?? {};
    expect(texts[0].slice(0, offset)).toBe(texts[1].slice(0, offset));
    expect(texts[0][offset]).not.toBe(texts[1][offset]);
  });

  it('reports a controller that reads the clock of the machine', async () => {
    const mine = writing(() => String(performance.now()));
    const definitions = (defaults: readonly ControllerDefinition[]) => [...defaults, mine];
    const error = await refusal(workload({ controllers: { definitions, mode: 'stepped' } }));
    expect(error?.difference?.place).toMatch(
      /^request \d+, patch \/api\/v1\/namespaces\/default\/configmaps\/written by system:serviceaccount:kube-system:writing/,
    );
  });

  it('reports other requests, events, stored objects and logs', async () => {
    const places: string[] = [];
    let run = 0;
    const differing = async (act: (replay: Replay, server: ApiServer, run: number) => Promise<unknown>) => {
      const error = await refusal(
        async (replay) => {
          run++;
          const server = replay.follow(new ApiServer({ dialect: 'k8s', ...replay.options }));
          await server.start();
          await act(replay, server, run);
        },
        { replays: 2 },
      );
      places.push(
        error?.message
          .split('\n')[0]
          ?.replace(/^.*first: /, '')
          .replace(/ \d+/g, ' n') ?? 'none',
      );
    };
    await differing(async (_, server, number) => await create(server.client(), number % 2 ? 'a' : 'b'));
    await differing(async (_, server, number) => {
      if (number % 2) await create(server.client(), 'a');
    });
    await differing(async (_, server, number) => {
      if (number % 2) await server.client().list(configMap, where);
      else await server.client().get(configMap, 'kube-root-ca.crt', where);
    });
    await differing(async ({ record }, _, number) => {
      record('bytes', Uint8Array.of(1, 0xff, number));
      record('a text', 'x');
      record('a value', { number });
    });
    await differing(async ({ record }) => record('nothing', undefined));
    await differing(async ({ options }) => options.random.fill(new Uint8Array(1)));
    expect(places).toEqual([
      'request n, create /api/v1/namespaces/default/configmaps by system:apiserver (client): the texts differ at byte n',
      'request n: it is "create /api/v1/namespaces/default/configmaps by system:apiserver (client)" in the first, and "nothing" in the other',
      'request n: it is "list /api/v1/namespaces/default/configmaps by system:apiserver (client)" in the first, and "get /api/v1/namespaces/default/configmaps/kube-root-ca.crt by system:apiserver (client)" in the other',
      'record n, bytes: the texts differ at byte n',
      'none',
      'none',
    ]);
  });

  it('reports a replay that fails, and throws the error of the first run', async () => {
    let run = 0;
    const failing = async () => {
      if (++run === 2) throw new Error('it fails');
    };
    const error = await refusal(failing);
    expect(error?.message).toBe('replay 2 of seed 1 differs from the first: it fails: it fails');
    expect(error?.cause).toMatchObject({ message: 'it fails' });
    const broken = async () => {
      throw new TypeError('it never works');
    };
    await expect(assertDeterministic(broken)).rejects.toThrow(TypeError);
    for (const replays of [1, 2.5]) await expect(assertDeterministic(failing, { replays })).rejects.toThrow(TypeError);
  });
});
