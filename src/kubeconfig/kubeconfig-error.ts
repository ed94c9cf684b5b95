/** A kubeconfig that cannot be read; the message says which part. */
export class KubeconfigError extends Error {
  override readonly name = 'KubeconfigError';
}
