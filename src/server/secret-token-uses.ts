type Callback = (namespace: string, secret: string) => void;

/** Tells whoever listens that a token kept in a secret was used. */
export class SecretTokenUses {
  readonly #callbacks = new Set<Callback>();

  /** @returns what ends it. */
  onUse(callback: Callback): () => void {
    this.#callbacks.add(callback);
    return () => void this.#callbacks.delete(callback);
  }

  report(namespace: string, secret: string): void {
    for (const callback of this.#callbacks) callback(namespace, secret);
  }
}
