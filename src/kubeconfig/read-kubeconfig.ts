import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.js';
import { decodeBase64 } from '../values/base64.js';
import { messageOf } from '../values/message-of.js';
import { quote } from '../values/quote.js';
import { findAllNamed, findNamed, member, parseKubeconfig, required, textAt, textsAt } from './document.js';
import { type KubeconfigCredentials, KubeconfigError } from './kubeconfig.js';

/** The content of one context of a kubeconfig. Certificates and keys are PEM. */
export interface KubeconfigContext {
  /** The name of the context. */
  readonly context: string;
  /** The name of the cluster. */
  readonly cluster: string;
  /** The name of the user in the kubeconfig. */
  readonly user: string;
  /** The namespace of the context. Default `default`. */
  readonly namespace: string;
  /** The URL of the server. */
  readonly server: string;
  /** The authorities that verify the server. Default: those of the system. */
  readonly certificateAuthority?: string;
  /** Whether the server's certificate is accepted without a check. */
  readonly insecureSkipTlsVerify: boolean;
  /** The name that the server's certificate must be valid for. Default: the host in `server`. */
  readonly tlsServerName?: string;
  /** The URL of a proxy for all requests. */
  readonly proxyUrl?: string;
  /** Whether the client does not ask for compressed responses. */
  readonly disableCompression?: boolean;
  /** Extensions of the cluster, by name. */
  readonly extensions?: ReadonlyMap<string, JsonValue>;
  /** The credentials of the user of the context. */
  readonly credentials: ContextCredentials;
  /** The user that requests impersonate. Default: none. */
  readonly impersonate?: Impersonation;
}

/** The credentials of the user of a context. */
export interface ContextCredentials extends KubeconfigCredentials {
  /** Path of a file with a token. The file is read again periodically, and takes precedence over `token` while it can be read. */
  readonly tokenFile?: string;
  /** The user name for basic authentication. */
  readonly username?: string;
  /** The password for basic authentication. */
  readonly password?: string;
  /** The credential plug-in, which is used only when there are no other credentials. */
  readonly exec?: ExecConfig;
}

