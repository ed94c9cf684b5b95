import { groupOf } from '../../meta/dialect.js';
import type { CustomResourceDefinition } from '../../resources/apiextensions/apiextensions-v1.types.js';
import type { ControllerHost } from '../controller.js';

const PLURAL = 'customresourcedefinitions';

/** Custom resource definitions, as the listers of a server have them. */
export const definitionLister = (host: ControllerHost) =>
  host.lister<CustomResourceDefinition>(groupOf(host.dialect, 'apiextensions'), PLURAL);

/** The definitions that one server has looked at: their kinds are served there, if they can be. */
class KnownDefinitions {
  readonly #known = new Map<string, CustomResourceDefinition>();
  readonly #waiting = new Set<() => void>();

  add(name: string, definition: CustomResourceDefinition | undefined): void {
    if (definition) this.#known.set(name, definition);
    else this.#known.delete(name);
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const callback of waiting) callback();
  }

  has(definition: CustomResourceDefinition): boolean {
    return this.#known.get(definition.metadata.name ?? '') === definition;
  }

  wait(callback: () => void): void {
    this.#waiting.add(callback);
  }
}

const knownBy = new WeakMap<ControllerHost, KnownDefinitions>();

/** The record that the controller of definitions writes; the first call makes it. */
export function knownDefinitions(host: ControllerHost): KnownDefinitions {
  let known = knownBy.get(host);
  if (!known) knownBy.set(host, (known = new KnownDefinitions()));
  return known;
}

/**
 * Whether a server serves all kinds that it has heard of. Where it does not, as when another server was given a definition just
 * now, it calls back once: then it may.
 */
export function servesAllDefinitions(host: ControllerHost, callback: () => void): boolean {
  const known = knownBy.get(host);
  // This server does not run the controller.
  if (
    !known ||
    definitionLister(host)
      .list()
      .every((each) => known.has(each))
  )
    return true;
  known.wait(callback);
  return false;
}
