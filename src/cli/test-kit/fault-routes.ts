import type { Fault, Faults } from '../../testing/index.js';
import { messageOf } from '../../values/message-of.js';
import { type KitAnswer, type KitRoutes, problem } from './kit-routes.js';

/**
 * The maximum number of faults that exist at once. The number is limited because each fault is kept until it is deleted, so that it can be
 * verified.
 */
const MAX_FAULTS = 1000;

/**
 * Serves the faults that are injected into a server. POST adds a fault, GET lists all or reads one, DELETE ends one or all, and POST to
 * `verify` reports those that never took effect.
 */
export function faultRoutes(faults: Faults): KitRoutes {
  const byId = new Map<string, Fault>();
  let last = 0;

  function add(body: unknown): KitAnswer {
    if (byId.size >= MAX_FAULTS)
      return problem(429, `there are already ${MAX_FAULTS} faults: remove them with DELETE /faults`);
    const fault = faults.add(body as Parameters<Faults['add']>[0]); // `faults.add` validates the body, so the cast is safe.
    byId.set(String(++last), fault);
    return { status: 201, body: faultDocument(String(last), fault) };
  }

  function verify(): KitAnswer {
    try {
      faults.verify();
      return { status: 200, body: { verified: true } };
    } catch (error) {
      return { status: 200, body: { verified: false, message: messageOf(error) } };
    }
  }

  return (method, [id, ...more], body) => {
    if (more.length > 0) return undefined;
    if (id === undefined) {
      if (method === 'POST') return add(body);
      if (method === 'GET')
        return { status: 200, body: { faults: [...byId].map(([key, fault]) => faultDocument(key, fault)) } };
      if (method !== 'DELETE') return undefined;
      faults.clear();
      byId.clear();
      return { status: 200, body: { faults: [] } };
    }
    if (id === 'verify') return method === 'POST' ? verify() : undefined;
    const fault = byId.get(id);
    if (!fault) return problem(404, `there is no fault ${id}`);
    if (method === 'DELETE') fault.end();
    return method === 'DELETE' || method === 'GET' ? { status: 200, body: faultDocument(id, fault) } : undefined;
  };
}

const faultDocument = (id: string, { spec, fired }: Fault) => ({ id, fired, ...spec });
