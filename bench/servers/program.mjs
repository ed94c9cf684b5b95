// The program with its default flags and the given ones, in a process that reports its processor time.

import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../support/etcd.mjs';
import { accessOf } from './access.mjs';
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
  ...process.argv.slice(2),
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
serveParent(accessOf(readFileSync(kubeconfig, 'utf8'), port), { processorTime: () => processorTime() });
