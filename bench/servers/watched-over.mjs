// ApiServers behind HTTPS with different metrics and audit, all in one process, because two equal processes differ by a tenth.

import { readdir, readFile } from 'node:fs/promises';
import { devNull } from 'node:os';
import { listen } from '../../dist/http/index.js';
import { ApiServer, configMap as kind } from '../../dist/index.js';
import { configMap } from '../objects.mjs';
import { accessTo } from './access.mjs';
import { processorTime, serveParent } from './process.mjs';

const OBJECTS = 16;
const audit = async () => ({ policy: { rules: [{ level: 'Metadata' }] }, sinks: [await programsLog()] });
const servers = {
  plain: await serve({ metrics: false }),
  metrics: await serve({ metrics: true }),
  audit: await serve({ metrics: false, audit: await audit() }),
  both: await serve({ metrics: true, audit: await audit() }),
};
serveParent(servers, { processorTime: () => processorTime() });

/** Starts a server. Returns what a client needs to connect. */
async function serve(options) {
  const server = new ApiServer(options);
  await server.start();
  const client = server.client();
  for (let i = 0; i < OBJECTS; i++) await client.create(kind, configMap(`c-${i}`, 'default', i));
  return await accessTo(await listen(server));
}

/** Creates the sink of `--audit-log-path` from the built chunk that only the program loads. It writes to the null device, not to a disk. */
async function programsLog() {
  const dist = new URL('../../dist/', import.meta.url);
  const names = (await readdir(dist)).filter((name) => name.endsWith('.js'));
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, dist), 'utf8')));
  const found = names.flatMap((name, i) => {
    if (!/function logSink\b/.test(texts[i])) return [];
    const [, list = ''] = /export\s*\{([^}]*)\}/.exec(texts[i]) ?? [];
    const exported = list.split(',').find((each) => each.split(' as ')[0].trim() === 'logSink');
    return [{ name, exported: exported?.split(' as ').at(-1).trim() }];
  });
  const [{ name, exported } = {}, ...others] = found;
  if (!exported || others.length > 0) throw new Error('dist is not of one build: npm run build');
  const { [exported]: logSink } = await import(new URL(name, dist));
  // The null device cannot be rotated, so the maximum size is infinite.
  return await logSink(devNull, { 'audit-log-maxsize': Number.MAX_SAFE_INTEGER }, undefined, console.error);
}
