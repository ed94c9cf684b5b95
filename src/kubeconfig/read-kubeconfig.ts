import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.js';
import { decodeBase64 } from '../values/base64.js';
import { messageOf } from '../values/message-of.js';
import type { KubeconfigCredentials } from './kubeconfig.js';

/** A kubeconfig that cannot be read; the message says which part. */
export class KubeconfigError extends Error {
  override readonly name = 'KubeconfigError';
}

/** What one context of a kubeconfig says. Certificates and keys are PEM. */
export interface KubeconfigContext {
  readonly context: string;
  readonly cluster: string;
  readonly user: string;
  /** `default` when the context names none. */
  readonly namespace: string;
  readonly server: string;
  readonly certificateAuthority?: string;
  /** Whether the server's certificate is not to be checked. */
  readonly insecureSkipTlsVerify: boolean;
  /** The name to check the server's certificate against, instead of the one in `server`. */
  readonly tlsServerName?: string;
  readonly credentials: KubeconfigCredentials;
}

export interface ReadKubeconfigOptions {
  /** The context to read instead of the current one. */
  readonly context?: string | undefined;
  /** Reads the files that a kubeconfig may name instead of holding their content; a path is given as it is written. */
  readonly readFile?: ((path: string) => string | Promise<string>) | undefined;
}

/**
 * Reads the current context of a kubeconfig, YAML or JSON.
 * @throws KubeconfigError when the text, the context or something it needs is missing or malformed.
 */
export async function readKubeconfig(text: string, options: ReadKubeconfigOptions = {}): Promise<KubeconfigContext> {
  const document = await parseDocument(text);
  const contextName = options.context ?? textAt(document, 'current-context', 'the kubeconfig');
  if (contextName === undefined || contextName === '')
    throw new KubeconfigError('the kubeconfig has no current context');
  const context = named(document, 'context', contextName);
  const where = `context "${contextName}"`;
  const clusterName = required(textAt(context, 'cluster', where), where, 'cluster');
  const userName = textAt(context, 'user', where) ?? '';
  const cluster = named(document, 'cluster', clusterName);
  const user = userName === '' ? {} : named(document, 'user', userName);

  const clusterText = `cluster "${clusterName}"`;
  const server = required(textAt(cluster, 'server', clusterText), clusterText, 'server');
  const certificateAuthority = await content(cluster, 'certificate-authority', clusterText, options);
  const tlsServerName = textAt(cluster, 'tls-server-name', clusterText);
  return {
    context: contextName,
    cluster: clusterName,
    user: userName,
    namespace: textAt(context, 'namespace', where) ?? 'default',
    server,
    ...(certificateAuthority === undefined ? {} : { certificateAuthority }),
    insecureSkipTlsVerify: member(cluster, 'insecure-skip-tls-verify') === true,
    ...(tlsServerName === undefined ? {} : { tlsServerName }),
    credentials: await readCredentials(user, `user "${userName}"`, options),
  };
}

async function parseDocument(text: string): Promise<JsonObject> {
  const { parse } = await import('yaml');
  let document: unknown;
  try {
    document = parse(text, { maxAliasCount: 100 });
  } catch (error) {
    throw new KubeconfigError(`the kubeconfig is no YAML: ${messageOf(error)}`);
  }
  if (!isJsonObject(document)) throw new KubeconfigError('the kubeconfig is no object');
  return document;
}

async function readCredentials(user: JsonObject, where: string, options: ReadKubeconfigOptions) {
  for (const method of ['exec', 'auth-provider', 'username']) {
    if (member(user, method) !== undefined)
      throw new KubeconfigError(`${where} uses ${method}, which is not supported`);
  }
  const clientCertificate = await content(user, 'client-certificate', where, options);
  const clientKey = await content(user, 'client-key', where, options);
  if ((clientCertificate === undefined) !== (clientKey === undefined)) {
    throw new KubeconfigError(`${where} has a client certificate without its key, or a key without its certificate`);
  }
  const path = textAt(user, 'tokenFile', where);
  const token =
    textAt(user, 'token', where) ??
    (path === undefined ? undefined : await fileContent(path, 'tokenFile', where, options));
  return {
    ...(token === undefined ? {} : { token: token.trim() }),
    ...(clientCertificate === undefined ? {} : { clientCertificate }),
    ...(clientKey === undefined ? {} : { clientKey }),
  };
}

/** The content of `<name>-data`, else of the file that `<name>` names. */
async function content(object: JsonObject, name: string, where: string, options: ReadKubeconfigOptions) {
  const data = textAt(object, `${name}-data`, where);
  if (data !== undefined && data !== '') return textOfBase64(data, `${name}-data`, where);
  const path = textAt(object, name, where);
  return path === undefined || path === '' ? undefined : fileContent(path, name, where, options);
}

async function fileContent(path: string, name: string, where: string, { readFile }: ReadKubeconfigOptions) {
  if (readFile === undefined) {
    throw new KubeconfigError(
      `${where} names the file ${path} as ${name}: give readFile, or put its content into the kubeconfig`,
    );
  }
  try {
    return await readFile(path);
  } catch (error) {
    throw new KubeconfigError(`${where}: ${name} ${path} cannot be read`, { cause: error });
  }
}

function textOfBase64(text: string, name: string, where: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(decodeBase64(text.replace(/\s/g, '')));
  } catch {
    throw new KubeconfigError(`${where}: ${name} is not base64 of a text`);
  }
}

/** The entry of a name in `clusters`, `users` or `contexts`. */
function named(document: JsonObject, kind: 'cluster' | 'user' | 'context', name: string): JsonObject {
  const list = member(document, `${kind}s`);
  const items: readonly JsonValue[] = Array.isArray(list) ? list : [];
  for (const item of items) {
    if (!isJsonObject(item) || member(item, 'name') !== name) continue;
    const value = member(item, kind);
    if (isJsonObject(value)) return value;
    throw new KubeconfigError(`${kind} "${name}" is empty`);
  }
  throw new KubeconfigError(`the kubeconfig has no ${kind} "${name}"`);
}

function member(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? (object[name] ?? undefined) : undefined;
}

function textAt(object: JsonObject, name: string, where: string): string | undefined {
  const value = member(object, name);
  if (value !== undefined && typeof value !== 'string') throw new KubeconfigError(`${where}: ${name} is no text`);
  return value;
}

function required(value: string | undefined, where: string, name: string): string {
  if (value === undefined || value === '') throw new KubeconfigError(`${where} has no ${name}`);
  return value;
}
