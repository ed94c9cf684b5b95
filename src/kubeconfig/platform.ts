/** What a client needs from its machine to use every feature of a kubeconfig. */
export interface KubeconfigPlatform {
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
  /** Whether a command is a path rather than a name to search for. */
  isPath(command: string): boolean;
  /** Runs a command until it ends. Rejects when it cannot be run, with code ENOENT when it does not exist. */
  run(command: PlatformCommand): Promise<{ readonly exitCode: number; readonly output: string }>;
  /** Checks a certificate and its key, both PEM. @throws Error when one cannot be read or they do not match. */
  checkKeyPair(certificate: string, key: string): void;
}

/** A command to run. Its standard error is passed on to the client's. */
export interface PlatformCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether the command reads the client's standard input. */
  readonly interactive: boolean;
}
