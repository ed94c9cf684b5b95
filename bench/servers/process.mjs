import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { startProfile, stopProfile } from './profile.mjs';

/** Starts a server of this folder in its own process; resolves when it listens. */
export async function startServer(file, ...argv) {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), argv, { execArgv: ['--expose-gc'] });
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
    /** Sends a question to the server's process; resolves with its result. */
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

/** Runs in the server's process: reports that the server listens, and responds to questions by name. */
export function serveParent(info, answers) {
  const known = { startProfile, stopProfile, ...answers };
  process.on('message', async ({ question, ...parameters }) => process.send(await known[question](parameters)));
  for (const end of ['disconnect', 'SIGTERM']) process.on(end, () => process.exit());
  process.send(info);
}

/** Returns the microseconds of processor time that this process has used. */
export function processorTime() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Waits between two events, so that each is sent separately. */
export const pause = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
