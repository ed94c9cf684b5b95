import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { versionDocument } from '../discovery/version.js';
import { messageOf } from '../values/message-of.js';
import { adviceFor, explainListenError } from './advice.js';
import { announcement, kubeconfigHint } from './announce.js';
import { checkFlags } from './check-flags.js';
import type { CliListen, CliListener, CliServer, CliServerFactory } from './cli-server.js';
import { checkWritable, readFileIfExists, writePrivateFile } from './files.js';
import { formatHelp } from './flag-help.js';
import type { Flags, FlagValues } from './flags.js';
import { readListenOptions, withKeptCertificate } from './listen-options.js';
import { createLogger } from './logger.js';
import { parseFlags } from './parse-flags.js';
import { dataFolder, openPrivateFolder } from './storage/data-folder.js';
import type { TestKit } from './test-kit/open-test-kit.js';

export interface RunEnvironment {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  /** Resolves when `stdout` is written, and rejects if a part of it is lost. Default: nothing is lost. */
  readonly flush?: () => Promise<void>;
  /** When the signal is aborted, the program shuts down gracefully. */
  readonly signal: AbortSignal;
  /** Creates the server. Default: an ApiServer with the options of the flags. */
  readonly makeServer?: CliServerFactory;
  /** Starts the listener. Default: the function of the library that listens over HTTPS. */
  readonly listen?: CliListen;
  /** The path of the program's script, for the programs that `envtest` writes. Default: the script that Node runs. */
  readonly script?: string;
}

/**
 * Runs the program: parses the flags, starts a server, listens until the signal, and stops. With `storage` as the first argument, it
 * checks, compacts, exports or imports a data folder instead; with `envtest`, it writes the programs that envtest starts.
 * @param argv the arguments, without the names of the runtime and the script.
 * @returns the exit code: 0 after a graceful end, 1 when the server could not start or stop. Errors are written to stderr as
 * `Error: ...`, and a line with advice may follow.
 */
export async function run(argv: readonly string[], environment: RunEnvironment): Promise<number> {
  const { stdout, stderr } = environment;
  let flags: Flags | undefined;
  try {
    const [command, ...others] = argv;
    if (command === 'storage') {
      const { runStorageCommand } = await import('./storage/storage-command.js');
      await runStorageCommand(others, stdout);
      await environment.flush?.();
      return 0;
    }
    if (command === 'envtest') {
      const { runEnvtestCommand } = await import('./envtest/envtest-command.js');
      return await runEnvtestCommand(others, environment, (args) => run(args, environment));
    }
    flags = parseFlags(argv);
    if (flags.values.help) {
      stdout.write(formatHelp(await import('./flag-choices.js')));
      return 0;
    }
    const { version } = flags.values;
    if (version === true) {
      stdout.write(`${manifest.name} ${manifest.version}\n`);
      return 0;
    }
    if (version === 'raw') {
      stdout.write(`${JSON.stringify(versionDocument(manifest.version), null, 2)}\n`);
      return 0;
    }
    for (const warning of flags.warnings) stderr.write(`${warning}\n`);
    refuse(checkFlags(flags));
    const { setFlags } = flags;
    if (PLUGIN_FLAGS.some((name) => setFlags.has(name))) {
      const { checkPluginNames } = await import('./plugin-names.js');
      refuse(checkPluginNames(flags));
    }
    await serve(flags, environment);
    return 0;
  } catch (error) {
    stderr.write(`Error: ${messageOf(error)}\n`);
    const advice = adviceFor(error, flags?.values);
    if (advice !== undefined) stderr.write(`${advice}\n`);
    return 1;
  }
}

/**
 * Flags whose values are names of plug-ins and controllers. The module with the known names is loaded only when one of these flags is
 * given.
 */
const PLUGIN_FLAGS = [
  'admission-control',
  'enable-admission-plugins',
  'disable-admission-plugins',
  'controllers',
] as const;

function refuse(mistakes: readonly string[]): void {
  if (mistakes.length > 0) throw new Error(mistakes.length === 1 ? mistakes[0] : `[${mistakes.join(', ')}]`);
}

