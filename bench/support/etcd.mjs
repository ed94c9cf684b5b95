// An etcd of one member on the loopback interface.
import { spawn } from 'node:child_process';
import { connect } from 'node:net';

const CLIENT = 23792;
const PEER = 23802;

/**
 * Starts the etcd of the PATH with the data of a folder, and resolves when it listens. It ends with this process.
 * @param ports those of clients and of peers
 */
export async function startEtcd(folder, ports = [CLIENT, PEER]) {
  const [endpoint, peer] = ports.map((port) => `http://127.0.0.1:${port}`);
  const flags = [
    ...['--name=one', `--data-dir=${folder}`, '--log-level=error', '--logger=zap', `--initial-cluster=one=${peer}`],
    ...[`--listen-client-urls=${endpoint}`, `--advertise-client-urls=${endpoint}`],
    ...[`--listen-peer-urls=${peer}`, `--initial-advertise-peer-urls=${peer}`],
  ];
  const child = spawn('etcd', flags, { stdio: 'ignore' });
  const end = () => child.kill('SIGKILL');
  process.on('exit', end);
  const ended = new Promise((resolve) => child.on('exit', resolve));
  while (!(await listens(ports[0]))) {
    if (child.exitCode !== null) throw new Error(`etcd ended with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    endpoint,
    signal: (name) => child.kill(name),
    async kill() {
      end();
      await ended;
      process.off('exit', end);
    },
  };
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
