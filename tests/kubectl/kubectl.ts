import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Listener, listen } from '../../src/http/index.js';
import type { ApiServer, ApiServerOptions } from '../../src/index.js';
import { startServer } from '../support/servers.js';

/** Whether kubectl is on the PATH; tests that need it are skipped elsewhere. */
export const hasKubectl = spawnSync('kubectl', ['version', '--client'], { stdio: 'ignore' }).status === 0;

/** Runs a kubectl command and returns its output. `input` is its standard input. @throws Error with its stderr. */
export type Kubectl = (command: string | readonly string[], input?: string) => Promise<string>;

/** A server of the ecosystem's dialect behind HTTPS, an administrator's kubectl for it, and a folder that goes with it. */
export interface KubectlCluster extends AsyncDisposable {
  readonly server: ApiServer;
  readonly listener: Listener;
  readonly kubectl: Kubectl;
  readonly folder: string;
  readonly config: string;
}

export async function kubectlCluster(options: ApiServerOptions = {}): Promise<KubectlCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'kubectl-'));
  const config = join(folder, 'config');
  const server = await startServer({ dialect: 'k8s', ...options });
  const listener = await listen(server);
  writeFileSync(config, await listener.kubeconfig());
  return {
    server,
    listener,
    folder,
    config,
    kubectl: kubectlFor(config, folder),
    async [Symbol.asyncDispose]() {
      await listener.close();
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The output of a command, and whether it succeeded. */
export interface Printed {
  readonly failed: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs kubectl with a kubeconfig and a home of its own. */
export function runKubectl(
  {
    kubeconfig,
    home,
    environment,
  }: { readonly kubeconfig: string; readonly home: string; readonly environment?: NodeJS.ProcessEnv },
  args: readonly string[],
  input = '',
): Promise<Printed> {
  return new Promise((resolve) => {
    const child = execFile(
      'kubectl',
      ['--kubeconfig', kubeconfig, ...args],
      { env: { ...process.env, HOME: home, KUBECTL_EXTERNAL_DIFF: 'diff -u', ...environment }, timeout: 30_000 },
      (error, stdout, stderr) => resolve({ failed: error !== null, stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}

/**
 * kubectl with a kubeconfig and a home of its own; commands as one text are split at blanks.
 * @param environment variables to add.
 */
export function kubectlFor(kubeconfig: string, home: string, environment: NodeJS.ProcessEnv = {}): Kubectl {
  return async (command, input) => {
    const args = typeof command === 'string' ? command.split(' ') : command;
    const { failed, stdout, stderr } = await runKubectl({ kubeconfig, home, environment }, args, input);
    if (failed) throw new Error(`${stderr}${stdout}`);
    return stdout;
  };
}