/** The user to impersonate. */
export interface Impersonation {
  /** The name of the impersonated user. */
  readonly username: string;
  /** The uid of the impersonated user. */
  readonly uid?: string;
  /** The groups of the impersonated user. */
  readonly groups: readonly string[];
  /** Extra values of the impersonated user, by key. */
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** The options of `readKubeconfig`. */
export interface ReadKubeconfigOptions {
  /** The name of the context. Default: the current context. */
  readonly context?: string | undefined;
  /** Reads a file that the kubeconfig refers to. The path is passed unchanged. Default: such a file is an error. */
  readonly readFile?: ((path: string) => string | Promise<string>) | undefined;
}

/**
 * Reads the current context of a kubeconfig in YAML or JSON.
 * @throws KubeconfigError when the document is malformed, or the context or a required entry or member is missing or malformed.
 */
export async function readKubeconfig(text: string, options: ReadKubeconfigOptions = {}): Promise<KubeconfigContext> {
  return await readContext(await parseKubeconfig(text), options);
}

/** Reads the current context of a parsed kubeconfig. @throws KubeconfigError as {@link readKubeconfig}. */
export async function readContext(document: JsonObject, options: ReadKubeconfigOptions): Promise<KubeconfigContext> {
  const contextName = options.context ?? textAt(document, 'current-context', 'the kubeconfig');
  if (contextName === undefined || contextName === '')
    throw new KubeconfigError('the kubeconfig has no current context: set current-context, or give the option context');
  const context = findNamed(document, 'context', contextName);
  const where = `context "${contextName}"`;
  const clusterName = required(textAt(context, 'cluster', where), where, 'cluster');
  const userName = textAt(context, 'user', where) ?? '';
  const cluster = findNamed(document, 'cluster', clusterName);
  const user = userName === '' ? {} : findNamed(document, 'user', userName);

  refuseContradictions(cluster, clusterName, user, userName);
  const clusterText = `cluster "${clusterName}"`;
  const server = required(textAt(cluster, 'server', clusterText), clusterText, 'server');
  const certificateAuthority = await content(cluster, 'certificate-authority', clusterText, options);
  const tlsServerName = textAt(cluster, 'tls-server-name', clusterText) ?? '';
  const proxyUrl = textAt(cluster, 'proxy-url', clusterText) ?? '';
  const insecureSkipTlsVerify = member(cluster, 'insecure-skip-tls-verify') === true;
  const extensions = readExtensions(cluster);
  const impersonate = readImpersonation(user, `user "${userName}"`);
  return {
    context: contextName,
    cluster: clusterName,
    user: userName,
    namespace: textAt(context, 'namespace', where) || 'default',
    server,
    ...(certificateAuthority === undefined ? {} : { certificateAuthority }),
    insecureSkipTlsVerify,
    ...(tlsServerName === '' ? {} : { tlsServerName }),
    ...(proxyUrl === '' ? {} : { proxyUrl }),
    ...(member(cluster, 'disable-compression') === true ? { disableCompression: true } : {}),
    ...(extensions.size === 0 ? {} : { extensions }),
    credentials: await readCredentials(user, userName, options),
    ...(impersonate ? { impersonate } : {}),
  };
}

/** Adds a scheme to a server without one: `https` if the context contains TLS settings or a client key, otherwise `http`. */
export function withScheme(context: KubeconfigContext): KubeconfigContext {
  const { server, certificateAuthority, insecureSkipTlsVerify, credentials } = context;
  if (server.includes('://')) return context;
  const secure = certificateAuthority !== undefined || insecureSkipTlsVerify || credentials.clientKey !== undefined;
  return { ...context, server: `${secure ? 'https' : 'http'}://${server}` };
}

/**
 * Refuses what clients do not use: a file beside the same content, and a group, uid or extra of a user to impersonate without that user.
 * @throws KubeconfigError
 */
function refuseContradictions(cluster: JsonObject, clusterName: string, user: JsonObject, userName: string): void {
  const isGiven = (object: JsonObject, name: string) => Object.keys(member(object, name) ?? {}).length > 0;
  const refuseBoth = (object: JsonObject, member: string, shown: string, owner: string) => {
    if (isGiven(object, member) && isGiven(object, `${member}-data`))
      throw new KubeconfigError(`${shown}-data and ${shown} are both specified for ${owner}`);
  };
  refuseBoth(cluster, 'certificate-authority', 'certificate-authority', clusterName);
  refuseBoth(user, 'client-certificate', 'client-cert', userName);
  refuseBoth(user, 'client-key', 'client-key', userName);
  if (!isGiven(user, 'as') && ['as-uid', 'as-groups', 'as-user-extra'].some((name) => isGiven(user, name)))
    throw new KubeconfigError(`requesting uid, groups or user-extra for ${userName} without impersonating a user`);
}

/** The credentials of all users in a kubeconfig, by name, and the user of its current context. */
export interface KubeconfigUsers {
  readonly users: ReadonlyMap<string, ContextCredentials & { readonly impersonate?: Impersonation }>;
  /** Name of the current user; '' when there is none. */
  readonly current: string;
}

/** Reads the users of a kubeconfig, which does not need to contain clusters. @throws KubeconfigError as {@link readKubeconfig}. */
export async function readKubeconfigUsers(text: string, options: ReadKubeconfigOptions = {}): Promise<KubeconfigUsers> {
  const document = await parseKubeconfig(text);
  const users = new Map<string, ContextCredentials & { readonly impersonate?: Impersonation }>();
  for (const [name, user] of findAllNamed(document, 'user')) {
    const impersonate = readImpersonation(user, `user "${name}"`);
    users.set(name, { ...(await readCredentials(user, name, options)), ...(impersonate ? { impersonate } : {}) });
  }
  const contextName = textAt(document, 'current-context', 'the kubeconfig') ?? '';
  const context = findAllNamed(document, 'context').get(contextName) ?? {};
  return { users, current: textAt(context, 'user', `context "${contextName}"`) ?? '' };
}

function readExtensions(cluster: JsonObject): ReadonlyMap<string, JsonValue> {
  const list = member(cluster, 'extensions');
  const entries = Array.isArray(list) ? list.filter(isJsonObject) : [];
  return new Map(entries.map((entry) => [String(member(entry, 'name') ?? ''), member(entry, 'extension') ?? null]));
}

function readImpersonation(user: JsonObject, where: string): Impersonation | undefined {
  const username = textAt(user, 'as', where) ?? '';
  const uid = textAt(user, 'as-uid', where) ?? '';
  const groups = textsAt(user, 'as-groups', where);
  const userExtra = member(user, 'as-user-extra') ?? {};
  if (!isJsonObject(userExtra)) throw new KubeconfigError(`${where}: as-user-extra must be an object`);
  const extra = Object.fromEntries(Object.keys(userExtra).map((name) => [name, textsAt(userExtra, name, where)]));
  if (username === '') return undefined;
  return { username, ...(uid === '' ? {} : { uid }), groups, extra };
}

async function readCredentials(
  user: JsonObject,
  name: string,
  options: ReadKubeconfigOptions,
): Promise<ContextCredentials> {
  const where = `user "${name}"`;
  const exec = readExecConfig(user, name);
  if (member(user, 'auth-provider') !== undefined)
    throw new KubeconfigError(`${where} uses auth-provider, which is not supported`);
  const clientCertificate = await content(user, 'client-certificate', where, options);
  const clientKey = await content(user, 'client-key', where, options);
  if ((clientCertificate === undefined) !== (clientKey === undefined)) {
    throw new KubeconfigError(`${where} has a client certificate without its key, or a key without its certificate`);
  }
  const inline = textAt(user, 'token', where) ?? '';
  const tokenFile = textAt(user, 'tokenFile', where) ?? '';
  const username = textAt(user, 'username', where) ?? '';
  const password = textAt(user, 'password', where) ?? '';
  const token = inline !== '' || tokenFile === '' ? inline : await fileContent(tokenFile, 'tokenFile', where, options);
  if (inline !== '' && (username !== '' || password !== ''))
    throw new KubeconfigError(
      `more than one authentication method found for ${name}; found [token basicAuth], only one is allowed`,
    );
  return {
    ...(token === '' ? {} : { token: token.trim() }),
    ...(tokenFile === '' ? {} : { tokenFile }),
    ...(username === '' && password === '' ? {} : { username, password }),
    ...(clientCertificate === undefined ? {} : { clientCertificate }),
    ...(clientKey === undefined ? {} : { clientKey }),
    ...(exec ? { exec } : {}),
  };
}

/** Returns the decoded content of the member `<name>-data`, or else of the file whose path is in the member `<name>`. */
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
    throw new KubeconfigError(`${where}: ${name} ${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

function textOfBase64(text: string, name: string, where: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(decodeBase64(text.replace(/\s/g, '')));
  } catch {
    throw new KubeconfigError(`${where}: ${name} is not base64 of a text`);
  }
}

/** When a credential plug-in may interact with the user at the terminal. */
export type InteractiveMode = 'Never' | 'IfAvailable' | 'Always';

/** A command that provides credentials, as a kubeconfig configures it (spec 11.22). */
export interface ExecConfig {
  /** The version of the plug-in's input and output: `client.authentication.<suffix>/v1` or `/v1beta1`. */
  readonly apiVersion: string;
  /** The program to run. */
  readonly command: string;
  /** The arguments of the program. */
  readonly args: readonly string[];
  /** Variables that are added to the environment. */
  readonly env: readonly { readonly name: string; readonly value: string }[];
  /** Instructions for people on how to install the command. */
  readonly installHint: string;
  /** Whether the plug-in receives information about the cluster. */
  readonly provideClusterInfo: boolean;
  /** Whether the program may read from the terminal. */
  readonly interactiveMode: InteractiveMode;
}

const MODES: readonly string[] = ['Never', 'IfAvailable', 'Always'] satisfies InteractiveMode[];

/** Reads the configuration of a user's plug-in. @throws KubeconfigError for members that are missing or invalid. */
export function readExecConfig(user: JsonObject, name: string): ExecConfig | undefined {
  const exec = member(user, 'exec');
  if (exec === undefined) return undefined;
  const where = `user "${name}", exec`;
  if (!isJsonObject(exec)) throw new KubeconfigError(`${where} must be an object`);
  if (member(user, 'auth-provider') !== undefined)
    throw new KubeconfigError(`authProvider cannot be provided in combination with an exec plugin for ${name}`);
  const missing = (what: string) =>
    new KubeconfigError(`${what} must be specified for ${name} to use exec authentication plugin`);
  const command = textAt(exec, 'command', where) ?? '';
  const apiVersion = textAt(exec, 'apiVersion', where) ?? '';
  if (command === '') throw missing('command');
  if (apiVersion === '') throw missing('apiVersion');
  const list = member(exec, 'env') ?? [];
  if (!Array.isArray(list)) throw new KubeconfigError(`${where}: env must be a list`);
  const env = list.map((each) => {
    const entry = isJsonObject(each) ? each : {};
    const variable = textAt(entry, 'name', where) ?? '';
    if (variable === '') throw missing('env variable name');
    return { name: variable, value: textAt(entry, 'value', where) ?? '' };
  });
  const interactiveMode = textAt(exec, 'interactiveMode', where) ?? '';
  const mode = interactiveMode === '' && apiVersion.endsWith('/v1beta1') ? 'IfAvailable' : interactiveMode;
  if (mode === '') throw missing('interactiveMode');
  if (!MODES.includes(mode)) throw new KubeconfigError(`invalid interactiveMode for ${name}: ${quote(mode)}`);
  return {
    apiVersion,
    command,
    args: textsAt(exec, 'args', where),
    env,
    installHint: textAt(exec, 'installHint', where) ?? '',
    provideClusterInfo: member(exec, 'provideClusterInfo') === true,
    interactiveMode: mode as InteractiveMode, // The cast is safe, because `MODES` contains the value.
  };
}
