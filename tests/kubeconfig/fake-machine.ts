import type { KubeconfigPlatform, PlatformCommand } from '../../src/kubeconfig/platform.js';

/** A machine in memory with files and the output of commands. It records the input of each command. */
export class FakeMachine implements KubeconfigPlatform {
  environment: Record<string, string | undefined> = {};
  readonly home = '/home/jane';
  readonly pathDelimiter = ':';
  isTerminal = false;
  readonly files: Record<string, string>;
  readonly runs: PlatformCommand[] = [];
  /** The output of a command; by default there is no such command. */
  answer: (() => { exitCode: number; output: string }) | undefined;

  constructor(files: Record<string, string> = {}) {
    this.files = files;
  }

  async readFile(path: string): Promise<string> {
    const text = this.files[path];
    if (text === undefined) throw Object.assign(new Error(`open ${path}`), { code: 'ENOENT' });
    return text;
  }
  resolvePath(file: string, path: string): string {
    return path.startsWith('/') ? path : `${file.slice(0, file.lastIndexOf('/'))}/${path}`;
  }
  isPath(command: string): boolean {
    return command.includes('/');
  }
  async run(command: PlatformCommand) {
    this.runs.push(command);
    if (!this.answer) throw Object.assign(new Error('spawn'), { code: 'ENOENT' });
    return this.answer();
  }
  checkKeyPair(certificate: string, key: string): void {
    if (certificate.replace('certificate', '') !== key.replace('key', '')) throw new Error('they do not match');
  }
}
