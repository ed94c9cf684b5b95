/** `orch-apiserver/kubeconfig`: writes and reads the file that kubectl and other clients take. */

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
