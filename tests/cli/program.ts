import https from 'node:https';
import { vi } from 'vitest';
import { run } from '../../src/cli/run.js';
import { readKubeconfig } from '../../src/kubeconfig/index.js';

/** Runs the program until it ends by itself. */
export async function runToEnd(...argv: string[]): Promise<{ code: number; text: string; errors: string }> {
  let text = '';
  let errors = '';
  const code = await run(argv, {
    stdout: { write: (part) => (text += part) },
    stderr: { write: (part) => (errors += part) },
    signal: new AbortController().signal,
  });
  return { code, text, errors };
}

/** Starts the program on a free port, in the dialect k8s; resolves when it serves, or has ended. */
export const startServing = (...flags: string[]) => startProgram('--dialect=k8s', ...flags);

/** Starts the program on a free port with other flags; resolves when it serves, or has ended. */
export async function startProgram(...flags: string[]) {
  const controller = new AbortController();
  let text = '';
  const out = { write: (part: string) => (text += part) };
  const ended = run(['--secure-port=0', ...flags], { stdout: out, stderr: out, signal: controller.signal });
  let over = false;
  void ended.then(() => (over = true));
  await vi.waitUntil(() => over || text.includes('kubectl --kubeconfig'), { timeout: 30_000 });
  const stop = () => {
    controller.abort();
    return ended;
  };
  return { stop, text: () => text, url: /Listening on (\S+)/.exec(text)?.[1] ?? '' };
}

/** Sends a request with the credentials of a kubeconfig, and returns the status and the body of the response. */
export async function askWith(
  kubeconfig: string,
  url: string,
  path: string,
): Promise<{ status: number | undefined; text: string }> {
  const { credentials, certificateAuthority: ca } = await readKubeconfig(kubeconfig);
  const { clientCertificate: cert, clientKey: key } = credentials;
  return new Promise((resolve, reject) => {
    const request = https.get(`${url}${path}`, { ca, cert, key, agent: false } as https.RequestOptions, (response) => {
      let text = '';
      response.on('data', (part) => (text += String(part)));
      response.on('end', () => resolve({ status: response.statusCode, text }));
    });
    request.on('error', reject);
  });
}
