import type { Fetch } from '../meta/fetch.js';
import { isNode } from '../signatures/native-signatures.js';
import { nodeFetch } from './node-fetch.js';

/** The runtime's own `fetch`; under Node with certificates of one's own, which other runtimes' do not know. */
export const systemFetch: Fetch = async (url, options) => {
  const { tls, ...plain } = options;
  if (!tls) return await fetch(url, plain);
  if (!isNode()) throw new TypeError('this runtime cannot use own certificates for requests: give the option `fetch`');
  return await nodeFetch(url, options);
};
