/** `orch-apiserver/kubeconfig`: writes and reads the file that kubectl and other clients take. */
export { type CreateKubeconfigOptions, createKubeconfig } from './create-kubeconfig.js';
export type { ExecConfig, InteractiveMode } from './exec/exec-config.js';
export { formatKubeconfig } from './format-kubeconfig.js';
export type {
  Kubeconfig,
  KubeconfigCredentials,
  NamedCluster,
  NamedContext,
  NamedUser,
} from './kubeconfig.js';
export { KubeconfigError } from './kubeconfig-error.js';
export {
  type ContextCredentials,
  type Impersonation,
  type KubeconfigContext,
  type ReadKubeconfigOptions,
  readKubeconfig,
} from './read-kubeconfig.js';
