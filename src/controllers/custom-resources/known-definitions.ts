import { groupOf } from '../../meta/dialect.js';
import type { CustomResourceDefinition } from '../../resources/apiextensions/apiextensions-v1.types.js';
import type { ControllerHost } from '../controller.js';

const PLURAL = 'customresourcedefinitions';

/** Returns the lister of custom resource definitions. */
export const definitionLister = (host: ControllerHost) =>
  host.lister<CustomResourceDefinition>(groupOf(host.dialect, 'apiextensions'), PLURAL);

/** The definitions that the controller of one server has reconciled. Their kinds are served, unless installing them failed. */
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

/** The record of known definitions of each server. The key is the server's `kinds` object, which the hosts of all its controllers share. */
const knownBy = new WeakMap<ControllerHost['kinds'], KnownDefinitions>();

/** Returns the server's record of known definitions; the first call creates it. */
export function knownDefinitions(host: ControllerHost): KnownDefinitions {
  let known = knownBy.get(host.kinds);
  if (!known) knownBy.set(host.kinds, (known = new KnownDefinitions()));
  return known;
}

/**
 * Returns whether this server has installed the kinds of all stored definitions. If it has not, for example because another server has just
 * stored a definition, `callback` is called once, when the next definition has been reconciled.
 */
export function servesAllDefinitions(host: ControllerHost, callback: () => void): boolean {
  const known = knownBy.get(host.kinds);
  // A server without a record does not run the controller of custom resource definitions, so there is nothing to wait for.
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
