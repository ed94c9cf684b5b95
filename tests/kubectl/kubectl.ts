import { execFile, spawnSync } from 'node:child_process';

/** Whether kubectl is on the PATH; tests that need it are skipped elsewhere. */
export const hasKubectl = spawnSync('kubectl', ['version', '--client'], { stdio: 'ignore' }).status === 0;

/** Runs one kubectl command and gives what it printed; `input` is its standard input. @throws Error with its stderr. */
export type Kubectl = (command: string | readonly string[], input?: string) => Promise<string>;

/** kubectl with a kubeconfig and a home of its own; commands as one text are split at blanks. */
export function kubectlFor(kubeconfig: string, home: string, program = 'kubectl'): Kubectl {
  return (command, input) =>
    new Promise((resolve, reject) => {
      const args = typeof command === 'string' ? command.split(' ') : command;
      const child = execFile(
        program,
        ['--kubeconfig', kubeconfig, ...args],
        { env: { ...process.env, HOME: home, KUBECTL_EXTERNAL_DIFF: 'diff -u' }, timeout: 30_000 },
        (error, stdout, stderr) => (error ? reject(new Error(`${stderr}${stdout}`)) : resolve(stdout)),
      );
      child.stdin?.end(input ?? '');
    });
}
