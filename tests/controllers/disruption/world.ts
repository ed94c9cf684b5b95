import { coreEvent, podDisruptionBudget } from '../../../src/exports/kinds.js';
import { ApiServer, type ApiServerOptions, type ControllerOptions, pod } from '../../../src/index.js';
import type { OwnerReference } from '../../../src/meta/object-meta.js';
import type { Pod } from '../../../src/resources/core/pod/pod.js';
import type { PodDisruptionBudget } from '../../../src/resources/policy/policy-v1.types.js';
import { createFakeClock } from '../../../src/testing/fake-clock.js';
import { ask } from '../../support/ask.js';

export const where = { namespace: 'default' };
export const MINUTE = 60_000;
const ADMIN = { username: 'admin', groups: ['system:masters'] };
export const WEB = { app: 'web' };

export interface PodOptions {
  readonly labels?: Readonly<Record<string, string>>;
  readonly owner?: Omit<OwnerReference, 'controller'>;
  /** Default true. */
  readonly ready?: boolean;
}

/** A server whose controllers and clock only advance when a test says so. @param saved the state that another server saved */
export async function openWorld(
  { controllers = {}, ...options }: ApiServerOptions & { readonly controllers?: ControllerOptions } = {},
  saved?: string,
) {
  const clock = createFakeClock('2030-01-01T00:00:00Z');
  const server = new ApiServer({ clock, controllers: { mode: 'stepped', ...controllers }, ...options });
  if (saved !== undefined) await server.load(saved);
  await server.start();
  const client = server.client();
  const later = async (milliseconds: number) => {
    clock.advance(milliseconds);
    await server.settle();
  };
  const budget = (name = 'b') => client.get(podDisruptionBudget, name, where);
  return {
    clock,
    server,
    client,
    later,
    budget,
    /** Returns the status of a budget once no work is left. */
    async status(name?: string): Promise<PodDisruptionBudget['status']> {
      await server.settle();
      return (await budget(name)).status;
    },
    makeBudget: (spec: Partial<PodDisruptionBudget['spec']>, name = 'b') =>
      client.create(
        podDisruptionBudget,
        { metadata: { name }, spec: { selector: { matchLabels: WEB }, ...spec } },
        where,
      ),
    /** Creates a running pod on a node. */
    async makePod(name: string, { labels = WEB, owner, ready = true }: PodOptions = {}): Promise<Pod> {
      const ownerReferences = owner ? [{ ...owner, controller: true }] : [];
      const spec = { nodeName: 'n1', containers: [{ name: 'c', image: 'i' }] };
      await client.create(pod, { metadata: { name, labels, ownerReferences }, spec }, where);
      return client.patch(
        pod,
        name,
        { status: { phase: 'Running', conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] } },
        { ...where, subresource: 'status' },
      );
    },
    evict(name: string, deleteOptions: object = { gracePeriodSeconds: 0 }) {
      const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name }, deleteOptions };
      const path = `/api/v1/namespaces/default/pods/${name}/eviction`;
      return ask(server, { method: 'POST', path, body: eviction }, { user: ADMIN });
    },
    /** Returns the events: type, kind, name, reason, count and message. */
    async events(): Promise<string[]> {
      const { items } = await client.list(coreEvent, where);
      return items.map(
        ({ type, involvedObject: { kind, name }, reason, count, message }) =>
          `${type} ${kind} ${name} ${reason} ${count}: ${message}`,
      );
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
}
export type World = Awaited<ReturnType<typeof openWorld>>;
