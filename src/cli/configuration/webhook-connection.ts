import { systemClock } from '../../meta/clock.js';
import type { WebhookConnection } from '../../outbound/review-webhook.js';
import { systemFetch } from '../../outbound/system-fetch.js';
import { messageOf } from '../../values/message-of.js';
import { readTextFile } from '../files.js';
import { selectedDialect } from '../selected-dialect.js';

/**
 * Reads the connection to a webhook from a kubeconfig. Paths in the kubeconfig are relative to its folder. The server sends requests to the
 * webhook as the user of the current context: with a token from a file, which is read again every minute, with the credentials of a
 * plug-in, through a proxy, or as another user.
 * @throws Error for a kubeconfig that cannot be used.
 */
export async function readWebhookConnection(
  file: string,
  flags: { readonly dialect: string },
): Promise<WebhookConnection> {
  const text = await readTextFile(file).catch((error: unknown) => {
    // Upstream calls stat before it opens the file, so its error message differs from that of `readTextFile`.
    throw new Error(messageOf(error).replace(/^open /, 'stat '), { cause: error });
  });
  const { parseKubeconfig, resolvePaths } = await import('../../kubeconfig/document.js');
  const { readContext, withScheme } = await import('../../kubeconfig/read-kubeconfig.js');
  const { credentialsFetch } = await import('../../kubeconfig/credentials-fetch.js');
  const { nativePlatform } = await import('../../kubeconfig/platform.js');
  const { keyPairProblem } = await import('../../pki/key-pair.js');
  const platform = nativePlatform();
  const resolve = (path: string) => platform.resolvePath(file, path);
  const document = resolvePaths(await parseKubeconfig(text), resolve, (command) =>
    platform.isPath(command) ? resolve(command) : command,
  );
  const context = withScheme(await readContext(document, { readFile: readTextFile }));
  const { clientCertificate, clientKey } = context.credentials;
  // A client certificate that cannot be used would make every request fail, so it is an error at the start.
  const problem =
    clientCertificate === undefined || clientKey === undefined
      ? undefined
      : keyPairProblem(clientCertificate, clientKey);
  if (problem !== undefined) throw new Error(problem);
  const host = { platform: () => platform, clock: systemClock, dialect: selectedDialect(flags) };
  return { server: context.server, fetch: credentialsFetch(context, systemFetch, host) };
}