async function serve(flags: Flags, environment: RunEnvironment): Promise<void> {
  const { stdout, stderr, signal } = environment;
  const values = await withKeptCertificate(flags.values);
  const logger = createLogger({
    format: values['logging-format'] === 'json' ? 'json' : 'text',
    verbosity: values.v,
    modules: values.vmodule,
    write: (text) => void stderr.write(text),
    now: () => performance.timeOrigin + performance.now(),
    processId: process.pid,
  });

  const makeServer = environment.makeServer ?? (await import('./server-options.js')).makeServer;
  const listen = environment.listen ?? (await import('./server-options.js')).listenOverHttp;
  const certificates = CERTIFICATE_FLAGS.some((name) => values[name] !== undefined)
    ? await import('./configuration/follow-certificates.js')
    : undefined;
  const certificateFiles = await certificates?.readCertificateFiles(values);
  const listenOptions = await readListenOptions(values, logger.error);
  const dataPath = values['data-dir'];
  if (dataPath !== undefined) await openPrivateFolder('data-dir', dataPath);
  const wanted = values['write-kubeconfig'] ?? (dataPath === undefined ? undefined : dataFolder(dataPath).kubeconfig);
  for (const file of [values.save, wanted]) if (file !== undefined) await checkWritable(file);
  const server = await makeServer(flags, logger);
  let listener: CliListener | undefined;
  let folder: string | undefined;
  let testKit: TestKit | undefined;
  let stopFollowing = () => {};
  let isStarted = false;
  try {
    if (values['test-kit']) testKit = await (await import('./test-kit/open-test-kit.js')).openTestKit(server);
    const loaded = await loadFiles(server, values);
    if (!(await startUntil(signal, server))) {
      stdout.write('Stopping: the start is aborted\n');
      return;
    }
    isStarted = true;
    stdout.write(announcement(server, values, `${manifest.name} ${manifest.version}`));
    for (const line of loaded) stdout.write(`${line}\n`);
    listener = await listen(server, listenOptions).catch((error: unknown) => {
      throw explainListenError(error, values);
    });
    stdout.write(`Listening on ${listener.url}\n`);
    if (testKit) stdout.write(`Test kit: ${testKit.url}, with the secret in the kubeconfig\n`);
    if (certificates && certificateFiles)
      stopFollowing = certificates.followCertificates(values, certificateFiles, listener, logger.log);
    if (wanted === undefined) folder = await mkdtemp(join(tmpdir(), 'orch-apiserver-'));
    const file = wanted ?? join(folder ?? '', 'admin.kubeconfig');
    if (await writeKubeconfig(listener, file, values['write-kubeconfig'] !== undefined, testKit))
      stdout.write(kubeconfigHint(values.dialect, file, wanted !== undefined));
    await untilAborted(signal);
    stdout.write(
      'Stopping: watches are ended and requests in flight are completed; a second signal ends the program at once\n',
    );
    await server.drain();
  } finally {
    stopFollowing();
    await testKit?.close();
    await listener?.close({
      graceMilliseconds: values['shutdown-grace'],
      watchGraceMilliseconds: values['shutdown-watch-termination-grace-period'],
    });
    try {
      if (listener !== undefined && values.save !== undefined) {
        await writePrivateFile(values.save, await server.save());
        stdout.write(`Saved all objects to ${values.save}\n`);
      }
    } finally {
      const closed = server.close();
      // `server.close` waits for the end of the start. A start that the signal has interrupted may never end, because it may wait for an
      // external server that does not respond. The close of such a server is therefore not awaited.
      if (isStarted || !signal.aborted) await closed;
      else closed.catch(() => {});
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    }
  }
}

/** Starts a server. Returns false if the signal is aborted before the start is complete. */
async function startUntil(signal: AbortSignal, server: CliServer): Promise<boolean> {
  const started = server.start().then(() => true);
  const ended = untilAborted(signal).then(() => false);
  started.catch(() => {}); // A rejection is ignored, because the start may still fail after the signal.
  return await Promise.race([started, ended]);
}

/** Flags that name certificate files, which may be replaced while the program runs. */
const CERTIFICATE_FLAGS = [
  'tls-cert-file',
  'tls-sni-cert-key',
  'client-ca-file',
  'requestheader-client-ca-file',
] as const;

/** Loads the initial objects from files, folders and globs. Returns the lines to print once the server has started. */
async function loadFiles(server: CliServer, { load: paths = [], save }: FlagValues): Promise<readonly string[]> {
  const lines: string[] = [];
  if (paths.length === 0) return lines;
  const { manifests } = await import('../testing/manifests.js');
  for (const path of paths) {
    // If `--load` and `--save` name the same file, it does not exist before the first end of the program, so its absence is not an error.
    if (path === save && (await readFileIfExists(path)) === undefined) {
      lines.push(`Loaded nothing from ${path}, which is not there yet`);
      continue;
    }
    const files = await manifests(path).read();
    const count = await server.load({ read: async () => files }).catch((error: unknown) => {
      // The message already begins with the name of the file that caused the error.
      throw new Error(`load ${messageOf(error)}`, { cause: error });
    });
    lines.push(`Loaded ${count} ${count === 1 ? 'object' : 'objects'} from ${path}`);
  }
  return lines;
}

/**
 * Writes the kubeconfig file. If the private key of the certificate authority is not known, no client certificate can be issued. This is an
 * error only if a flag requested the file.
 */
async function writeKubeconfig(
  listener: CliListener,
  file: string,
  isExplicit: boolean,
  testKit: TestKit | undefined,
): Promise<boolean> {
  const extensions = testKit && { [testKit.extension]: { url: testKit.url, secret: testKit.secret } };
  try {
    await writePrivateFile(file, await listener.kubeconfig(extensions && { extensions }));
    return true;
  } catch (error) {
    if (isExplicit || !(error instanceof TypeError)) throw error;
    return false;
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
