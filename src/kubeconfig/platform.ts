/** The features of the machine that a client needs for a kubeconfig: environment, files, commands and certificate checks. */
export interface KubeconfigPlatform {
  /** The environment variables. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The user's home folder. */
  readonly home: string;
  /** The delimiter between paths in KUBECONFIG. */
  readonly pathDelimiter: string;
  /** Whether standard input is a terminal. */
  readonly isTerminal: boolean;
  /** Reads a file. Rejects with an error with code ENOENT when the file does not exist. */
  readFile(path: string): Promise<string>;
  /** Resolves a path relative to the file that contains it. */
  resolvePath(file: string, path: string): string;
  /** Returns whether a command is a path rather than a name to search for in PATH. */
  isPath(command: string): boolean;
  /** Runs a command until it ends. Rejects when it cannot be run, with code ENOENT when it does not exist. */
  run(command: PlatformCommand): Promise<{ readonly exitCode: number; readonly output: string }>;
  /** Checks a certificate and its key, both PEM. @throws Error when one cannot be read or they do not match. */
  checkKeyPair(certificate: string, key: string): void;
}

/** A command to run. It inherits the client's standard error. */
export interface PlatformCommand {
  /** The name or path of the program. */
  readonly command: string;
  /** The arguments. */
  readonly args: readonly string[];
  /** All environment variables of the program. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether the command reads the client's standard input. */
  readonly interactive: boolean;
}

/**
 * The members of Node's modules that are used. They are declared here, because layers that also run without Node must not import these
 * modules.
 */
interface NativeModules {
  'node:fs/promises': { readFile(path: string, encoding: 'utf8'): Promise<string> };
  'node:os': { homedir(): string };
  'node:path': {
    readonly delimiter: string;
    readonly sep: string;
    dirname(path: string): string;
    resolve(...paths: string[]): string;
  };
  'node:tls': { createSecureContext(options: { readonly cert: string; readonly key: string }): unknown };
  'node:child_process': {
    spawn(command: string, args: readonly string[], options: Readonly<Record<string, unknown>>): NativeChild;
  };
}
interface NativeChild {
  readonly stdout: { on(event: 'data', listener: (chunk: Uint8Array) => void): void };
  on(event: 'error', listener: (error: Error) => void): void;
  on(event: 'close', listener: (exitCode: number | null, signal: string | null) => void): void;
  kill(): void;
}
interface NativeProcess {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: { readonly isTTY?: boolean };
  getBuiltinModule?(name: string): unknown;
}

/** Maximum length of a plug-in's output. Real plug-ins print far less. */
const MAX_OUTPUT = 1024 * 1024;

/**
 * Returns the access to this machine's environment, files and commands. @throws TypeError for a runtime without Node's built-in modules.
 */
export function nativePlatform(): KubeconfigPlatform {
  const { process } = globalThis as { readonly process?: NativeProcess };
  if (!process?.getBuiltinModule)
    throw new TypeError('this runtime has neither files nor commands: give the option `platform`');
  // The cast is safe: Node documents the modules with these members.
  const load = <N extends keyof NativeModules>(name: N) => process.getBuiltinModule?.(name) as NativeModules[N];
  const path = load('node:path');
  return {
    environment: process.env,
    home: load('node:os').homedir(),
    pathDelimiter: path.delimiter,
    get isTerminal() {
      return process.stdin.isTTY === true;
    },
    readFile: async (file) => await load('node:fs/promises').readFile(file, 'utf8'),
    resolvePath: (file, written) => path.resolve(path.dirname(file), written),
    isPath: (command) => command.includes(path.sep),
    checkKeyPair(cert, key) {
      load('node:tls').createSecureContext({ cert, key });
    },
    run: ({ command, args, environment, interactive }) =>
      new Promise((resolve, reject) => {
        const child = load('node:child_process').spawn(command, args, {
          env: environment,
          stdio: [interactive ? 'inherit' : 'ignore', 'pipe', 'inherit'],
          windowsHide: true,
        });
        const decoder = new TextDecoder();
        let output = '';
        child.stdout.on('data', (chunk) => {
          // A command that ignores the signal may print on.
          if (output.length > MAX_OUTPUT) return;
          output += decoder.decode(chunk, { stream: true });
          if (output.length <= MAX_OUTPUT) return;
          child.kill();
          reject(new Error(`it printed more than ${MAX_OUTPUT} characters`));
        });
        child.on('error', reject);
        child.on('close', (exitCode, signal) => {
          if (exitCode === null) reject(new Error(`it was terminated by ${signal}`));
          else resolve({ exitCode, output: output + decoder.decode() });
        });
      }),
  };
}
