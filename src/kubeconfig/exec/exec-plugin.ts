import { type Clock, isYoung, reading } from '../../meta/clock.js';
import type { Dialect } from '../../meta/dialect.js';
import { messageOf } from '../../values/message-of.js';
import { quote } from '../../values/quote.js';
import type { KubeconfigPlatform } from '../platform.js';
import type { KubeconfigContext } from '../read-kubeconfig.js';
import type { ExecConfig } from './exec-config.js';
import { checkExecVersion, type ExecCredential, execInfo, readExecCredential } from './exec-credential.js';

export interface ExecPluginHost {
  /** Returns the platform; called when a plug-in is first run. */
  readonly platform: () => KubeconfigPlatform;
  readonly clock: Clock;
  readonly dialect: Dialect;
}

/** How often within `HINTS_IN` milliseconds the install hint is shown for a plug-in that is not installed. */
const MAX_HINTS = 10;
const HINTS_IN = 3_600_000;

/** Runs a credential plugin when its credentials are needed, and keeps them until they expire or are refused (spec 11.22). */
export class ExecPlugin {
  readonly #config: ExecConfig;
  readonly #context: KubeconfigContext;
  readonly #host: ExecPluginHost;
  #credential: ExecCredential | undefined;
  #running: Promise<ExecCredential> | undefined;
  #hints = 0;
  #hintsSince: number | undefined;

  /** @throws Error for an unknown version of the plug-in's interface. */
  constructor(config: ExecConfig, context: KubeconfigContext, host: ExecPluginHost) {
    checkExecVersion(config, host.dialect);
    this.#config = config;
    this.#context = context;
    this.#host = host;
  }

  /** Returns the credentials; the same object as long as they are valid. @throws Error with the reason. */
  async credential(): Promise<ExecCredential> {
    const known = this.#credential;
    if (known && (known.expires === undefined || this.#host.clock.now() < known.expires)) return known;
    // Callers that arrive during a run share it.
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return await this.#running;
  }

  /** Drops credentials that the server has refused, so that the plug-in runs again. Credentials that were renewed meanwhile stay. */
  refuse(credential: ExecCredential): void {
    if (this.#credential === credential) this.#credential = undefined;
  }

  async #run(): Promise<ExecCredential> {
    const { dialect } = this.#host;
    const platform = this.#host.platform();
    const { command, args, env } = this.#config;
    const interactive = this.#isInteractive();
    const environment: Record<string, string | undefined> = { ...platform.environment };
    for (const { name, value } of env) environment[name] = value;
    environment[dialect.execInfoVariable] = execInfo(this.#config, this.#context, interactive, dialect);
    const { exitCode, output } = await platform
      .run({ command, args, environment, interactive })
      .catch((error: unknown) => {
        throw new Error(isMissing(error) ? this.#notFound() : `exec: ${messageOf(error)}`, { cause: error });
      });
    if (exitCode !== 0) throw new Error(`exec: executable ${command} failed with exit code ${exitCode}`);
    const credential = readExecCredential(output, this.#config, dialect);
    this.#checkKeyPair(credential);
    this.#credential = credential;
    return credential;
  }

  /** Whether the plug-in may use standard input. @throws Error when it must but standard input is not a terminal. */
  #isInteractive(): boolean {
    const { interactiveMode } = this.#config;
    const { isTerminal } = this.#host.platform();
    if (interactiveMode === 'Always' && !isTerminal)
      throw new Error('exec plugin cannot support interactive mode: standard input is not a terminal');
    return interactiveMode !== 'Never' && isTerminal;
  }

  #checkKeyPair({ clientCertificate, clientKey }: ExecCredential): void {
    if (clientCertificate === undefined || clientKey === undefined) return;
    try {
      this.#host.platform().checkKeyPair(clientCertificate, clientKey);
    } catch (error) {
      throw new Error(`failed parsing client key/certificate: ${messageOf(error)}`, { cause: error });
    }
  }

  #notFound(): string {
    const { command, installHint } = this.#config;
    const { clock } = this.#host;
    const message = `exec: executable ${command} not found`;
    if (this.#hintsSince === undefined || !isYoung(clock, this.#hintsSince, HINTS_IN)) {
      this.#hintsSince = reading(clock);
      this.#hints = 0;
    }
    if (++this.#hints > MAX_HINTS) return message;
    const help = `The kubeconfig's user ${quote(this.#context.user)} gets its credentials from this command, which is not installed.`;
    return `${message}\n\n${help}${installHint === '' ? '' : `\n\n${withoutEscapes(installHint)}`}`;
  }
}

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** Removes control characters, so that the text cannot control the terminal. */
const withoutEscapes = (text: string) =>
  [...text].filter((char) => char === '\n' || char === '\t' || !/\p{Cc}/u.test(char)).join('');
