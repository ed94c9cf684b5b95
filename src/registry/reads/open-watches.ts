import type { ResourceWatch } from './resource-watch.js';

/** The watches of one served definition: they end when it is uninstalled, and outlive what else changes in the registry. */
export class OpenWatches {
  readonly #open = new Set<ResourceWatch>();
  #retired = false;

  /** Drops a watch that has ended. */
  readonly forget = (watch: ResourceWatch): void => void this.#open.delete(watch);

  /** Keeps a watch while it runs. One of a request that opened before its kind was uninstalled ends at once. */
  add(watch: ResourceWatch): ResourceWatch {
    if (this.#retired) watch.close();
    else if (!watch.ended) this.#open.add(watch);
    return watch;
  }

  /** Ends all of them, once their readers have what happened before, and those still to come. */
  retire(): void {
    this.#retired = true;
    for (const watch of [...this.#open]) watch.finish();
  }
}
