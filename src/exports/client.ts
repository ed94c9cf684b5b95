/** `orch-apiserver/client`: the client that `server.client()` returns, with its options and results. It also connects to remote servers. */
export {
  type Applied,
  type ApplyCallOptions,
  type CallOptions,
  Client,
  type ClientConnection,
  type DeleteCallOptions,
  type GetCallOptions,
  type ListCallOptions,
  type New,
  type PatchCallOptions,
  type PatchKind,
  type WatchCallOptions,
  type WriteCallOptions,
} from '../client/client.js';
export type { ClientAnswer } from '../client/connection.js';
export type { IndexFunc } from '../client/informer/indexer.js';
export { Informer, type InformerOptions, type ResourceEventHandler } from '../client/informer/informer.js';
export { type RemoteClientOptions, remoteClient } from '../client/remote/remote-client.js';
export { type TypedChange, TypedWatch, type TypedWatchEvent } from '../client/typed-watch.js';
export { KubeconfigError } from '../kubeconfig/kubeconfig.js';
export { type KubeconfigClientOptions, kubeconfigClient } from '../kubeconfig/kubeconfig-client.js';
export type { LoadKubeconfigOptions } from '../kubeconfig/load-kubeconfig.js';
export type { KubeconfigPlatform, PlatformCommand } from '../kubeconfig/platform.js';
export type { ServedResource } from '../registry/served/served-resource.js';
