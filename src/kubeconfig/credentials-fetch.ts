import type { Fetch, OutboundTls } from '../meta/fetch.js';
import { untilAborted } from '../meta/flow.js';
import { encodeBase64Text } from '../values/base64.js';
import { messageOf } from '../values/message-of.js';
import { type ExecCredential, ExecPlugin, type ExecPluginHost } from './exec-plugin.js';
import { impersonationHeaders } from './impersonation-headers.js';
import { KubeconfigError } from './kubeconfig.js';
import type { KubeconfigContext } from './read-kubeconfig.js';
import { TokenFileSource } from './token-file.js';

/** The credentials for one request. */
interface RequestCredentials {
  readonly authorization?: string;
  readonly tls: OutboundTls;
  /** Must be called when the server refuses the credentials. */
  readonly refused?: () => void;
}

/**
 * Returns a `fetch` that sends requests as the user of a context. Credentials from files and plug-ins are renewed when they expire, and
 * after the server has refused them. The refused request itself is not repeated.
 * @throws KubeconfigError for members that contradict each other.
 */
export function credentialsFetch(context: KubeconfigContext, fetch: Fetch, host: ExecPluginHost): Fetch {
  const { proxyUrl, impersonate } = context;
  const show = credentialsOf(context, host);
  const { headers: acting, ...repeated } = impersonate ? impersonationHeaders(impersonate) : { headers: {} };
  const watches = new LongLived();
  return async (url, options) => {
    const { headers, signal } = options;
    // A plug-in has no time limit, so the caller must be able to give up waiting for it.
    const { authorization, tls, refused } = await untilAborted(show(), signal, () => new Error('context canceled'));
    const response = await fetch(url, {
      ...options,
      ...repeated,
      headers: { ...headers, ...(authorization === undefined ? {} : { authorization }), ...acting },
      tls,
      ...(options.longLived ? { signal: watches.signal(signal, tls) } : {}),
      ...(proxyUrl === undefined ? {} : { proxy: proxyUrl }),
    });
    if (response.status === 401) refused?.();
    return response;
  };
}

/**
 * Returns a function that finds the credentials for a request. Credentials in the kubeconfig itself take precedence over a credential
 * plug-in.
 */
function credentialsOf(context: KubeconfigContext, host: ExecPluginHost): () => Promise<RequestCredentials> {
  const { server, credentials } = context;
  const base = tlsOf(context);
  // Credentials are not sent over plain HTTP.
  if (server.startsWith('http:')) return async () => ({ tls: base });
  const { token, tokenFile, username, password = '', clientCertificate, clientKey, exec } = credentials;
  const tls =
    clientCertificate === undefined || clientKey === undefined ? base : { ...base, clientCertificate, clientKey };
  if (username !== undefined) {
    const authorization = `Basic ${encodeBase64Text(`${username}:${password}`)}`;
    return async () => ({ authorization, tls });
  }
  if (tokenFile !== undefined) {
    const source = new TokenFileSource(() => host.platform().readFile(tokenFile), token ?? '', host.clock);
    return async () => {
      const current = await source.token();
      return { authorization: `Bearer ${current}`, tls, refused: () => source.refuse(current) };
    };
  }
  if (token !== undefined) return async () => ({ authorization: `Bearer ${token}`, tls });
  if (clientCertificate !== undefined || exec === undefined) return async () => ({ tls });
  return credentialsOfPlugin(new ExecPlugin(exec, context, host), base);
}

function credentialsOfPlugin(plugin: ExecPlugin, base: OutboundTls): () => Promise<RequestCredentials> {
  // The `tls` object is kept as long as the certificate is the same, because requests with the same object share connections.
  let last: { readonly credential: ExecCredential; readonly tls: OutboundTls } | undefined;
  return async () => {
    const credential = await plugin.credential().catch((error: unknown) => {
      throw new Error(`getting credentials: ${messageOf(error)}`, { cause: error });
    });
    const { token, clientCertificate, clientKey } = credential;
    if (last?.credential.clientCertificate !== clientCertificate || last?.credential.clientKey !== clientKey) {
      const own = clientCertificate === undefined || clientKey === undefined ? {} : { clientCertificate, clientKey };
      last = { credential, tls: { ...base, ...own } };
    }
    return {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      tls: last?.tls ?? base,
      refused: () => plugin.refuse(credential),
    };
  };
}

function tlsOf(context: KubeconfigContext): OutboundTls {
  const { certificateAuthority, tlsServerName, insecureSkipTlsVerify } = context;
  if (insecureSkipTlsVerify && certificateAuthority !== undefined)
    throw new KubeconfigError('specifying a root certificates file with the insecure flag is not allowed');
  return {
    ...(certificateAuthority === undefined ? {} : { certificateAuthority }),
    ...(tlsServerName === undefined ? {} : { serverName: tlsServerName }),
    ...(insecureSkipTlsVerify ? { insecureSkipVerify: true } : {}),
  };
}

/**
 * Long-lived responses, such as watches. They are aborted when the client certificate changes, so that callers open them again with the new
 * identity.
 */
class LongLived {
  #tls: OutboundTls | undefined;
  /** Aborts all requests that were sent with `#tls`. */
  #open = new AbortController();

  /**
   * Returns the abort signal for a new request. If `tls` differs from the options of the previous request, all open requests are aborted.
   */
  signal(caller: AbortSignal, tls: OutboundTls): AbortSignal {
    if (this.#tls !== tls) {
      this.#tls = tls;
      this.#open.abort(new Error('the client certificate has changed'));
      this.#open = new AbortController();
    }
    return AbortSignal.any([caller, this.#open.signal]);
  }
}
