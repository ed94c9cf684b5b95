import { expect } from 'vitest';
import type { ApiServer } from '../../../src/api-server.js';
import type { UserInfo } from '../../../src/meta/user-info.js';
import { ask, type Question, send as sendRaw } from '../../support/ask.js';
import { collectGarbage } from '../../support/collect-garbage.js';
import { cpuTime } from '../../support/cpu-time.js';

/** Two sizes that one caller chooses, by earlier writes or by the request, and whose product the server has to go through. */
export interface Product {
  /** The two sizes, as `requirements of a selector x objects`. */
  readonly name: string;
  /** Two sizes whose product is measured, and measured again with both doubled. */
  readonly small: readonly [number, number];
  /** The largest sizes that are accepted, or larger ones where the product is refused. */
  readonly largest: readonly [number, number];
  /** What bounds the two sizes, or the product. */
  readonly bounds: string;
  /** The status that the largest pair gets. */
  readonly status: number;
  /** Options of the server; default: no controllers. */
  readonly options?: Record<string, unknown>;
  /** Writes what comes before, and returns the request that is measured. */
  readonly prepare: (client: Client, a: number, b: number) => Promise<Question & { readonly user?: UserInfo }>;
}

export type Client = ReturnType<typeof clientOf>;

const root: UserInfo = { username: 'root', groups: ['system:masters'] };
export const bob: UserInfo = { username: 'bob', groups: ['system:authenticated'] };

export const range = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));

/** Where the objects of {@link Client.define} are. */
const INSTANCES = '/apis/x.io/v1/namespaces/default/ws';

/** Sends requests as an administrator, unless a user is given. */
export function clientOf(server: ApiServer) {
  const send = ({ user = root, ...question }: Question & { readonly user?: UserInfo }) =>
    ask(server, question, { user });
  const closing: (() => void)[] = [];
  /** @throws Error unless the object is made */
  async function create(path: string, body: object): Promise<void> {
    const { status, text } = await send({ method: 'POST', path, body });
    if (status !== 201) throw new Error(`POST ${path}: ${text.slice(0, 300)}`);
  }
  return {
    send,
    create,
    instances: INSTANCES,
    /** Defines the kind W, whose spec has a schema. */
    async define(spec: object, version: object = {}): Promise<void> {
      const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
      await create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
        metadata: { name: 'ws.x.io' },
        spec: {
          group: 'x.io',
          names: { plural: 'ws', kind: 'W' },
          scope: 'Namespaced',
          versions: [{ name: 'v1', served: true, storage: true, schema, ...version }],
        },
      });
      await expect.poll(async () => (await send({ path: INSTANCES })).status).toBe(200);
    },
    /** Makes the object `w` of that kind. */
    instantiate: (spec: object) =>
      create(INSTANCES, { apiVersion: 'x.io/v1', kind: 'W', metadata: { name: 'w' }, spec }),
    /** Opens a watch that stays open until {@link close}. */
    async watch(question: Question): Promise<void> {
      const { body } = await sendRaw(server, question, { user: root });
      if (body.type === 'stream') closing.push(() => body.stream.close());
    },
    close(): void {
      for (const close of closing) close();
    },
  };
}

/** What a request costs in all, and in the longest turn of the event loop that it takes: milliseconds of processor time. */
export interface Cost {
  readonly status: number;
  readonly total: number;
  readonly longestTurn: number;
}

export async function costOf(client: Client, question: Question & { readonly user?: UserInfo }): Promise<Cost> {
  // What was prepared is garbage by now, and collecting it is not part of what the request costs.
  collectGarbage();
  let longestTurn = 0;
  let goesOn = true;
  let last = cpuTime();
  const begun = last;
  const tick = () => {
    const now = cpuTime();
    longestTurn = Math.max(longestTurn, now - last);
    last = now;
    if (goesOn) setImmediate(tick);
  };
  setImmediate(tick);
  const { status } = await client.send(question);
  const total = cpuTime() - begun;
  await new Promise((resolve) => setImmediate(resolve));
  goesOn = false;
  return { status, total, longestTurn: Math.max(longestTurn, 0) };
}

/** Milliseconds of processor time for which this machine writes and reads JSON as much as a fast one does in a second. */
export function yardstick(): number {
  const document = {
    items: range(2000, (i) => ({ name: `object-${i}`, labels: { app: 'a', tier: `t${i % 7}` }, size: i })),
  };
  JSON.parse(JSON.stringify(document));
  const before = cpuTime();
  for (let i = 0; i < ROUNDS_OF_A_SECOND / 10; i++) JSON.parse(JSON.stringify(document));
  return (cpuTime() - before) * 10;
}
const ROUNDS_OF_A_SECOND = 600;
