import type { Fetch, FetchOptions, Upgrade, Upload } from '../meta/fetch.js';
import { isNode } from '../signatures/system-signatures.js';
import { urlToDial } from './ip-address.js';

/** Loads the module that uses Node's own HTTP client, on the first request that needs it. */
const node = () => import('./node-fetch.js');

const upgrade: Upgrade = async (url, options) => await (await node()).nodeUpgrade(url, options);

const upload: Upload = async (url, options, body) => await (await node()).nodeFetch(url, options, body);

/** The runtime's `fetch`. On Node it also supports certificates and proxies for each request; other runtimes do not. */
export const systemFetch: Fetch = /* @__PURE__ */ withDialledUrls(
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
      'this runtime cannot send requests with given certificates, proxies, repeated headers or checked addresses: give the option `fetch`',
    );
  return await fetch(url, bytes ? { ...plain, body: bytes } : plain);
}

/**
 * Wraps a `fetch` so that it rewrites every URL by {@link urlToDial} first. As a result, all URL parsers read the same address in it. The
 * wrapped `fetch` rejects with the errors of `urlToDial`.
 */
export function withDialledUrls(fetch: Fetch): Fetch {
  const { upgrade, upload } = fetch;
  const send: Fetch = async (url, options) => await fetch(urlToDial(url), options);
  return Object.assign(send, fetch, {
    ...(upgrade
      ? { upgrade: (async (url, options) => await upgrade(urlToDial(url), options)) satisfies Fetch['upgrade'] }
      : {}),
    ...(upload
      ? {
          upload: (async (url, options, body) => await upload(urlToDial(url), options, body)) satisfies Fetch['upload'],
        }
      : {}),
  });
}
