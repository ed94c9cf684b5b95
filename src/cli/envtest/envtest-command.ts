import { chmod, mkdir, rename } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { quoteForShell } from '../announce.js';
import { readFileIfExists, writePrivateFile } from '../files.js';
import { parseFlags, UsageError } from '../parse-flags.js';
import { serveHealth } from './etcd-stand-in.js';

const HELP = `orch-apiserver envtest: lets controller-runtime's envtest start this server instead of kube-apiserver and etcd.

Usage:
  orch-apiserver envtest DIR [flags]       write the programs kube-apiserver and etcd to DIR, and print its path

Set KUBEBUILDER_ASSETS to that path and run the tests. The flags are passed to each server before those of envtest. As in envtest,
no controllers run unless --controllers selects some, and every server begins empty.
`;

/** The first words of a written program, by which a later run recognizes it. */
const MARK = '#!/bin/sh\n# Written by orch-apiserver envtest';
const PROGRAMS = ['kube-apiserver', 'etcd'] as const;

interface Environment {
  readonly stdout: { write(text: string): unknown };
  readonly signal: AbortSignal;
  readonly script?: string;
}

/**
 * Runs the command `orch-apiserver envtest`. The written programs call it again with `kube-apiserver` or `etcd` instead of a folder.
 * @param args the arguments after `envtest`
 * @param runServer runs the server with the given flags
 * @returns the exit code
 * @throws Error that says what is wrong with the arguments or the folder.
 */
export async function runEnvtestCommand(
  args: readonly string[],
  { stdout, signal, script = process.argv[1] ?? '' }: Environment,
  runServer: (flags: readonly string[]) => Promise<number>,
): Promise<number> {
  const [first = '', ...others] = args;
  if (first === 'kube-apiserver') return await runServer(serverFlags(others));
  if (first === 'etcd') {
    await serveHealth(others, stdout, signal);
    return 0;
  }
  if (first === '--help' || first === '-h' || first === 'help') {
    stdout.write(HELP);
    return 0;
  }
  if (first === '' || first.startsWith('-'))
    throw new UsageError(`invalid arguments: ${args.join(' ') || 'none given'}\n\n${HELP.trimEnd()}`);
  parseFlags(serverFlags(others)); // Throws for flags that the server does not have.
  stdout.write(`${await writePrograms(resolve(first), [process.execPath, script, 'envtest'], others)}\n`);
  return 0;
}

/**
 * Returns the flags of the server: those that envtest passes, without the address of its etcd, preceded by the defaults for tests. With
 * `--controllers=-namespace` no controller runs, because a list without positive names selects none. envtest has no controller manager.
 */
function serverFlags(args: readonly string[]): readonly string[] {
  const isGiven = args.some((arg) => /^--controllers(?:=|$)/.test(arg));
  const own = ['--dialect=k8s', ...(isGiven ? [] : ['--controllers=-namespace'])];
  return [...own, ...args.filter((arg) => !arg.startsWith('--etcd-servers='))];
}

/** Writes the programs, which pass their arguments on. Returns the folder. @throws Error for a file that this command did not write. */
async function writePrograms(folder: string, command: readonly string[], flags: readonly string[]): Promise<string> {
  const files = PROGRAMS.map((name) => ({ name, file: join(folder, name) }));
  for (const { file } of files) {
    const before = await readFileIfExists(file);
    if (before !== undefined && !before.startsWith(MARK))
      throw new Error(`${file} exists, and this command did not write it: choose another folder, or remove the file`);
  }
  await mkdir(folder, { recursive: true });
  for (const { name, file } of files) {
    const words = [...command, name, ...(name === 'etcd' ? [] : flags)].map(quoteForShell);
    // Test runs may execute the previous program at this moment, so it is replaced as a whole.
    await writePrivateFile(file, `${MARK}\nexec ${words.join(' ')} "$@"\n`, async (draft) => {
      await chmod(draft, 0o755);
      await rename(draft, file);
    });
  }
  return folder;
}
