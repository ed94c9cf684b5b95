import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../shared/', import.meta.url));

/** Whether the shared data is there; tests that need it skip otherwise. */
export const hasSharedData = existsSync(root);

/** Parsed JSON of the shared folder; undefined where it is absent. */
// biome-ignore lint/suspicious/noExplicitAny: test tables have many shapes, read as they are
export function readShared(path: string): any {
  return hasSharedData ? JSON.parse(readFileSync(root + path, 'utf8')) : undefined;
}

/** Address of a module of the shared folder. */
export const sharedModule = (path: string): string => `file://${root}${path}`;
