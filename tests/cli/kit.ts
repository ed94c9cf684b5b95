import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { kubeconfigClient } from '../../src/exports/client.js';
import type { Client } from '../../src/index.js';
import { readKubeconfig } from '../../src/kubeconfig/index.js';
import { startServing } from './program.js';

export interface KitAnswer {
  readonly status: number | undefined;
  readonly body: Record<string, unknown>;
}

/** The program with its test kit, a client over HTTPS, and a function for requests to the kit. */
export interface RunningKit {
  readonly url: string;
  readonly secret: string;
  readonly client: Client;
  /** Sends a request to the kit. A string is sent unchanged, any other body as JSON. */
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<KitAnswer>;
  /** The output of the program. */
  text(): string;
  /** Ends the program, which must exit with 0. */
  stop(): Promise<void>;
}

export async function startKit(...flags: string[]): Promise<RunningKit> {
  const folder = mkdtempSync(join(tmpdir(), 'test-kit-'));
  const config = join(folder, 'config');
  const program = await startServing('--test-kit', `--write-kubeconfig=${config}`, ...flags);
  const { extensions } = await readKubeconfig(readFileSync(config, 'utf8'));
  const extension: unknown = extensions?.get('orch.io/test-kit');
  const { url, secret } = extension as { url: string; secret: string };
  return {
    url,
    secret,
    client: await kubeconfigClient({ files: [config], dialect: 'k8s' }),
    ask: (method, path, body, headers = {}) =>
      new Promise((resolve, reject) => {
        const options = { method, agent: false, headers: { authorization: `Bearer ${secret}`, ...headers } };
        const outgoing = request(`${url}${path}`, options, (response) => {
          let answer = '';
          response.on('data', (chunk: Buffer) => (answer += chunk.toString()));
          response.on('end', () => resolve({ status: response.statusCode, body: JSON.parse(answer) }));
        });
        outgoing.on('error', reject);
        outgoing.end(typeof body === 'string' ? body : body === undefined ? undefined : JSON.stringify(body));
      }),
    text: program.text,
    async stop() {
      expect(await program.stop()).toBe(0);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
