import { isJsonObject, type JsonObject } from '../json/value.js';
import { type Clock, isYoung, reading } from '../meta/clock.js';
import type { Dialect } from '../meta/dialect.js';
import { encodeBase64Text } from '../values/base64.js';
import { formatCodePoint } from '../values/code-point.js';
import { messageOf } from '../values/message-of.js';
import { quote } from '../values/quote.js';
import { timeToMilliseconds } from '../values/time.js';
import type { KubeconfigPlatform } from './platform.js';
import type { ExecConfig, KubeconfigContext } from './read-kubeconfig.js';

export interface ExecPluginHost {
  /** Returns the access to files, commands and environment. It is called only when it is needed, because not every runtime has them. */
  readonly platform: () => KubeconfigPlatform;
  readonly clock: Clock;
  readonly dialect: Dialect;
}

/** The maximum number of errors within `HINTS_IN` milliseconds that contain the install hint of a missing plug-in. */
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

  /** @throws Error for an unknown apiVersion of the plug-in's input and output. */
  constructor(config: ExecConfig, context: KubeconfigContext, host: ExecPluginHost) {
    checkExecVersion(config, host.dialect);
    this.#config = config;
    this.#context = context;
    this.#host = host;
  }

  /** Returns the credentials, which are the same object as long as they are valid. @throws Error when the plug-in fails. */
  async credential(): Promise<ExecCredential> {
    const known = this.#credential;
    if (known && (known.expires === undefined || this.#host.clock.now() < known.expires)) return known;
    // Callers that arrive during a run of the plug-in share the result of that run.
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return await this.#running;
  }

  /**
   * Drops credentials that the server has refused, so that the plug-in runs again. If they have been renewed meanwhile, the new ones are
   * kept.
   */
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

  /**
   * Returns whether the plug-in may use standard input. @throws Error when the plug-in requires it but standard input is not a terminal.
   */
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

/** Replaces characters that could control the terminal by their code points, `U+001B`. White space stays. */
const withoutEscapes = (text: string) => text.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S}\p{Z}\t-\r]/gu, formatCodePoint);

/** The credentials that a plug-in printed. */
export interface ExecCredential {
  readonly token?: string;
  /** The client certificate in PEM. It is present only together with `clientKey`. */
  readonly clientCertificate?: string;
  readonly clientKey?: string;
  /** Milliseconds since the epoch. Default: the credentials are valid until the server refuses them. */
  readonly expires?: number;
}

const group = ({ groupSuffix }: Dialect) => `client.authentication.${groupSuffix}`;

/** Checks the apiVersion of the plug-in's input and output. @throws Error for an unknown version. */
function checkExecVersion({ apiVersion }: ExecConfig, dialect: Dialect): void {
  if (!isKnown(apiVersion, dialect)) throw new Error(`exec plugin: invalid apiVersion ${quote(apiVersion)}`);
}

const isKnown = (apiVersion: string, dialect: Dialect) =>
  ['v1', 'v1beta1'].some((version) => apiVersion === `${group(dialect)}/${version}`);

/** Returns the JSON that a plug-in receives in an environment variable (spec 11.22). */
function execInfo(
  { apiVersion, provideClusterInfo }: ExecConfig,
  context: KubeconfigContext,
  interactive: boolean,
  dialect: Dialect,
): string {
  const { server, tlsServerName, insecureSkipTlsVerify, certificateAuthority, proxyUrl, disableCompression } = context;
  const config = context.extensions?.get(`${group(dialect)}/exec`);
  const cluster = {
    server,
    ...(tlsServerName === undefined ? {} : { 'tls-server-name': tlsServerName }),
    ...(insecureSkipTlsVerify ? { 'insecure-skip-tls-verify': true } : {}),
    ...(certificateAuthority === undefined
      ? {}
      : { 'certificate-authority-data': encodeBase64Text(certificateAuthority) }),
    ...(proxyUrl === undefined ? {} : { 'proxy-url': proxyUrl }),
    ...(disableCompression ? { 'disable-compression': true } : {}),
    config: config ?? null,
  };
  const spec = { ...(provideClusterInfo ? { cluster } : {}), interactive };
  return JSON.stringify({ kind: 'ExecCredential', apiVersion, spec });
}

/** Parses the output of a plug-in. @throws Error for output that is not a valid ExecCredential. */
function readExecCredential(text: string, { apiVersion }: ExecConfig, dialect: Dialect): ExecCredential {
  const object = decode(text, dialect);
  if (object['apiVersion'] !== apiVersion)
    throw new Error(
      `exec plugin is configured to use API version ${apiVersion}, plugin returned version ${String(object['apiVersion'])}`,
    );
  const { status } = object;
  if (!isJsonObject(status)) throw new Error(`exec plugin didn't return a status field`);
  const token = textIn(status, 'token');
  const clientCertificate = textIn(status, 'clientCertificateData');
  const clientKey = textIn(status, 'clientKeyData');
  if (token === '' && clientCertificate === '' && clientKey === '')
    throw new Error(`exec plugin didn't return a token or cert/key pair`);
  if ((clientCertificate === '') !== (clientKey === ''))
    throw new Error('exec plugin returned only certificate or key, not both');
  const time = textIn(status, 'expirationTimestamp');
  return {
    ...(token === '' ? {} : { token }),
    ...(clientCertificate === '' ? {} : { clientCertificate, clientKey }),
    ...(time === '' ? {} : { expires: withoutOutput(() => timeToMilliseconds(time)) }),
  };
}

function decode(text: string, dialect: Dialect): JsonObject {
  const object = withoutOutput(() => JSON.parse(text) as unknown);
  if (!isJsonObject(object)) throw new Error('decoding stdout: it is not an object');
  const { kind, apiVersion } = object;
  if (typeof kind !== 'string' || kind === '') throw new Error(`decoding stdout: Object 'Kind' is missing`);
  if (typeof apiVersion !== 'string' || apiVersion === '')
    throw new Error(`decoding stdout: Object 'apiVersion' is missing`);
  if (kind !== 'ExecCredential' || !isKnown(apiVersion, dialect))
    throw new Error(`decoding stdout: no kind ${quote(kind)} is registered for version ${quote(apiVersion)}`);
  return object;
}

function withoutOutput<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    // The parser's message is not included in the error, because it might quote the output, which is secret.
    throw new Error(`decoding stdout: ${error instanceof SyntaxError ? 'it is not JSON' : String(error)}`);
  }
}

function textIn(status: JsonObject, name: string): string {
  const value = status[name] ?? '';
  if (typeof value !== 'string') throw new Error(`decoding stdout: ${name} is not a string`);
  return value;
}
