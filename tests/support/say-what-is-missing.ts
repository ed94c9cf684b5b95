import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findChromium } from '../../scripts/chromium.mjs';

const runs = (program: string, flag: string) => spawnSync(program, [flag], { stdio: 'ignore' }).error === undefined;

/** Prints once which programs the machine lacks: tests that need them are skipped. */
export function setup(): void {
  const missing = [
    ...(runs('kubectl', '--help') ? [] : ['kubectl']),
    ...(runs('openssl', 'version') ? [] : ['openssl']),
    ...(runs('etcd', '--version') ? [] : ['etcd']),
    ...(findChromium() === undefined ? ['Chromium or Chrome'] : []),
    ...(existsSync(new URL('../../../shared', import.meta.url)) ? [] : ['the recorded data (../shared)']),
  ];
  if (missing.length > 0) console.log(`Tests are skipped that need what is not here: ${missing.join(', ')}.`);
}
