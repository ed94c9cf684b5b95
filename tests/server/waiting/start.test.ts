import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bundle, runProgram } from './scripts.js';

/** Answers every review with an error that passes, and counts the reviews. */
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

it('a start goes on behind an authorization webhook that answers errors, says so, and can be ended', async () => {
  const webhook = await erringWebhook();
  const folder = await bundle({ main: 'src/cli/main.ts' });
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
    expect(ended.stdout).toContain('Stopping: the start is given up');
    expect(webhook.asked()).toBeGreaterThan(1);
  } finally {
    await webhook.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
