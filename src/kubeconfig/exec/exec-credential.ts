import { isJsonObject, type JsonObject } from '../../json/value.js';
import type { Dialect } from '../../meta/dialect.js';
import { encodeBase64Text } from '../../values/base64.js';
import { quote } from '../../values/quote.js';
import { timeToMilliseconds } from '../../values/time.js';
import type { KubeconfigContext } from '../read-kubeconfig.js';
import type { ExecConfig } from './exec-config.js';

/** The credentials that a plug-in printed. */
export interface ExecCredential {
  readonly token?: string;
  /** PEM. It always comes with its key. */
  readonly clientCertificate?: string;
  readonly clientKey?: string;
  /** Milliseconds since the epoch. Default: the credentials are valid until the server refuses them. */
  readonly expires?: number;
}

const group = ({ groupSuffix }: Dialect) => `client.authentication.${groupSuffix}`;

/** Checks the version of the plug-in's interface. @throws Error for an unknown version. */
export function checkExecVersion({ apiVersion }: ExecConfig, dialect: Dialect): void {
  if (!isKnown(apiVersion, dialect)) throw new Error(`exec plugin: invalid apiVersion ${quote(apiVersion)}`);
}

const isKnown = (apiVersion: string, dialect: Dialect) =>
  ['v1', 'v1beta1'].some((version) => apiVersion === `${group(dialect)}/${version}`);

/** Returns the JSON text that a plug-in receives in its environment (spec 11.22). */
export function execInfo(
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

/** Parses the output of a plug-in. @throws Error with the reason. */
export function readExecCredential(text: string, { apiVersion }: ExecConfig, dialect: Dialect): ExecCredential {
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
    ...(time === '' ? {} : { expires: decoding(() => timeToMilliseconds(time)) }),
  };
}

function decode(text: string, dialect: Dialect): JsonObject {
  const object = decoding(() => JSON.parse(text) as unknown);
  if (!isJsonObject(object)) throw new Error('decoding stdout: it is not an object');
  const { kind, apiVersion } = object;
  if (typeof kind !== 'string' || kind === '') throw new Error(`decoding stdout: Object 'Kind' is missing`);
  if (typeof apiVersion !== 'string' || apiVersion === '')
    throw new Error(`decoding stdout: Object 'apiVersion' is missing`);
  if (kind !== 'ExecCredential' || !isKnown(apiVersion, dialect))
    throw new Error(`decoding stdout: no kind ${quote(kind)} is registered for version ${quote(apiVersion)}`);
  return object;
}

function decoding<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    // The output is secret, and a parser's message might quote it.
    throw new Error(`decoding stdout: ${error instanceof SyntaxError ? 'it is not JSON' : String(error)}`);
  }
}

function textIn(status: JsonObject, name: string): string {
  const value = status[name] ?? '';
  if (typeof value !== 'string') throw new Error(`decoding stdout: ${name} is not a string`);
  return value;
}
