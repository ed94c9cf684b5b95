// An ApiServer behind HTTPS, as a user would start it.

import { readdir, readFile } from 'node:fs/promises';
import { devNull } from 'node:os';
import { listen } from '../../dist/http/index.js';
import { ApiServer, configMap as kind } from '../../dist/index.js';
import { configMap } from '../objects.mjs';
import { makeCaller } from './caller.mjs';
import { pause, processorTime, serveParent } from './process.mjs';

const objects = Number(process.argv[2] ?? 1);
const server = new ApiServer(await watchedOver(process.argv[3]));
await server.start();
const client = server.client();
for (let i = 0; i < objects; i++) await client.create(kind, configMap(`c-${i}`, 'default', i));
const listener = await listen(server);

// The rest is told with the certificates, so that clients and the bare server can use the same.
const kubeconfig = await listener.kubeconfig();
const field = (name) => Buffer.from(new RegExp(`${name}: (\\S+)`).exec(kubeconfig)[1], 'base64').toString();

let churning;
serveParent(
  {
    port: listener.port,
    ca: listener.certificateAuthority,
    cert: field('client-certificate-data'),
    key: field('client-key-data'),
  },
  {
    processorTime: () => processorTime(),
    caller: () => makeCaller(server),
    /** Changes an object every few milliseconds, until told to stop; once before it answers, so that sizes stay. */
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
    /** Changes one object so many times, with a pause between, and tells the processor time of it all. */
    async change({ times }) {
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
        await pause();
      }
      return processorTime() - before;
    },
  },
);

/** With metrics, a log of who did what, or both. The log is the program's own; its lines go nowhere, so that no disk is measured. */
async function watchedOver(by) {
  const both = by === 'watched-over';
  const log = both || by === 'audit' ? await programsLog() : undefined;
  return {
    metrics: both || by === 'metrics',
    ...(log && { audit: { policy: { rules: [{ level: 'Metadata' }] }, sinks: [log] } }),
  };
}

/** What `--audit-log-path` makes: a piece of the build that only the program loads. */
async function programsLog() {
  const dist = new URL('../../dist/', import.meta.url);
  const names = (await readdir(dist)).filter((name) => name.endsWith('.js'));
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, dist), 'utf8')));
  const [file, ...others] = names.filter((_, i) => /export\s*\{\s*logSink\s*\}/.test(texts[i]));
  if (!file || others.length > 0) throw new Error('dist is not of one build: npm run build');
  const { logSink } = await import(new URL(file, dist));
  // No number of lines makes the device full, which is not to be renamed.
  return await logSink(devNull, { 'audit-log-maxsize': Number.MAX_SAFE_INTEGER }, undefined, console.error);
}
