import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Why tests with a real etcd are skipped; undefined if the program is on the PATH. */
export const noEtcd: string | undefined = (() => {
  try {
    execFileSync('etcd', ['--version'], { stdio: 'ignore', env: environment() });
    return undefined;
  } catch {
    return 'there is no etcd on the PATH (Debian: apt-get install etcd-server)';
  }
})();

/** Debian's program refuses to run on untested processors without this variable. */
function environment(): NodeJS.ProcessEnv {
  return { ...process.env, ETCD_UNSUPPORTED_ARCH: process.arch };
}

/** Kills all etcd processes if the test process ends early. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** A running etcd of one member, on ports of the loopback interface. */
export interface RunningEtcd extends AsyncDisposable {
  readonly endpoint: string;
  /** Sends a signal to the process, such as `SIGSTOP`. */
  signal(name: NodeJS.Signals): void;
  /** Kills the process, as a crash does. */
  kill(): Promise<void>;
  /** Starts it again with its data. */
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
    running.add(started);
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
    const last = child;
    child = undefined;
    if (last === undefined || last.exitCode !== null || last.signalCode !== null) return;
    const ended = new Promise((resolve) => last.once('exit', resolve));
    last.kill('SIGKILL');
    await ended;
    running.delete(last);
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

/** A proxy to an etcd that can be disconnected. */
export interface Way extends AsyncDisposable {
  readonly endpoint: string;
  /** Closes all connections, and refuses new ones until it is connected again. */
  cut(): Promise<void>;
  mend(): Promise<void>;
}

export async function wayTo(endpoint: string): Promise<Way> {
  const target = Number(new URL(endpoint).port);
  const port = await freePort();
  const sockets = new Set<Socket>();
  const follow = (socket: Socket, other: Socket) => {
    sockets.add(socket);
    socket.on('error', () => other.destroy());
    socket.once('close', () => {
      sockets.delete(socket);
      other.destroy();
    });
  };
  const accept = (near: Socket) => {
    const far = connect(target, '127.0.0.1');
    follow(near, far);
    follow(far, near);
    near.pipe(far).pipe(near);
  };
  let server: Server | undefined;
  const mend = async () => {
    const opened = createServer(accept);
    server = opened;
    await new Promise<void>((resolve) => opened.listen(port, '127.0.0.1', resolve));
  };
  const cut = async () => {
    const closing = server;
    server = undefined;
    const closed = closing && new Promise((resolve) => closing.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await mend();
  return { endpoint: `http://127.0.0.1:${port}`, cut, mend, [Symbol.asyncDispose]: cut };
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { readonly port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function listens(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
