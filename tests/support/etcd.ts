import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Why tests of a real etcd are skipped; undefined when the program is there. */
export const noEtcd: string | undefined = (() => {
  try {
    execFileSync('etcd', ['--version'], { stdio: 'ignore', env: environment() });
    return undefined;
  } catch {
    return 'there is no etcd on the PATH (Debian: apt-get install etcd-server)';
  }
})();

/** Debian's program refuses processors that it was not tried on, unless it is told not to. */
function environment(): NodeJS.ProcessEnv {
  return { ...process.env, ETCD_UNSUPPORTED_ARCH: process.arch };
}

/** A running etcd of one member, on ports of the loopback interface. */
export interface RunningEtcd extends AsyncDisposable {
  readonly endpoint: string;
  /** Sends a signal to the process, such as `SIGSTOP`. */
  signal(name: NodeJS.Signals): void;
  /** Ends the process as a crash does. */
  kill(): Promise<void>;
  /** Starts it again with the data that it has. */
  restart(): Promise<void>;
}

/** Starts an etcd in a new folder. */
export async function startEtcd(...flags: readonly string[]): Promise<RunningEtcd> {
  const folder = mkdtempSync(join(tmpdir(), 'etcd-'));
  const [client, peer] = [await freePort(), await freePort()];
  const scheme = flags.some((flag) => flag.startsWith('--cert-file')) ? 'https' : 'http';
  const endpoint = `${scheme}://127.0.0.1:${client}`;
  let child: ChildProcess | undefined;
  const run = async () => {
    const started = spawn(
      'etcd',
      [
        ['--name', 'one', '--data-dir', folder, '--unsafe-no-fsync', '--log-level', 'error', '--logger', 'zap'],
        ['--listen-client-urls', endpoint, '--advertise-client-urls', endpoint],
        ['--listen-peer-urls', `http://127.0.0.1:${peer}`, '--initial-advertise-peer-urls', `http://127.0.0.1:${peer}`],
        ['--initial-cluster', `one=http://127.0.0.1:${peer}`],
        flags,
      ].flat(),
      { stdio: ['ignore', 'ignore', 'pipe'], env: environment() },
    );
    child = started;
    // A test process that ends early leaves none behind.
    process.once('exit', () => started.kill('SIGKILL'));
    let said = '';
    started.stderr?.on('data', (piece) => {
      said = `${said}${piece}`.slice(-4000);
    });
    for (let attempt = 0; attempt < 200; attempt++) {
      if (started.exitCode !== null) throw new Error(`etcd ended with ${started.exitCode}: ${said}`);
      if (await listens(client)) return;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    throw new Error(`etcd does not listen: ${said}`);
  };
  const kill = async () => {
    const running = child;
    child = undefined;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.kill('SIGKILL');
    await ended;
  };
  await run();
  return {
    endpoint,
    signal: (name) => void child?.kill(name),
    kill,
    restart: run,
    async [Symbol.asyncDispose]() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { readonly port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function listens(port: number): Promise<boolean> {
  const { connect } = await import('node:net');
  return await new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
