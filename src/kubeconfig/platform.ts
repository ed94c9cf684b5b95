/** What a client needs of the machine it runs on to use a kubeconfig with all that may be in it. */
export interface KubeconfigPlatform {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where `~` is. */
  readonly home: string;
  /** Between paths in KUBECONFIG. */
  readonly pathDelimiter: string;
  /** Whether standard input is a terminal. */
  readonly isTerminal: boolean;
  /** Rejects with an error whose `code` is ENOENT where there is no such file. */
  readFile(path: string): Promise<string>;
  /** A path as it is meant in a file. */
  resolvePath(file: string, path: string): string;
  /** Whether a command is a path, and not a name to be searched for. */
  isPath(command: string): boolean;
  /** Runs a command to its end. Rejects where it cannot be run, with `code` ENOENT where there is none. */
  run(command: PlatformCommand): Promise<{ readonly exitCode: number; readonly output: string }>;
  /** @throws Error where a certificate or key cannot be read, or they do not belong together; both PEM. */
  checkKeyPair(certificate: string, key: string): void;
}

/** A command; its errors are shown to whoever runs the client. */
export interface PlatformCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether it reads what is typed. */
  readonly interactive: boolean;
}
