import { spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freePort, startEtcd } from '../etcd.mjs';

const SERVER = fileURLToPath(new URL('../../servers/shared.mjs', import.meta.url));
/** Milliseconds that a server may take to start. */
const LONGEST_START = 60_000;

/**
 * Servers that share an etcd. Everything ends with this process.
 * @param canBeCut whether each has a way to it that can be cut, which costs time
 */
export async function startCluster(folder, size, canBeCut = true) {
  const etcd = await startEtcd(join(folder, 'etcd'));
  const ways = [];
  const servers = [];
  for (let i = 0; i < size; i++) {
    if (canBeCut) ways.push(await wayTo(etcd.port));
    servers.push(await serverOn(ways[i]?.port ?? etcd.port));
  }
  return {
    etcdPort: etcd.port,
    servers,
    ways,
    pauseEtcd: (isPaused) => etcd.signal(isPaused ? 'SIGSTOP' : 'SIGCONT'),
    restartEtcd: (pause) => etcd.restart(pause),
    async stop() {
      for (const server of servers) await server.kill();
      for (const way of ways) await way.close();
      await etcd.kill();
    },
  };
}

async function serverOn(etcdPort) {
  const port = await freePort();
  let child;
  const start = async () => {
    const args = [SERVER, `http://127.0.0.1:${etcdPort}`, String(port)];
    child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const started = child;
    const end = () => started.kill('SIGKILL');
    process.once('exit', end);
    started.once('exit', () => process.off('exit', end));
    let said = '';
    started.stderr.on('data', (piece) => {
      said = `${said}${piece}`.slice(-2000);
    });
    const ready = (async () => {
      for await (const line of createInterface({ input: started.stdout })) if (line === 'ready') return true;
      return false;
    })();
    if (!(await Promise.race([ready, passed(LONGEST_START)]))) throw new Error(`a server did not start: ${said}`);
  };
  await start();
  return {
    port,
    start,
    signal: (name) => child.kill(name),
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function wayTo(target) {
  const sockets = new Set();
  let isCut = false;
  const follow = (socket, other) => {
    sockets.add(socket);
    socket.on('error', () => other.destroy());
    socket.once('close', () => {
      sockets.delete(socket);
      other.destroy();
    });
  };
  const listener = createServer((near) => {
    if (isCut) return near.destroy();
    const far = connect(target, '127.0.0.1');
    follow(near, far);
    follow(far, near);
    near.pipe(far).pipe(near);
  });
  await new Promise((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const cut = (value) => {
    isCut = value;
    if (value) for (const socket of sockets) socket.destroy();
  };
  return {
    port: listener.address().port,
    cut,
    close() {
      cut(true);
      return new Promise((resolve) => listener.close(resolve));
    },
  };
}

export const passed = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
