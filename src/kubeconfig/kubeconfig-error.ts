/** The error for a kubeconfig that cannot be used. The message says which part is wrong. */
export class KubeconfigError extends Error {
  override readonly name = 'KubeconfigError';
}
