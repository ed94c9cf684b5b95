// Breaks rules one by one in a copy of the checkout, and runs the test that must fail: `--only=n` breaks one, `--shard=i/n` every n-th one.
// Exits with 1 if a test passes although its rule is broken, or if a text to replace does not occur exactly once.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { edits } from './break-rules/edits.mjs';

const LEFT_OUT = new Set(['.git', '.compiled', 'node_modules', 'dist', 'coverage']);
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const [only] = numbers('only', /^\d+$/);
const [shard = 1, shards = 1] = numbers('shard', /^[1-9]\d*\/[1-9]\d*$/);
const chosen = edits
  .map((edit, i) => ({ edit, number: i + 1 }))
  .filter(({ number }) => (only === undefined ? number % shards === shard % shards : number === only));
if (chosen.length === 0) refuse('no rule has this number');

const folder = mkdtempSync(join(tmpdir(), 'break-rules-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
// The copy is in an empty folder, so that tests which use optional data beside the checkout are skipped.
const copy = join(folder, 'checkout');
mkdirSync(copy);
cpSync(root, copy, { recursive: true, filter: (path) => path === root || !LEFT_OUT.has(basename(path)) });
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));

const tests = [...new Set(chosen.map(({ edit }) => edit[3]))];
const missing = tests.filter((test) => !existsSync(join(copy, test)));
if (missing.length > 0) refuse(`there is no ${missing.join(', ')}`);
const whole = run(tests);
if (whole.status !== 0) refuse(`the tests fail although no rule is broken:\n${whole.stdout}`);

let survived = 0;
for (const { edit, number } of chosen) {
  const [file, before, after, test] = edit;
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  const parts = text.split(before);
  if (parts.length !== 2) {
    survived++;
    console.log(`${number}: ${file}: found ${parts.length - 1} times: ${before}`);
    continue;
  }
  writeFileSync(path, parts.join(after));
  const { status } = run([test]);
  writeFileSync(path, text);
  if (status === 0) survived++;
  console.log(`${number}: ${status === 0 ? 'SURVIVED' : 'noticed'} ${file}: ${after.trim()} (${test})`);
}
console.log(`break-rules: ${chosen.length - survived} of ${chosen.length} are noticed`);
process.exitCode = survived === 0 ? 0 : 1;

function run(files) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const found = spawnSync(process.execPath, [vitest, 'run', '--project=shared', '--project=extended', ...files], {
    cwd: copy,
    encoding: 'utf8',
  });
  // A run that ended by a signal has no result.
  if (found.status === null) refuse(`vitest ended by ${found.signal}`);
  return found;
}

/** Returns the numbers of `--name=…`; an empty list if it is absent. */
function numbers(name, form) {
  const given = process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);
  if (given === undefined) return [];
  if (!form.test(given)) refuse(`--${name}=${given} is not of the form ${name === 'only' ? 'n' : 'i/n'}`);
  return given.split('/').map(Number);
}

function refuse(why) {
  console.error(`break-rules: ${why}`);
  process.exit(1);
}
