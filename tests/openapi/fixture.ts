import type { Dialect } from '../../src/meta/dialect.js';
import { k8s } from '../../src/meta/dialect.js';
import type { ApiObject } from '../../src/meta/object-meta.js';
import type { OpenApiDocuments } from '../../src/openapi/documents.js';
import type { ResourceDefinition } from '../../src/registry/resource-definition.js';
import { ResourceRegistry } from '../../src/registry/resource-registry.js';
import { openApiRoute } from '../../src/requests/documents/openapi-route.js';
import type { RequestEnvironment } from '../../src/requests/environment.js';
import type { Exchange } from '../../src/requests/exchange.js';
import { openExchange } from '../../src/requests/pipeline.js';
import { builtinResources } from '../../src/resources/index.js';
import type { Storage } from '../../src/store/storage.js';
import { createFakeClock } from '../../src/testing/fake-clock.js';
import { joinBytes } from '../../src/values/join-bytes.js';

// The tests neither read nor write objects.
const noStorage = {} as Storage<ApiObject>;

export const clock = createFakeClock();

export function registryOf(
  definitions: readonly ResourceDefinition[] = builtinResources,
  dialect: Dialect = k8s,
): ResourceRegistry {
  return new ResourceRegistry(definitions, dialect, noStorage, { plugins: [] });
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** The same document in encoded form. */
  readonly chunks: readonly Uint8Array[];
}

/** Requests a path with its query; undefined if it does not exist. */
export async function ask(
  documents: OpenApiDocuments,
  url: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<Answer | undefined> {
  const [path = '', query = ''] = url.split('?');
  const environment = {
    host: { clock, dialect: k8s },
    openApi: async () => documents,
    registry: {},
  } as unknown as RequestEnvironment; // No other member is used.
  const request = {
    method,
    path,
    query,
    headers: { get: (name: string) => headers[name], all: () => [], names: () => Object.keys(headers) },
  };
  const exchange: Exchange = openExchange(request, path, environment, undefined);
  const result = await openApiRoute(exchange);
  if (result !== undefined && result.type !== 'raw') throw new TypeError('not a raw answer');
  return (
    result && { status: result.status, headers: result.headers, body: joinBytes(result.body), chunks: result.body }
  );
}

export const parse = (answer: Answer | undefined) => JSON.parse(new TextDecoder().decode(answer?.body));

/** Returns a document by name, parsed. */
export async function documentOf(documents: OpenApiDocuments, url: string) {
  return parse(await ask(documents, url));
}
