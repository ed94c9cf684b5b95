import type { Client } from '../client/client.js';
import { type RemoteClientOptions, remoteClient } from '../client/remote/remote-client.js';
import { systemClock } from '../meta/clock.js';
import { dialectOf } from '../meta/dialect.js';
import { systemFetch } from '../outbound/system-fetch.js';
import { refuseUnknownMembers } from '../values/did-you-mean.js';
import type { LoadKubeconfigOptions } from './load-kubeconfig.js';
import type { KubeconfigPlatform } from './platform.js';

/** The options of `kubeconfigClient`. */
export interface KubeconfigClientOptions extends LoadKubeconfigOptions, Omit<RemoteClientOptions, 'server' | 'tls'> {
  /** Access to files, commands and environment. Default: that of the machine, if the runtime is Node. */
  readonly platform?: KubeconfigPlatform;
}

const OPTIONS: readonly (keyof KubeconfigClientOptions)[] = [
  'text',
  'files',
  'context',
  'platform',
  'dialect',
  'userAgent',
  'resources',
  'fetch',
  'clock',
  'random',
];

/**
 * Returns a typed client for a context of a kubeconfig: it sends requests to the context's server as the context's user. Tokens, token
 * files, client certificates, name and password, credential plug-ins, proxies, and impersonation are supported. The kubeconfig is the one
 * in the options. By default, the files in the environment variable KUBECONFIG are read (missing ones are skipped), or, if the variable is
 * empty, `~/.kube/config`. A user without credentials is anonymous, and credentials are never sent over plain HTTP.
 *
 * A plug-in runs when its credentials are first needed, and again after they expire or are refused with 401; a token file is read again
 * every minute. When a plug-in fails, the request fails with `Get "<url>": getting credentials: exec: …`.
 * @throws KubeconfigError when a required file, the context or a required entry or member is missing or malformed.
 * @throws TypeError for an option that does not exist, and for a server or a proxy that is not a URL.
 */
export async function kubeconfigClient(options: KubeconfigClientOptions = {}): Promise<Client> {
  // With a misspelled context, the client would act on the current context.
  refuseUnknownMembers('kubeconfigClient', options, OPTIONS);
  // The module is loaded only when a client is created from a kubeconfig.
  const { loadContext } = await import('./load-kubeconfig.js');
  const { credentialsFetch } = await import('./credentials-fetch.js');
  const { nativePlatform } = await import('./platform.js');
  const { withScheme } = await import('./read-kubeconfig.js');
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
