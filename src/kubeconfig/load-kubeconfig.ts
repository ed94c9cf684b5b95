import type { JsonObject } from '../json/value.js';
import { messageOf } from '../values/message-of.js';
import { mergeKubeconfigs, parseKubeconfig, resolvePaths } from './document.js';
import { KubeconfigError } from './kubeconfig.js';
import type { KubeconfigPlatform } from './platform.js';
import { type KubeconfigContext, readContext } from './read-kubeconfig.js';

/** Where a kubeconfig is read from. */
export interface LoadKubeconfigOptions {
  /** The content of a kubeconfig. Its paths are relative to the working directory. Default: `files` are read. */
  readonly text?: string;
  /**
   * The paths of kubeconfig files, all of which must exist. If several contain a value, the first takes precedence. Default: see {@link
   * loadContext}.
   */
  readonly files?: readonly string[];
  /** The name of the context. Default: the current context. */
  readonly context?: string;
}

/**
 * Loads the current context from the kubeconfig in the options. By default, the files in the environment variable KUBECONFIG are read
 * (missing ones are skipped), or, if the variable is empty, `~/.kube/config`. Paths in a file are relative to that file. The files that the
 * user and the cluster refer to are read as well.
 * @throws KubeconfigError when a required file, the context or a required entry or member is missing or malformed.
 */
export async function loadContext(
  { text, files, context }: LoadKubeconfigOptions,
  platform: () => KubeconfigPlatform,
): Promise<KubeconfigContext> {
  const documents = text === undefined ? await readFiles(files, platform()) : [await parseKubeconfig(text)];
  return await readContext(mergeKubeconfigs(documents), {
    context,
    readFile: async (path) => await platform().readFile(path),
  });
}

async function readFiles(files: readonly string[] | undefined, platform: KubeconfigPlatform): Promise<JsonObject[]> {
  const listed = (platform.environment['KUBECONFIG'] ?? '').split(platform.pathDelimiter).filter((file) => file !== '');
  const usual = `${platform.home}/.kube/config`;
  const paths = files ?? (listed.length > 0 ? [...new Set(listed)] : [usual]);
  const contents = await Promise.all(paths.map((file) => readOne(file, files !== undefined, platform)));
  const documents = contents.filter((document) => document !== undefined);
  if (documents.length > 0) return documents;
  throw new KubeconfigError(`no kubeconfig was found: ${paths.join(', ')}`);
}

/** Reads a kubeconfig file. Returns undefined for an optional file that does not exist. */
async function readOne(file: string, isNeeded: boolean, platform: KubeconfigPlatform): Promise<JsonObject | undefined> {
  const text = await platform.readFile(file).catch((error: unknown) => {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (isMissing && !isNeeded) return undefined;
    throw new KubeconfigError(`the kubeconfig ${file} cannot be read: ${messageOf(error)}`, { cause: error });
  });
  if (text === undefined) return undefined;
  const document = await parseKubeconfig(text).catch((error: Error) => {
    throw new KubeconfigError(`${file}: ${error.message}`, { cause: error });
  });
  const resolve = (path: string) => platform.resolvePath(file, path);
  return resolvePaths(document, resolve, (command) => (platform.isPath(command) ? resolve(command) : command));
}
