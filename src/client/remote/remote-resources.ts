import { isJsonObject, type JsonValue } from '../../json/value.js';
import type { Clock } from '../../meta/clock.js';
import { type Dialect, groupOf } from '../../meta/dialect.js';
import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { type ServedResource, serveResource } from '../../registry/served/served-resource.js';

interface RemoteResourcesOptions {
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly definitions: readonly ResourceDefinition[];
}

/** Milliseconds between two requests for discovery. */
const INTERVAL = 30_000;

/**
 * Finds out which of the kinds that a client knows are served by a remote server. It polls discovery while there are listeners. Until
 * discovery has succeeded once, all known kinds count as served.
 */
export class RemoteResources {
  readonly #options: RemoteResourcesOptions;
  readonly #ask: (path: string, accept: string) => Promise<unknown>;
  readonly #known: readonly ServedResource[];
  readonly #callbacks = new Set<() => void>();
  #current: readonly ServedResource[];
  #stop: (() => void) | undefined;

  /** @param ask requests the document at a path, with the media types to accept. */
  constructor(options: RemoteResourcesOptions, ask: (path: string, accept: string) => Promise<unknown>) {
    this.#options = options;
    this.#ask = ask;
    this.#known = options.definitions
      .filter(({ virtual, storedAs }) => !virtual && !storedAs)
      .map((definition) => serveResource(definition, options.dialect));
    this.#current = this.#known;
  }

  get current(): readonly ServedResource[] {
    return this.#current;
  }

  onChange(callback: () => void): () => void {
    const own = () => callback();
    this.#callbacks.add(own);
    if (this.#callbacks.size === 1) this.#follow();
    return () => {
      this.#callbacks.delete(own);
      if (this.#callbacks.size === 0) this.#stop?.();
    };
  }

  #follow(): void {
    let stopped = false;
    let cancel = () => {};
    this.#stop = () => {
      stopped = true;
      cancel();
    };
    const look = async (): Promise<void> => {
      // If discovery fails, {@link current} stays as it is until the next attempt.
      const served = await this.#readServed().catch(() => undefined);
      if (stopped) return;
      cancel = this.#options.clock.setTimer(look, INTERVAL, false, 'next look at discovery');
      if (served) this.#set(this.#known.filter(({ gvr }) => served.has(`${gvr.group}/${gvr.version}/${gvr.resource}`)));
    };
    look();
  }

  #set(next: readonly ServedResource[]): void {
    const before = this.#current;
    this.#current = next;
    if (before.length !== next.length || before.some((resource, i) => resource !== next[i]))
      for (const callback of this.#callbacks) callback();
  }

  async #readServed(): Promise<Set<string>> {
    const accept = `application/json;g=${groupOf(this.#options.dialect, 'apidiscovery')};v=v2;as=APIGroupDiscoveryList`;
    const documents = await Promise.all(['/api', '/apis'].map((path) => this.#ask(path, accept)));
    return new Set(documents.flatMap((document) => [...resourcesOf(document as JsonValue)]));
  }
}

/**
 * Returns the resources of an aggregated discovery document as `group/version/resource`.
 * @throws TypeError for a document of another kind.
 */
function* resourcesOf(document: JsonValue): Generator<string> {
  if (!isJsonObject(document) || document['kind'] !== 'APIGroupDiscoveryList')
    throw new TypeError('the server does not support aggregated discovery');
  for (const group of listOf(document['items'])) {
    const { name = '' } = isJsonObject(group['metadata']) ? group['metadata'] : {};
    for (const version of listOf(group['versions']))
      for (const { resource } of listOf(version['resources']))
        yield `${String(name)}/${String(version['version'])}/${String(resource)}`;
  }
}

const listOf = (value: JsonValue | undefined) => (Array.isArray(value) ? value.filter(isJsonObject) : []);
