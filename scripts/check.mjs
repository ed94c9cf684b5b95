// Runs the static checks in parallel and prints the output of each when it ends. Exits with 1 if one of them fails.
import { spawn } from 'node:child_process';

const CHECKS = ['types', 'lint', 'regexp', 'architecture'];

const outcomes = await Promise.all(CHECKS.map(run));
process.exit(outcomes.every((isWhole) => isWhole) ? 0 : 1);

/** Runs a script of package.json; resolves with whether it succeeded. */
function run(name) {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn('npm', ['run', '-s', name], {
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    });
    const output = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
    child.once('error', reject);
    child.once('close', (code) => {
      process.stdout.write(Buffer.concat(output));
      const seconds = ((performance.now() - began) / 1000).toFixed(0);
      console.log(`${name}: ${code === 0 ? 'passed' : 'FAILED'} after ${seconds} s`);
      resolve(code === 0);
    });
  });
}
