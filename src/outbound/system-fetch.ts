import type { Fetch, FetchOptions, Upgrade, Upload } from '../meta/fetch.js';
import { isNode } from '../signatures/native-signatures.js';
import { dialling } from './dialling.js';

/** Loads the module with the first request that needs it. */
const node = () => import('./node-fetch.js');

const upgrade: Upgrade = async (url, options) => await (await node()).nodeUpgrade(url, options);

const upload: Upload = async (url, options, body) => await (await node()).nodeUpload(url, options, body);

/** The runtime's own `fetch`. Under Node it also supports certificates and proxies per request, which other runtimes do not. */
export const systemFetch: Fetch = /* @__PURE__ */ dialling(
  Object.assign(send, { upgrade, upload, checksAddresses: true }),
);

async function send(url: string, options: FetchOptions): Promise<Response> {
  const { tls, proxy, longLived: _, onWeakCertificate, repeatedHeaders, bytes, onlyGlobalUnicast, ...plain } = options;
  const needsNode =
    (tls && Object.keys(tls).length > 0) ||
    proxy !== undefined ||
    repeatedHeaders !== undefined ||
    onlyGlobalUnicast === true;
  if (isNode() && (tls || needsNode || onWeakCertificate)) return await (await node()).nodeFetch(url, options);
  if (needsNode)
    throw new TypeError(
      'this runtime sends no requests with own certificates, proxies, repeated headers or checked addresses: give the option `fetch`',
    );
  return await fetch(url, bytes ? { ...plain, body: bytes } : plain);
}
