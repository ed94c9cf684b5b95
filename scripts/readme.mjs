// Follows README.md and the guides like a new user: runs every shell block as it is written, in the order of the page. The folder contains
// only a copy of the checkout, and there are no settings or global packages of npm.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const MAX_BLOCK_MS = 20 * 60_000;
const MAX_STOP_MS = 30_000;

/** The steps of a page, in order: saving code under the name above it, and running commands. */
function stepsOf(page) {
  const fences = readFileSync(join(root, page), 'utf8').matchAll(/(?:^`([^`\n]+)`:\n\n)?^```(\w+)\n([\s\S]*?)^```$/gm);
  return [...fences].map(([, file, language, code]) =>
    language === 'sh' ? { commands: code.trim() } : { file, code },
  );
}

/** Returns the pages that have shell blocks: README.md, which packs the package, and the guides, which install it. */
export function pagesWithCommands() {
  const guides = readdirSync(join(root, 'docs/guides')).map((file) => `docs/guides/${file}`);
  return ['README.md', ...guides].filter((page) => stepsOf(page).some(({ commands }) => commands !== undefined));
}

/**
 * Runs the shell blocks of all pages, and yields the output of each.
 *
 * @throws Error when a command of a block fails, or a block takes longer than 20 minutes.
 */
export async function* followPages() {
  const folder = mkdtempSync(join(tmpdir(), 'readme-'));
  try {
    const checkout = join(folder, 'checkout');
    copyCheckout(checkout);
    const environment = strangersEnvironment(folder);
    const [readme, ...guides] = pagesWithCommands();
    yield* followPage(readme, checkout, environment);
    // Each guide begins in its own folder, in which the block of README.md has installed the package.
    const { commands: installing } = stepsOf(readme).find(({ commands }) => commands?.startsWith('mkdir ../first '));
    for (const [index, guide] of guides.entries()) {
      const { directory } = await runBlock(
        installing.replaceAll('../first', `../guide-${index}`),
        checkout,
        environment,
      );
      yield* followPage(guide, directory, environment);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function* followPage(page, start, environment) {
  let directory = start;
  for (const { commands, file, code } of stepsOf(page)) {
    if (commands !== undefined) {
      const ran = await runBlock(commands, directory, environment);
      directory = ran.directory;
      yield { page, commands, output: ran.output };
    } else if (file !== undefined) {
      mkdirSync(dirname(join(directory, file)), { recursive: true });
      writeFileSync(join(directory, file), code);
    }
  }
}

/** Lists the files of a clone: those that git tracks, with their current contents. */
function copyCheckout(target) {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);
  for (const file of files) if (existsSync(join(root, file))) cpSync(join(root, file), join(target, file));
}

/** Returns the environment without the variables that npm and test runners set for child processes; npm's download cache is kept. */
function strangersEnvironment(folder) {
  const isOwn = (name) =>
    /^(?:npm_|VITEST|NODE_(?:ENV|OPTIONS|PATH|TEST)|PROPERTY_RUNS$|INIT_CWD$|TEST$|FORCE_)/.test(name);
  const kept = Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOwn(name)));
  const setting = (name) => execFileSync('npm', ['config', 'get', name], { cwd: tmpdir(), encoding: 'utf8' }).trim();
  return {
    ...kept,
    NO_COLOR: '1',
    HOME: join(folder, 'home'),
    npm_config_cache: setting('cache'),
    npm_config_userconfig: setting('userconfig'),
    npm_config_prefix: join(folder, 'global'),
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
  };
}

/** Runs one block in a shell that stops at the first failure. A server is stopped after the command that it suggests has succeeded. */
async function runBlock(commands, directory, environment) {
  const written = await withFreePort(commands);
  const shell = spawn('sh', ['-e', '-c', `${written}\npwd >&3`], {
    cwd: directory,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    // A process group of its own, as in a terminal, so that a signal reaches npm, its shell and the server.
    detached: true,
  });
  const ended = once(shell, 'close');
  const last = text(shell.stdio[3]);
  let output = '';
  let failure;
  const stop = (signal) => {
    try {
      process.kill(-shell.pid, signal);
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
  };
  const kill = () => stop('SIGKILL');
  // The group would outlive this process.
  process.once('exit', kill);
  let limit = setTimeout(kill, MAX_BLOCK_MS);
  let serves = false;
  const read = (chunk) => {
    output += chunk;
    const command = /^Try: (.+)\n/m.exec(output)?.[1];
    if (serves || command === undefined) return;
    serves = true;
    clearTimeout(limit);
    try {
      output += tryCommand(command, directory, environment);
    } catch (error) {
      failure = error;
    }
    stop('SIGINT');
    limit = setTimeout(() => {
      failure ??= new Error('the server does not stop');
      kill();
    }, MAX_STOP_MS);
  };
  for (const stream of [shell.stdout, shell.stderr]) stream.setEncoding('utf8').on('data', read);
  const [code, signal] = await ended;
  clearTimeout(limit);
  process.off('exit', kill);
  const next = (await last).trim();
  if (failure !== undefined || (!serves && code !== 0))
    throw new Error(`${written}\nended with ${code ?? signal}:\n${output}`, { cause: failure });
  return { output, directory: serves ? directory : next };
}

/** Runs the command that the server suggests. Without kubectl, only the start of the server is checked. */
function tryCommand(command, cwd, env) {
  try {
    execFileSync('sh', ['-c', 'command -v kubectl'], { stdio: 'ignore' });
  } catch {
    return '';
  }
  return execFileSync('sh', ['-c', command], { cwd, env, encoding: 'utf8', stdio: 'pipe', timeout: MAX_STOP_MS });
}

/** Returns the block as it is written, with another port if another program uses its port. */
async function withFreePort(commands) {
  const port = /--secure-port=(\d+)/.exec(commands)?.[1];
  if (port === undefined || (await isFree(Number(port)))) return commands;
  return commands.replace(`--secure-port=${port}`, '--secure-port=0');
}

async function isFree(port) {
  const server = createServer();
  const free = await new Promise((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
  });
  if (free) await new Promise((resolve) => server.close(resolve));
  return free;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
  for await (const { page, commands, output } of followPages())
    console.log(`${page}\n$ ${commands.replaceAll('\n', '\n$ ')}\n${output.trimEnd()}\n`);
}
