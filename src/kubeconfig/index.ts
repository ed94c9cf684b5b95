/** `orch-apiserver/kubeconfig`: writes and reads the file that kubectl and other clients take. */
export { type CreateKubeconfigOptions, createKubeconfig } from './create-kubeconfig.js';
export { formatKubeconfig } from './format-kubeconfig.js';
export type {
  Kubeconfig,
  KubeconfigCredentials,
  NamedCluster,
  NamedContext,
  NamedUser,
} from './kubeconfig.js';
export {
  type KubeconfigContext,
  KubeconfigError,
  type ReadKubeconfigOptions,
  readKubeconfig,
} from './read-kubeconfig.js';
