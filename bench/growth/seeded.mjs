import { memory } from '../../dist/exports/storage.js';
import { ApiServer } from '../../dist/index.js';
import { request } from '../support/request.mjs';

/** The user of the requests as bytes: a member of system:masters. */
export const admin = { username: 'bench', groups: ['system:masters', 'system:authenticated'] };
export const where = { namespace: 'default' };

/**
 * Starts a server into which objects can be stored without requests, so that a hundred thousand take less than a second.
 * @returns the server, a client of it, and `fill`, which stores copies of an object that a request created.
 */
export async function seededServer(options = {}) {
  let storage;
  const server = new ApiServer({
    dialect: 'k8s',
    ...options,
    storage: (wiring) => (storage = memory()(wiring)),
  });
  await server.start();
  await server.settle();
  const client = server.client();
  return {
    server,
    storage,
    client,
    /** Stores an object unchanged. */
    put: (key, value) => storage.guaranteedUpdate(`/registry/${key}`, () => ({ action: 'put', value })),
    /**
     * Creates an object by a request and stores copies of it.
     * @param folder the beginning of the keys: `configmaps/default`
     * @param change changes a copy, in addition to its name and uid
     */
    async fill(kind, folder, first, count, change = () => {}, mark = '') {
      if (mark) await client.delete(kind, first.metadata.name, where).catch(() => {});
      const made = await client.create(kind, first);
      const text = JSON.stringify(made);
      for (let i = 1; i < count; i++) {
        const copy = JSON.parse(text);
        copy.metadata.name = nameOf(first.metadata.name, i);
        copy.metadata.uid = `${made.metadata.uid.slice(0, -8)}${i.toString(16).padStart(8, '0')}`;
        if (mark) copy.metadata.annotations = { mark };
        change(copy, i);
        await storage.guaranteedUpdate(`/registry/${folder}/${copy.metadata.name}`, () => ({
          action: 'put',
          value: copy,
        }));
      }
      await server.settle();
      return made;
    },
    close: () => server.close(),
  };
}

export const nameOf = (first, i) => (i === 0 ? first : `${first}-${i}`);

/** Returns the numbers below `count`, equally often, in an order in which neighbors are far from each other. */
export function scattered(count) {
  let i = 0;
  return () => (i = (i + 7_919) % count);
}

/** Requests a path and reads the bytes of the response chunk by chunk, as a connection does. @returns the text, if requested */
export async function read(server, path, keep = false) {
  const [name, query = ''] = path.split('?');
  const { status, body } = await server.handle({ ...request(name), query }, { user: admin });
  if (status !== 200) throw new Error(`${path}: answered with ${status}`);
  const decoder = new TextDecoder();
  let text = '';
  const take = (chunks) => {
    if (keep) for (const chunk of chunks) text += decoder.decode(chunk, { stream: true });
  };
  if (body.type === 'bytes') take(body.chunks);
  else while (!body.stream.ended) take(body.stream.take());
  return text;
}
