import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Starts a server of this folder in a process of its own; resolves when it listens. BENCH_PROFILE=<directory> in the
 * environment writes a CPU profile of it there.
 */
export async function startServer(file, ...argv) {
  const profile = process.env.BENCH_PROFILE;
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), argv, {
    execArgv: ['--expose-gc', ...(profile ? ['--cpu-prof', '--cpu-prof-dir', profile] : [])],
  });
  const waiting = [];
  child.on('message', (message) => waiting.shift()?.resolve(message));
  child.on('exit', (code) => {
    for (const { reject } of waiting.splice(0)) reject(new Error(`${file} ended with ${code}`));
  });
  const answer = () => new Promise((resolve, reject) => waiting.push({ resolve, reject }));
  const info = await answer();
  return {
    ...info,
    pid: child.pid,
    /** Asks the server's process to do something; resolves with its answer. */
    ask(question) {
      const answered = answer();
      child.send(question);
      return answered;
    },
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill();
      await ended;
    },
  };
}

/** In the server's process: tells that it listens, and answers questions by name. */
export function serveParent(info, answers) {
  process.on('message', async ({ question, ...parameters }) => process.send(await answers[question](parameters)));
  for (const end of ['disconnect', 'SIGTERM']) process.on(end, () => process.exit());
  process.send(info);
}

/** Microseconds of processor time this process has used. */
export function processorTime() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Between two events, so that each leaves by itself. */
export const pause = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
