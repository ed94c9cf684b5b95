import type { ControllerHold, Order, OrderRule, WatchHold, WatchMatcher } from '../../testing/index.js';
import { type KitAnswer, type KitRoutes, members, problem } from './kit-routes.js';

/** The body that creates a rule: the action for the events of some watches, or for the keys of some controllers. */
interface OrderSpec {
  /** Selects watches. A body has either this member or `controllers`. */
  readonly watches?: WatchMatcher;
  /** Selects controllers by name. */
  readonly controllers?: string | readonly string[];
  readonly action: { readonly type: 'hold' | 'shuffle' } | { readonly type: 'delay'; readonly milliseconds: number };
}

/** A rule in effect, with the body that created it. */
interface StoredOrder {
  readonly spec: OrderSpec;
  readonly rule: OrderRule | WatchHold | ControllerHold;
}

/** The maximum number of rules that exist at once. */
const MAX_ORDERS = 1000;
const TYPES = ['hold', 'delay', 'shuffle'];

/**
 * Serves the rules about the order in which watches receive events and controllers work. POST creates a rule, GET lists all or reads one
 * with the events or keys that it holds, and DELETE ends one or all. POST to `release` lets held events of a rule pass, POST to `step`
 * reconciles a held key, and POST to `seed` ends all rules and sets the seed of later shuffles.
 */
export function orderRoutes(order: Order): KitRoutes {
  const byId = new Map<string, StoredOrder>();
  let last = 0;

  function createOrder(body: unknown): KitAnswer {
    if (byId.size >= MAX_ORDERS)
      return problem(429, `there are already ${MAX_ORDERS} orders: remove them with DELETE /orders`);
    const spec = checkOrder(body);
    const selected = spec.watches ? order.watches(spec.watches) : order.controllers(spec.controllers);
    const { action } = spec;
    const rule = action.type === 'delay' ? selected.delay(action.milliseconds) : selected[action.type]();
    byId.set(String(++last), { spec, rule });
    return { status: 201, body: orderDocument(String(last), { spec, rule }) };
  }

  function clear(seed?: number): KitAnswer {
    order.clear(seed);
    byId.clear();
    return { status: 200, body: { orders: [] } };
  }

  function end(id: string, stored: StoredOrder): KitAnswer {
    stored.rule.end();
    byId.delete(id);
    return { status: 200, body: orderDocument(id, stored) };
  }

  async function releaseOrStep(what: string, { rule }: StoredOrder, body: unknown): Promise<KitAnswer | undefined> {
    if (what === 'release' && 'release' in rule) {
      const { events } = members(body, ['events']);
      // The cast is safe, because `release` validates its argument.
      const released = events === 'all' ? rule.releaseAll() : rule.release(events as number | undefined);
      return { status: 200, body: { released } };
    }
    if (what !== 'step' || !('step' in rule)) return undefined;
    const { key } = members(body, ['key']);
    if (key !== undefined && typeof key !== 'string') throw new TypeError('key must be a string');
    return { status: 200, body: { step: (await rule.step(key)) ?? null } };
  }

  return async (method, [id, what, ...more], body) => {
    if (more.length > 0) return undefined;
    if (id === undefined) {
      if (method === 'POST') return createOrder(body);
      if (method === 'DELETE') return clear();
      return method === 'GET'
        ? { status: 200, body: { orders: [...byId].map((entry) => orderDocument(...entry)) } }
        : undefined;
    }
    if (id === 'seed' && what === undefined)
      // The cast is safe, because `order.clear` validates its argument.
      return method === 'POST' ? clear(members(body, ['seed'])['seed'] as number) : undefined;
    const stored = byId.get(id);
    if (!stored) return problem(404, `there is no order ${id}`);
    if (what !== undefined) return method === 'POST' ? await releaseOrStep(what, stored, body) : undefined;
    if (method === 'DELETE') return end(id, stored);
    return method === 'GET' ? { status: 200, body: orderDocument(id, stored) } : undefined;
  };
}

const orderDocument = (id: string, { spec, rule }: StoredOrder) => ({
  id,
  ...spec,
  ...('waiting' in rule ? { waiting: rule.waiting() } : {}),
});

/** @throws TypeError for a body that is not a valid rule. The matcher, names and milliseconds are checked where they are used. */
function checkOrder(body: unknown): OrderSpec {
  const { watches, controllers, action } = members(body, ['watches', 'controllers', 'action']);
  if ((watches === undefined) === (controllers === undefined))
    throw new TypeError('an order must have either watches or controllers');
  const { type } = members(action, ['type', 'milliseconds']);
  if (typeof type !== 'string' || !TYPES.includes(type))
    throw new TypeError(`an order must have an action, one of ${TYPES.join(', ')}`);
  if (type !== 'delay') members(action, ['type']);
  return structuredClone(body) as OrderSpec; // The cast is safe, because the members have been checked.
}
