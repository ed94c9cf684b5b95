import type { ApiServerOptions } from '../../src/api-server-options.js';
import { type Listener, listen } from '../../src/http/index.js';
import type { UserInfo } from '../../src/index.js';
import { startServer } from '../support/servers.js';

/** A response over the network. `value` is `{}` for a body that is not JSON. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server says
  readonly value: any;
  readonly message: string;
  readonly warnings: readonly string[];
}

export interface Asked {
  readonly body?: object | string;
  readonly type?: string;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

// biome-ignore lint/suspicious/noExplicitAny: objects of any kind
export type WatchEvent = { readonly type: string; readonly object: any };

/** A watch over the network. */
export interface WireWatch {
  /** Returns a number of further events. */
  take(count: number): Promise<readonly WatchEvent[]>;
  /** Returns events up to the first one that satisfies a condition. */
  until(wanted: (event: WatchEvent) => boolean): Promise<readonly WatchEvent[]>;
  close(): void;
}

const ADMINISTRATOR: UserInfo = { username: 'admin', groups: ['system:masters', 'system:authenticated'] };
const MERGE = 'application/merge-patch+json';
const warning = /299 \S+ "((?:[^"\\]|\\.)*)"/g;

/**
 * The complete server behind its HTTP adapter, with all default plug-ins and controllers. Requests are those of an administrator.
 * @param isDirect sends requests past the adapter, for tests with so many that connections would take most of their time.
 */
export async function startWorld({ isDirect = false, ...options }: ApiServerOptions & { isDirect?: boolean } = {}) {
  const server = await startServer({ dialect: 'k8s', ...options });
  let user = ADMINISTRATOR;
  const listener: Listener = await listen({ handle: (request) => server.handle(request, { user }) }, { tls: false });
  let names = 0;
  const ask = (url: string, init: RequestInit) =>
    isDirect ? server.fetch(new Request(url, init), { user }) : fetch(url, init);

  async function send(method: string, path: string, asked: Asked = {}): Promise<Answer> {
    const { body, type = 'application/json', accept = 'application/json', headers } = asked;
    const answer = await ask(`${listener.url}${path}`, {
      method,
      headers: { accept, ...(body === undefined ? {} : { 'content-type': type }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    const value = text.startsWith('{') ? JSON.parse(text) : {};
    const warnings = [...(answer.headers.get('warning') ?? '').matchAll(warning)].map(([, said = '']) =>
      said.replace(/\\(.)/g, '$1'),
    );
    return { status: answer.status, headers: answer.headers, text, value, message: value.message ?? text, warnings };
  }
  /** Returns the value of a response, which must be a success. */
  async function succeed(method: string, path: string, asked?: Asked) {
    const answer = await send(method, path, asked);
    if (answer.status > 299) throw new Error(`${method} ${path}: ${answer.status} ${answer.message}`);
    return answer.value;
  }

  const world = {
    server,
    listener,
    send,
    get: (path: string) => succeed('GET', path),
    post: (path: string, body: object) => succeed('POST', path, { body }),
    put: (path: string, body: object) => succeed('PUT', path, { body }),
    patch: (path: string, body: object, type = MERGE) => succeed('PATCH', path, { body, type }),
    apply: (path: string, body: object, manager: string, query = '') =>
      send('PATCH', `${path}?fieldManager=${manager}${query}`, { body, type: 'application/apply-patch+yaml' }),
    delete: (path: string, body?: object) => succeed('DELETE', path, body ? { body } : {}),
    /** Returns an unused name. */
    name: (stem: string) => `${stem}-${++names}`,
    /** Creates a namespace that is ready, and returns its path. */
    async namespace(labels: Readonly<Record<string, string>> = {}) {
      const name = world.name('e2e');
      await world.post('/api/v1/namespaces', { metadata: { name, labels } });
      await server.settle();
      return name;
    },
    async watch(path: string): Promise<WireWatch> {
      const stop = new AbortController();
      const answer = await fetch(`${listener.url}${path}`, { signal: stop.signal });
      if (!answer.ok || !answer.body) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = '';
      async function next(): Promise<WatchEvent> {
        for (;;) {
          const end = rest.indexOf('\n');
          if (end >= 0) {
            const line = rest.slice(0, end);
            rest = rest.slice(end + 1);
            return JSON.parse(line);
          }
          const { value, done } = await reader.read();
          if (done) throw new Error('the watch ended');
          rest += value;
        }
      }
      const until = async (wanted: (event: WatchEvent) => boolean) => {
        const events = [await next()];
        while (!wanted(events.at(-1) as WatchEvent)) events.push(await next());
        return events;
      };
      return {
        until,
        async take(count) {
          const events: WatchEvent[] = [];
          while (events.length < count) events.push(await next());
          return events;
        },
        close: () => stop.abort(),
      };
    },
    /** Sends all further requests as this user. */
    become: (another: UserInfo = ADMINISTRATOR) => void (user = another),
    async close() {
      await listener.close({ graceMilliseconds: 0 });
      await server.close();
    },
  };
  return world;
}
export type World = Awaited<ReturnType<typeof startWorld>>;

/** The complete server with every kind, for tests that send requests to each of them. Controllers run only when a test asks for it. */
export const startWorldOfEveryKind = () =>
  startWorld({
    isDirect: true,
    controllers: { mode: 'stepped' },
    runtimeConfig: { 'api/all': 'true' },
    featureGates: { DynamicResourceAllocation: true },
    admission: (plugins) => plugins.filter(({ name }) => name !== 'ServiceAccount'),
  });
