import type { Client } from '../client/client.js';
import { type RemoteClientOptions, remoteClient } from '../client/remote/remote-client.js';
import { systemClock } from '../meta/clock.js';
import { dialectOf } from '../meta/dialect.js';
import { systemFetch } from '../outbound/system-fetch.js';
import type { LoadKubeconfigOptions } from './load-kubeconfig.js';
import type { KubeconfigPlatform } from './platform.js';
import type { KubeconfigContext } from './read-kubeconfig.js';

export interface KubeconfigClientOptions extends LoadKubeconfigOptions, Omit<RemoteClientOptions, 'server' | 'tls'> {
  /** Files, commands and environment. Default: the machine's, where the runtime is Node. */
  readonly platform?: KubeconfigPlatform;
}

/**
 * The typed client of the server that a kubeconfig names, as the user that it names: with tokens, files of tokens, client
 * certificates, name and password, a credential plugin, a proxy, and the user to impersonate. The kubeconfig is the one that is given;
 * else the files that the environment's KUBECONFIG lists, as far as they are there; else `~/.kube/config`. A user without any of them
 * is anonymous; over plain HTTP nothing is shown.
 *
 * A plugin is run when its credentials are needed first, and again when they expired or were refused with 401; a file of a token is
 * read again every minute. Where a plugin fails the request does: `Get "<url>": getting credentials: exec: …`.
 * @throws KubeconfigError when a file, the context or something it needs is missing or malformed.
 * @throws TypeError for a server or a proxy that is not a URL.
 */
export async function kubeconfigClient(options: KubeconfigClientOptions = {}): Promise<Client> {
  // Loaded by those who use it.
  const { loadContext } = await import('./load-kubeconfig.js');
  const { credentialsFetch } = await import('./credentials-fetch.js');
  const { nativePlatform } = await import('./native-platform.js');
  let machine = options.platform;
  const platform = () => (machine ??= nativePlatform());
  const context = withScheme(await loadContext(options, platform));
  const { fetch = systemFetch, clock = systemClock, dialect, userAgent, resources, random } = options;
  return await remoteClient({
    server: context.server,
    fetch: credentialsFetch(context, fetch, { platform, clock, dialect: dialectOf(dialect ?? 'orch') }),
    clock,
    ...(dialect === undefined ? {} : { dialect }),
    ...(userAgent === undefined ? {} : { userAgent }),
    ...(resources === undefined ? {} : { resources }),
    ...(random === undefined ? {} : { random }),
  });
}

/** A server without a scheme is one of https where something says how it is known there. */
function withScheme(context: KubeconfigContext): KubeconfigContext {
  const { server, certificateAuthority, insecureSkipTlsVerify, credentials } = context;
  if (server.includes('://')) return context;
  const secure = certificateAuthority !== undefined || insecureSkipTlsVerify || credentials.clientKey !== undefined;
  return { ...context, server: `${secure ? 'https' : 'http'}://${server}` };
}
