import type { ManifestFile, Manifests } from '../client/load.js';

const EXTENSIONS = ['.yaml', '.yml', '.json'];
/** The maximum number of files that one path may select, because a glob such as `/**` would otherwise read a whole disk. */
const MAX_FILES = 10_000;

/**
 * Returns the manifests of a path for `server.load()`. The files are read when they are loaded, sorted by path. Only files whose names end
 * in `.yaml`, `.yml` or `.json` are read.
 * @param path a file; a folder, without its subfolders; or a glob, in which `*` and `?` match characters within one name and `**` matches
 * any folders. A relative path is resolved against the working directory; for a path relative to a module, pass a URL such as `new
 * URL('manifests/', import.meta.url)`.
 * @throws Error, when the manifests are loaded, if the path does not exist, or selects no file or more than 10,000 files.
 */
export function manifests(path: string | URL): Manifests {
  if (!(path instanceof URL) && (typeof path !== 'string' || path === ''))
    throw new TypeError('manifests needs a path, a glob or a file: URL');
  return { read: () => readManifests(path) };
}

async function readManifests(location: string | URL): Promise<readonly ManifestFile[]> {
  // The module is loaded here, because the other exports of this entry point also work in runtimes without files.
  const { readFile, stat } = await import('node:fs/promises');
  const { fileURLToPath } = await import('node:url');
  const path = location instanceof URL ? fileURLToPath(location) : location;
  // A name with a star or a question mark may exist, so a path is a glob only if there is no such file.
  const stats = await stat(path).catch(() => undefined);
  if (!stats && !isGlob(path)) throw new Error(`open ${path}: no such file or directory`);
  // A device such as /dev/stdin and a pipe are read like a file.
  const isFile = stats && !stats.isDirectory();
  const names = isFile ? [path] : await filesOf(stats ? `${path.replace(/\/$/, '')}/*` : path);
  if (names.length === 0) {
    const hint = !stats && /[{}[\]]/.test(path) ? ' (only *, ? and ** are wildcards)' : '';
    throw new Error(`${path}: there is no file that ends in ${EXTENSIONS.join(', ')}${hint}`);
  }
  const files: ManifestFile[] = [];
  for (const name of names) files.push({ name, text: await readFile(name, 'utf8') });
  return files;
}

const isGlob = (text: string) => /[*?]/.test(text);

/** Returns the sorted paths of the files that a glob selects. */
async function filesOf(glob: string): Promise<string[]> {
  const { readdir, stat } = await import('node:fs/promises');
  const matches = new Set<string>();

  async function walk(base: string, [segment = '', ...rest]: readonly string[]): Promise<void> {
    const isLast = rest.length === 0;
    const at = (name: string) => (base === '' ? name : `${base}${base.endsWith('/') ? '' : '/'}${name}`);
    if (!isGlob(segment)) return isLast ? await take(at(segment)) : await walk(at(segment) || '/', rest);
    const entries = await readdir(base === '' ? '.' : base, { withFileTypes: true }).catch(() => []);
    if (segment === '**') {
      await walk(base, isLast ? ['*'] : rest);
      // Symbolic links are not followed, because they may form a cycle.
      for (const entry of entries)
        if (entry.isDirectory() && !entry.name.startsWith('.')) await walk(at(entry.name), [segment, ...rest]);
      return;
    }
    for (const { name } of entries) {
      if (!matchesGlob(name, segment) || (name.startsWith('.') && !segment.startsWith('.'))) continue;
      await (isLast ? take(at(name)) : walk(at(name), rest));
    }
  }

  async function take(path: string): Promise<void> {
    if (!EXTENSIONS.some((extension) => path.endsWith(extension))) return;
    if (!(await stat(path).catch(() => undefined))?.isFile()) return;
    if (matches.add(path).size > MAX_FILES) throw new Error(`${glob}: more than ${MAX_FILES} files`);
  }

  await walk('', glob.split('/'));
  return [...matches].sort();
}

/** Returns whether a name matches a pattern of `*` and `?`. The time is at most proportional to the product of their lengths. */
function matchesGlob(name: string, pattern: string): boolean {
  let at = 0;
  let inPattern = 0;
  let star = -1;
  let afterStar = 0;
  while (at < name.length) {
    if (pattern[inPattern] === '*') {
      star = inPattern++;
      afterStar = at;
    } else if (pattern[inPattern] === '?' || pattern[inPattern] === name[at]) {
      inPattern++;
      at++;
    } else if (star >= 0) {
      // The rest of the pattern did not match, so the last star takes one more character.
      inPattern = star + 1;
      at = ++afterStar;
    } else return false;
  }
  while (pattern[inPattern] === '*') inPattern++;
  return inPattern === pattern.length;
}
