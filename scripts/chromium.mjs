// Runs scripts in an installed browser, without a window.
import { spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const PLACES = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];
/** In milliseconds. A browser that starts on a busy machine needs several seconds. */
const PATIENCE = 120_000;

/** Returns the path of a Chromium or Chrome: `$CHROME_BIN`, or the first one that is found; undefined without one. */
export function findChromium() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const paths = [
    process.env.CHROME_BIN,
    ...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))),
    ...PLACES,
  ];
  return paths.find((path) => path && isExecutable(path));
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Runs a module in a page.
 * @param chromium the path of the browser.
 * @param code the module, which must call `report(value)` once.
 * @returns the reported value, as JSON can represent it. Rejects with the error that the page threw, or after two minutes without a report.
 */
export async function runInChromium(chromium, code) {
  const folder = mkdtempSync(join(tmpdir(), 'chromium-'));
  let browser;
  let timer;
  let printed = '';
  const server = createServer();
  try {
    return await new Promise((resolve, reject) => {
      server.on('request', (request, response) => {
        if (request.method !== 'POST') {
          const [type, text] = request.url === '/' ? ['text/html', PAGE] : ['text/javascript', code];
          response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(text);
          return;
        }
        let body = '';
        request.on('data', (part) => (body += part));
        request.on('end', () => {
          response.end();
          const { value, error } = JSON.parse(body);
          if (error === undefined) resolve(value);
          else reject(new Error(error));
        });
      });
      server.listen(0, '127.0.0.1', () => {
        const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run'];
        const url = `http://127.0.0.1:${server.address().port}/`;
        browser = spawn(chromium, [...flags, `--user-data-dir=${folder}`, url], {
          stdio: ['ignore', 'ignore', 'pipe'],
          // A process group of its own, so that the browser's child processes end with it.
          detached: true,
        });
        browser.stderr.on('data', (part) => (printed += part));
        browser.on('error', reject);
        browser.on('exit', (status) => reject(new Error(`the browser ended with ${status}: ${printed.slice(-2000)}`)));
      });
      timer = setTimeout(() => reject(new Error(`the page reported nothing: ${printed.slice(-2000)}`)), PATIENCE);
    });
  } finally {
    clearTimeout(timer);
    server.closeAllConnections();
    server.close();
    if (browser?.pid !== undefined && browser.exitCode === null) {
      const ended = new Promise((resolve) => browser.once('exit', resolve));
      process.kill(-browser.pid, 'SIGKILL');
      await ended;
    }
    await removeFolder(folder);
  }
}

/** Killed processes may write for another moment, in which case the temporary folder cannot be removed and stays. */
async function removeFolder(folder) {
  for (let attempt = 0; attempt < 20; attempt++) {
    try {
      rmSync(folder, { recursive: true, force: true });
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

const PAGE = `<!doctype html><script>
const send = (message) => fetch('/', { method: 'POST', body: JSON.stringify(message) });
globalThis.report = (value) => send({ value });
addEventListener('error', ({ error, message }) => send({ error: String(error?.stack ?? message) }));
addEventListener('unhandledrejection', ({ reason }) => send({ error: String(reason?.stack ?? reason) }));
</script><script type="module" src="/module.js"></script>`;
