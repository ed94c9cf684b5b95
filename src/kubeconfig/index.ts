/** `orch-apiserver/kubeconfig`: writes and reads the configuration files of kubectl and other clients. */

export type {
  Kubeconfig,
  KubeconfigCredentials,
  NamedCluster,
  NamedContext,
  NamedUser,
} from './kubeconfig.js';
export { type CreateKubeconfigOptions, createKubeconfig, formatKubeconfig, KubeconfigError } from './kubeconfig.js';
export type { ExecConfig, InteractiveMode } from './read-kubeconfig.js';
export {
  type ContextCredentials,
  type Impersonation,
  type KubeconfigContext,
  type ReadKubeconfigOptions,
  readKubeconfig,
} from './read-kubeconfig.js';
