// An etcd of one member on free ports of the loopback interface.
import { spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';

/** Starts the etcd of the PATH with the data of a folder; resolves when it listens. It ends with this process. */
export async function startEtcd(folder, ...flags) {
  const ports = [await freePort(), await freePort()];
  const [endpoint, peer] = ports.map((port) => `http://127.0.0.1:${port}`);
  const all = [
    ...['--name=one', `--data-dir=${folder}`, '--log-level=error', '--logger=zap', `--initial-cluster=one=${peer}`],
    ...[`--listen-client-urls=${endpoint}`, `--advertise-client-urls=${endpoint}`],
    ...[`--listen-peer-urls=${peer}`, `--initial-advertise-peer-urls=${peer}`, ...flags],
  ];
  let child;
  let ended;
  const end = () => child.kill('SIGKILL');
  const start = async () => {
    child = spawn('etcd', all, { stdio: 'ignore' });
    process.on('exit', end);
    ended = new Promise((resolve) => child.on('exit', resolve));
    while (!(await listens(ports[0]))) {
      if (child.exitCode !== null) throw new Error(`etcd ended with ${child.exitCode}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const kill = async () => {
    end();
    await ended;
    process.off('exit', end);
  };
  await start();
  return {
    endpoint,
    port: ports[0],
    signal: (name) => child.kill(name),
    kill,
    /** Kills it and starts it again after some milliseconds, on the same ports and with the same data. */
    async restart(pause = 0) {
      await kill();
      await new Promise((resolve) => setTimeout(resolve, pause));
      await start();
    },
  };
}

/** Returns a free port of the loopback interface. */
export async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function listens(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => {
      resolve(true);
      socket.destroy();
    });
    socket.on('error', () => resolve(false));
  });
}
