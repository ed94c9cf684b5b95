// The program with its default flags, in a process that can be asked for its processor time.

import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processorTime, serveParent } from './process.mjs';

const LONGEST_START = 30_000;
const port = await freePort();
const kubeconfig = join(mkdtempSync(join(tmpdir(), 'bench-program-')), 'kubeconfig');
process.argv = [
  process.argv[0],
  'orch-apiserver',
  '--dialect=k8s',
  `--secure-port=${port}`,
  `--write-kubeconfig=${kubeconfig}`,
];
process.stdout.write = () => true;
const ended = import('../../dist/cli/main.js'); // resolves when the program ends
ended.catch((error) => {
  throw error;
});
for (let waited = 0; !existsSync(kubeconfig); waited += 20) {
  if (waited > LONGEST_START) throw new Error('the program does not start');
  await sleep(20);
}
const text = readFileSync(kubeconfig, 'utf8');
const field = (name) => Buffer.from(new RegExp(`${name}: (\\S+)`).exec(text)[1], 'base64').toString();
serveParent(
  {
    port,
    ca: field('certificate-authority-data'),
    cert: field('client-certificate-data'),
    key: field('client-key-data'),
  },
  { processorTime: () => processorTime() },
);

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = server.address();
      server.close(() => resolve(free));
    });
  });
}
