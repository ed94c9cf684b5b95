import type { Fetch } from '../meta/fetch.js';
import { urlToDial } from './ip-address.js';

/**
 * A `fetch` that is given URLs whose hosts are written anew, so that no two parsers read different addresses in them.
 * It rejects with the error of `urlToDial` for a URL that they would.
 */
export function dialling(fetch: Fetch): Fetch {
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
