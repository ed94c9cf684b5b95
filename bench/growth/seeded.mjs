import { memory } from '../../dist/exports/storage.js';
import { ApiServer } from '../../dist/index.js';
import { request } from '../support/request.mjs';

/** Who asks over the bytes' way: a member of system:masters. */
export const admin = { username: 'bench', groups: ['system:masters', 'system:authenticated'] };
export const where = { namespace: 'default' };

/**
 * A started server into which objects can be put past the requests, so that a hundred thousand are there within a second.
 * @returns the server, a client of it, and `fill`, which stores copies of an object that a request made.
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
    /** Stores an object as it is. */
    put: (key, value) => storage.guaranteedUpdate(`/registry/${key}`, () => ({ action: 'put', value })),
    /**
     * Creates an object by a request and stores so many copies of it.
     * @param folder the first parts of the keys: `configmaps/default`
     * @param change gives a copy what it has for itself, beside its name and uid
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

/** Numbers below `count`, each as often, in an order in which neighbours are far from each other. */
export function scattered(count) {
  let i = 0;
  return () => (i = (i + 7_919) % count);
}

/** Asks for a path and takes the bytes of its answer, piece by piece, as a connection does. @returns the text, if it is asked for */
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
