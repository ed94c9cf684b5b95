import type { ResourceWatch } from './resource-watch.js';

/** The open watches of one served definition. They end when it is uninstalled, and survive other changes of the registry. */
export class OpenWatches {
  /** Made with the first watch, because a server has many kinds and few of them are watched. */
  #open: Set<ResourceWatch> | undefined;
  #retired = false;

  /** Drops a watch that has ended. */
  forget(watch: ResourceWatch): void {
    this.#open?.delete(watch);
  }

  /** Keeps a watch while it runs. If the kind was uninstalled after the request began, the watch ends at once. */
  add(watch: ResourceWatch): ResourceWatch {
    if (this.#retired) watch.close();
    else if (!watch.ended) (this.#open ??= new Set()).add(watch);
    return watch;
  }

  /** Ends all watches after their readers have taken the events so far, and every watch that is added later. */
  retire(): void {
    this.#retired = true;
    for (const watch of [...(this.#open ?? [])]) watch.finish();
  }
}
