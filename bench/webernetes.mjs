import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'tsup';

/** @ngrok/webernetes as a module of Node: as it is published, only bundlers can read it. */
export async function loadWebernetes() {
  // Inside the project, so that what stays outside the bundle is found.
  const directory = await mkdtemp(join(fileURLToPath(new URL('..', import.meta.url)), 'node_modules/.bench-'));
  try {
    await build({
      config: false,
      silent: true,
      entry: { webernetes: fileURLToPath(import.meta.resolve('@ngrok/webernetes')) },
      outDir: directory,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      noExternal: ['@ngrok/webernetes'],
      outExtension: () => ({ js: '.mjs' }),
    });
    return await import(pathToFileURL(join(directory, 'webernetes.mjs')).href);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
