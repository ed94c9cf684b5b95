import type { Fetch } from '../meta/fetch.js';
import { urlToDial } from './ip-address.js';

/**
 * Wraps a `fetch` so that every URL is rewritten by {@link urlToDial} first: then no two parsers read different addresses in it.
 * The wrapped `fetch` rejects with the error of `urlToDial`.
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
