import type { ResourceRegistry } from '../registry/resource-registry.js';
import type { Exchange } from './exchange.js';
import type { Result } from './result.js';

/** Placeholder until the documents are built. */
export class OpenApiDocuments {
  readonly #registry: ResourceRegistry;
  constructor(registry: ResourceRegistry) {
    this.#registry = registry;
  }
  async answer(_exchange: Exchange): Promise<Result | undefined> {
    void this.#registry;
    return undefined;
  }
  paths(): string[] {
    return ['/openapi/v2', '/openapi/v3', '/openapi/v3/'];
  }
}
