/** `orch-apiserver/client`: what `server.client()` gives, its options and results. */
export {
  type Applied,
  type CallOptions,
  Client,
  type ClientConnection,
  type DeleteCallOptions,
  type ListCallOptions,
  type New,
  type PatchKind,
  type WatchCallOptions,
  type WriteCallOptions,
} from '../client/client.js';
export { TypedWatch, type TypedWatchEvent } from '../client/typed-watch.js';
export type { ServedResource } from '../registry/served/served-resource.js';
