import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { bundle, runProgram, runScript } from './scripts.js';

let folder: string;
beforeAll(async () => {
  folder = await bundle({ index: 'src/index.ts', main: 'src/cli/main.ts' });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const FORMATS = ['mjs', 'cjs'] as const;

const SERVER = `
const server = new index.ApiServer({ dialect: 'k8s' });
await server.start();
const maps = '/api/v1/namespaces/default/configmaps';
const get = (query) => server.fetch(new Request('https://server' + maps + query), { user: { username: 'a', groups: ['system:masters'] } });
`;

// The scripts run at the same time, because each waits for one or several seconds.
describe.concurrent.each(FORMATS)('a script with a server without a port (%s)', (format) => {
  it('gets the response to a request that waits for a version', async ({ expect }) => {
    const body = `${SERVER}
      const response = await get('?resourceVersion=1000000&timeoutSeconds=1');
      console.log('answered', response.status);`;
    expect(await runScript(folder, body, format)).toMatchObject({ code: 0, stdout: 'answered 504\n' });
  });

  it('gets the end of a watch with a timeout', async ({ expect }) => {
    const body = `${SERVER}
      const response = await get('?watch=true&timeoutSeconds=1&resourceVersion=0');
      const text = await response.text();
      console.log('ended', response.status, text.includes('kube-root-ca.crt'));`;
    expect(await runScript(folder, body, format)).toMatchObject({ code: 0, stdout: 'ended 200 true\n' });
  });

  it('gets the end of a watch of the client with a timeout', async ({ expect }) => {
    const body = `${SERVER}
      let events = 0;
      for await (const event of server.client().watch(index.configMap, { namespace: 'default', timeoutSeconds: 1 })) events++;
      console.log('ended', events > 0);`;
    expect(await runScript(folder, body, format)).toMatchObject({ code: 0, stdout: 'ended true\n' });
  });

  it('ends by itself when its work is done, with unread watches open', async ({ expect }) => {
    const body = `${SERVER}
      const abandoned = await get('?watch=true&timeoutSeconds=3000&resourceVersion=0');
      const read = await get('?watch=true&timeoutSeconds=3000&resourceVersion=0');
      await read.body.getReader().read();
      (async () => { for await (const event of server.client().watch(index.configMap)); })();
      await get('');
      console.log('done', abandoned.status);`;
    expect(await runScript(folder, body, format)).toMatchObject({ code: 0, stdout: 'done 200\n' });
  });
});

/** Starts a webhook that responds to every review with a temporary error, and counts the reviews. */
async function erringWebhook() {
  let asked = 0;
  const server = createServer((_, response) => {
    asked++;
    response.writeHead(500).end('not now');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}/`, asked: () => asked, stop };
}

it.concurrent('a start continues while an authorization webhook fails, reports that, and can be aborted', async ({
  expect,
}) => {
  const webhook = await erringWebhook();
  try {
    const file = join(folder, 'webhook.yaml');
    const kubeconfig = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'w', cluster: { server: webhook.url } }],
      users: [{ name: 'u', user: {} }],
      contexts: [{ name: 'c', context: { cluster: 'w', user: 'u' } }],
      'current-context': 'c',
    };
    writeFileSync(file, JSON.stringify(kubeconfig));
    const flags = [
      '--dialect=k8s',
      '--secure-port=0',
      '--authorization-mode=Webhook,RBAC',
      '--authorization-webhook-version=v1',
      `--authorization-webhook-config-file=${file}`,
    ];
    const ended = await runProgram([join(folder, 'main.mjs'), ...flags], (output, end) => {
      if (output.includes('Failed to make webhook authorizer request')) end();
    });
    expect(ended.code).toBe(0);
    expect(ended.stderr).toContain('Failed to make webhook authorizer request: ');
    expect(ended.stdout).toContain('Stopping: the start is aborted');
    expect(webhook.asked()).toBeGreaterThan(1);
  } finally {
    await webhook.stop();
  }
});

it.concurrent('a server whose output is read by nobody serves, and saves its objects at the end', async ({
  expect,
}) => {
  const state = join(folder, 'state.yaml');
  const program = spawn(process.execPath, [join(folder, 'main.mjs'), '--secure-port=0', `--save=${state}`]);
  try {
    for await (const text of program.stdout) if (String(text).includes('Try:')) break;
    program.stdout.destroy();
    program.stderr.destroy();
    program.kill('SIGTERM');
    expect(await once(program, 'exit')).toEqual([0, null]);
    expect(readFileSync(state, 'utf8')).toContain('Saved by orch-apiserver');
  } finally {
    program.kill('SIGKILL');
  }
});

it.skipIf(!existsSync('/dev/full'))(
  'an export to a full disk fails (skipped without /dev/full)',
  async ({ expect }) => {
    const main = join(folder, 'main.mjs');
    const data = join(folder, 'data');
    await runProgram([main, '--secure-port=0', `--data-dir=${data}`], (output, end) => {
      if (output.includes('Try:')) end();
    });
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(process.execPath, [main, 'storage', 'export', data], {
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    closeSync(full);
    expect([status, stderr]).toEqual([1, 'Error: ENOSPC: no space left on device, write\n']);
  },
);
