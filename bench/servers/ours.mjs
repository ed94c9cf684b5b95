// An ApiServer behind HTTPS, as a user would start it.

import { listen } from '../../dist/http/index.js';
import { ApiServer, configMap as kind } from '../../dist/index.js';
import { configMap } from '../objects.mjs';
import { accessTo } from './access.mjs';
import { makeCaller } from './caller.mjs';
import { pause, processorTime, serveParent } from './process.mjs';

const objects = Number(process.argv[2] ?? 1);
const server = new ApiServer({ metrics: false });
await server.start();
const client = server.client();
for (let i = 0; i < objects; i++) await client.create(kind, configMap(`c-${i}`, 'default', i));
const listener = await listen(server);

let churning;
serveParent(await accessTo(listener), {
  processorTime: () => processorTime(),
  caller: () => makeCaller(server),
  /** Returns the resident bytes of the process with a collected heap. */
  resident() {
    for (let i = 0; i < 3; i++) globalThis.gc();
    return process.memoryUsage().rss;
  },
  /** Changes an object every few milliseconds until it is stopped, and once before it returns, so that sizes stay. */
  async churn({ on }) {
    clearInterval(churning);
    let number = 0;
    const change = () =>
      client.update(kind, 'c-0', (draft) => void (draft.data.a = `${number++ % 10}${draft.data.a.slice(1)}`), {
        namespace: 'default',
      });
    await change();
    if (on) churning = setInterval(change, 5);
    return 'ready';
  },
  /** Changes one object repeatedly, with a pause after each or after `together` changes. Returns the total processor time. */
  async change({ times, together = 1 }) {
    const before = processorTime();
    for (let i = 0; i < times; i++) {
      await client.update(
        kind,
        'c-0',
        (draft) => {
          draft.data.count = String(i);
        },
        { namespace: 'default' },
      );
      if ((i + 1) % together === 0) await pause();
    }
    return processorTime() - before;
  },
});
