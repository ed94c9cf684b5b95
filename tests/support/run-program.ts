import { execFileSync, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A shell that reads the names of scripts, runs each, and prints its status. It ends with its standard input. */
const LOOP = `
  while read -r script; do ( . "$script" ) </dev/null >"$script.out" 2>"$script.err"; echo $?; done <"$1/names" >"$1/statuses"
  rm -rf "$1"
`;

interface Shell {
  readonly folder: string;
  readonly names: number;
  readonly statuses: number;
}
let shell: Shell | undefined;
let scripts = 0;

/**
 * Runs programs one after the other as long as they succeed, and returns their output. A small shell starts them, because forking a process
 * that has loaded hundreds of tests takes longer than most programs run.
 * @throws Error with what was written to standard error.
 */
export function runPrograms(...commands: readonly (readonly [program: string, ...args: string[]])[]): string {
  shell ??= openShell();
  const script = join(shell.folder, `script-${scripts++}`);
  writeFileSync(script, commands.map((words) => words.map(quoted).join(' ')).join(' && '));
  writeSync(shell.names, `${script}\n`);
  const status = readLine(shell.statuses);
  const [output, errors] = ['out', 'err'].map((end) => readFileSync(`${script}.${end}`, 'utf8')) as [string, string];
  for (const file of [script, `${script}.out`, `${script}.err`]) rmSync(file);
  if (status !== '0') throw new Error(`${commands.map((words) => words.join(' ')).join(' && ')}: ${errors}`);
  return output;
}

/** Returns whether a program exists, and succeeds with these arguments. */
export function succeeds(program: string, ...args: string[]): boolean {
  try {
    runPrograms([program, ...args]);
    return true;
  } catch {
    return false;
  }
}

const quoted = (word: string) => `'${word.replaceAll("'", String.raw`'\''`)}'`;

function openShell(): Shell {
  const folder = mkdtempSync(join(tmpdir(), 'programs-'));
  const [names, statuses] = [join(folder, 'names'), join(folder, 'statuses')];
  execFileSync('mkfifo', [names, statuses]);
  const child = spawn('sh', ['-c', LOOP, 'sh', folder], { stdio: 'ignore' });
  child.unref();
  // Without the shell, opening the pipes would block forever.
  if (child.pid === undefined) throw new Error('there is no sh');
  return { folder, names: openSync(names, 'w'), statuses: openSync(statuses, 'r') };
}

function readLine(file: number): string {
  const byte = Buffer.alloc(1);
  for (let line = ''; ; line += byte.toString('latin1')) {
    if (readSync(file, byte) === 0) {
      closeSync(file);
      throw new Error('the shell has ended');
    }
    if (byte[0] === 10) return line;
  }
}
