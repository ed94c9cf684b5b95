type Callback = (namespace: string, secret: string) => void;

/** Notifies listeners when a service account token that is stored in a secret was used. */
export class SecretTokenUses {
  readonly #callbacks = new Set<Callback>();

  /**
   * Adds a listener.
   * @returns removes the listener.
   */
  onUse(callback: Callback): () => void {
    this.#callbacks.add(callback);
    return () => void this.#callbacks.delete(callback);
  }

  report(namespace: string, secret: string): void {
    for (const callback of this.#callbacks) callback(namespace, secret);
  }
}
