import type { ServerAdmission } from '../admission/chain.js';
import type { Dialect } from '../meta/dialect.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { Storage } from '../store/storage.js';
import type { ResourceDefinition } from './resource-definition.js';
import { ResourceStore } from './resource-store.js';
import { type DefinitionChange, firstContents, nextContents } from './served/next-snapshot.js';
import { RegistrySnapshot } from './served/registry-snapshot.js';
import type { ServedResource } from './served/served-resource.js';

/** A change of the kinds that a server serves. */
export interface RegistryChange {
  readonly current: RegistrySnapshot;
  readonly installed: readonly ResourceStore[];
  readonly uninstalled: readonly ResourceStore[];
}

/** The kinds of one server. They are an immutable snapshot, which is replaced when kinds are installed or uninstalled. */
export class ResourceRegistry {
  readonly dialect: Dialect;
  readonly #storage: Storage<ApiObject>;
  readonly #admission: ServerAdmission;
  readonly #callbacks = new Set<(change: RegistryChange) => void>();
  #current: RegistrySnapshot;

  /** @throws TypeError when two definitions claim the same names. */
  constructor(
    definitions: readonly ResourceDefinition[],
    dialect: Dialect,
    storage: Storage<ApiObject>,
    admission: ServerAdmission,
  ) {
    this.dialect = dialect;
    this.#storage = storage;
    this.#admission = admission;
    const makeStore = (resource: ServedResource) => new ResourceStore(resource, storage, admission);
    const contents = firstContents(definitions, dialect, makeStore);
    this.#current = new RegistrySnapshot(dialect, definitions.length > 0 ? 1 : 0, contents);
  }

  /** The snapshot of the kinds that are served at this moment. */
  get current(): RegistrySnapshot {
    return this.#current;
  }

  /** Serves more definitions and keeps the installed ones. @throws TypeError when two definitions claim the same names. */
  install(definitions: ResourceDefinition | readonly ResourceDefinition[]): RegistrySnapshot {
    return this.change({ install: listOf(definitions) });
  }

  /**
   * Stops serving definitions and ends their watches; their objects stay stored. @throws TypeError for a definition that is not installed.
   */
  uninstall(definitions: ResourceDefinition | readonly ResourceDefinition[]): RegistrySnapshot {
    return this.change({ uninstall: listOf(definitions) });
  }

  /**
   * Uninstalls and installs in one step: no request sees a state in between. Definitions that the change does not affect keep their stores.
   * @throws TypeError as {@link install} and {@link uninstall}; then nothing has changed.
   */
  change(change: DefinitionChange): RegistrySnapshot {
    const before = this.#current;
    const { installed, uninstalled, ...contents } = nextContents(
      before.contents,
      this.dialect,
      change,
      (resource, old) => new ResourceStore(resource, this.#storage, this.#admission, old),
    );
    if (installed.length === 0 && uninstalled.length === 0 && !change.relist) return before;
    const current = new RegistrySnapshot(this.dialect, before.revision + 1, contents);
    this.#current = current;
    for (const callback of [...this.#callbacks]) callback({ current, installed, uninstalled });
    for (const store of uninstalled) store.watches.retire();
    return current;
  }

  /** Calls `callback` after every change; returns a function that stops the calls. */
  onChange(callback: (change: RegistryChange) => void): () => void {
    this.#callbacks.add(callback);
    return () => void this.#callbacks.delete(callback);
  }
}

function listOf(definitions: ResourceDefinition | readonly ResourceDefinition[]): readonly ResourceDefinition[] {
  return 'kind' in definitions ? [definitions] : definitions;
}
