import { dirname, isAbsolute, join } from 'node:path';
import { readKubeconfig } from '../../kubeconfig/read-kubeconfig.js';
import type { WebhookConnection } from '../../outbound/review-webhook.js';
import { messageOf } from '../../values/message-of.js';
import { readTextFile } from '../files.js';

/**
 * Reads the connection to a webhook from a kubeconfig. Paths in the kubeconfig are relative to its folder.
 * @throws Error for a kubeconfig that cannot be used.
 */
export async function readWebhookConnection(file: string): Promise<WebhookConnection> {
  const text = await readTextFile(file).catch((error: unknown) => {
    // Upstream calls stat before it opens the file, so its error message differs from that of `readTextFile`.
    throw new Error(messageOf(error).replace(/^open /, 'stat '), { cause: error });
  });
  const { server, credentials, ...cluster } = await readKubeconfig(text, {
    readFile: (path) => readTextFile(isAbsolute(path) ? path : join(dirname(file), path)),
  });
  const { token, username, password, clientCertificate, clientKey, exec } = credentials;
  if (exec) throw new Error(`user ${JSON.stringify(cluster.user)} uses exec, which is not supported for webhooks`);
  return {
    server,
    insecureSkipTlsVerify: cluster.insecureSkipTlsVerify,
    ...(cluster.certificateAuthority === undefined ? {} : { certificateAuthority: cluster.certificateAuthority }),
    ...(cluster.tlsServerName === undefined ? {} : { tlsServerName: cluster.tlsServerName }),
    ...(token === undefined ? {} : { token }),
    ...(username === undefined ? {} : { username, password: password ?? '' }),
    ...(clientCertificate === undefined ? {} : { clientCertificate }),
    ...(clientKey === undefined ? {} : { clientKey }),
  };
}
