import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.js';
import { parseDocument } from '../../openapi/parse-document.js';
import { withPaths } from '../../openapi/references.js';
import { isAvailable } from '../../resources/apiregistration/api-service.js';
import type { APIService } from '../../resources/apiregistration/apiregistration-v1.types.js';
import { apiService } from '../../resources/apiregistration/index.js';
import { messageOf } from '../../values/message-of.js';
import { type ControllerDefinition, type ControllerHost, stopAll } from '../controller.js';
import { pathOf, READER, requestBackend } from './probe.js';

/** Milliseconds after which the documents of a server are read again. */
const RESYNC = 60_000;
const TIMEOUT = 10_000;
const AT_A_TIME = 5;
const MAX_INDEX = 1024 * 1024;
const ABOUT = ['info', 'externalDocs', 'produces', 'securityDefinitions'];
const MAX_V2 = 16 * 1024 * 1024;

/**
 * Reads discovery and OpenAPI documents of other servers ahead of time, so that no request to this server waits for them (spec 24.5, 24.6).
 * Keys are names of APIServices.
 */
export const remoteDocuments: ControllerDefinition = {
  name: 'remote-documents',
  ofServer: true,
  atATime: AT_A_TIME,
  follow({ host, queue }) {
    const { apiServices, lister } = host;
    for (const { metadata } of apiServices.remote.values()) queue.add(metadata.name ?? '');
    const stopServices = host.services.onChange((namespace, name) => {
      for (const { metadata, spec } of apiServices.remote.values())
        if (spec.service?.name === name && spec.service?.namespace === namespace) queue.add(metadata.name ?? '');
    });
    const stopObjects = lister<APIService>(apiServices.group, apiService.plural).onChange((next, previous) => {
      const concerns = next?.spec.service !== undefined || previous?.spec.service !== undefined;
      const stays = next && previous && next.spec === previous.spec && isAvailable(next) === isAvailable(previous);
      if (concerns && !stays) queue.add((next ?? previous)?.metadata.name ?? '');
    });
    return stopAll([stopServices, stopObjects]);
  },
  async reconcile(name, { host, queue }) {
    const { apiServices, openApi } = host;
    const service = apiServices.get(name);
    if (!service?.spec.service) {
      if (service) apiServices.describe(service.spec, undefined);
      openApi.delete(name);
      return;
    }
    queue.addAfter(name, RESYNC);
    const known = apiServices.described(service.spec);
    if (!isAvailable(service)) return apiServices.describe(service.spec, FAILED);
    const [discovered] = await Promise.all([discover(service, host), describe(name, service, host)]);
    // If the APIService was changed or deleted while the documents were read, the documents are discarded.
    if (apiServices.get(name)?.spec !== service.spec) return;
    if (!discovered || !sameResources(known, discovered)) apiServices.describe(service.spec, discovered ?? FAILED);
  },
};

type RemoteVersion = ReturnType<ControllerHost['apiServices']['described']>;

/** The discovery data of a group version whose server failed. Its earlier resources are not listed any more. */
const FAILED: RemoteVersion = { resources: [], fresh: false };

const sameResources = (known: RemoteVersion, discovered: RemoteVersion): boolean =>
  known?.fresh === true && JSON.stringify(known.resources) === JSON.stringify(discovered?.resources);

async function discover(service: APIService, host: ControllerHost): Promise<RemoteVersion> {
  try {
    // The module is loaded with the first aggregated APIService, because most servers have none.
    const { discoverRemote } = await import('./remote-discovery.js');
    return await discoverRemote(service, host);
  } catch (error) {
    host.log(`discovery of ${service.metadata.name ?? ''}: ${messageOf(error)}`);
    return undefined;
  }
}

/** Reads the OpenAPI documents of an aggregated server. A document that cannot be read stays as it was read before. */
async function describe(name: string, service: APIService, host: ControllerHost): Promise<void> {
  const { openApi } = host;
  const known = openApi.of(name);
  const otherwise =
    <T>(value: T) =>
    (error: unknown): T => {
      host.log(`OpenAPI of ${name}: ${messageOf(error)}`);
      return value;
    };
  const [v3, v2] = await Promise.all([
    readIndex(service, host).catch(otherwise(known?.v3 ?? ('failed' as const))),
    readV2(service, host, known?.v2).catch(otherwise(known?.v2)),
  ]);
  if (host.apiServices.get(name)?.spec === service.spec)
    openApi.set(name, { ...(v2 ? { v2 } : {}), ...(v3 ? { v3 } : {}) });
}

async function readIndex(service: APIService, host: ControllerHost) {
  const path = '/openapi/v3';
  const backend = host.backends.find(service);
  const { status, text } = await requestBackend(host, backend, {
    path,
    user: READER,
    timeout: TIMEOUT,
    maxBytes: MAX_INDEX,
    counted: true,
  });
  if (status === 404) return undefined;
  if (status !== 200) throw new Error(`${path}: status ${status}`);
  // Only the group version of the APIService is used. The other group versions in the document belong to other APIServices.
  const name = pathOf(service).slice(1);
  const paths = objectOf(JSON.parse(text) as JsonValue)['paths'];
  const { [name]: found } = isJsonObject(paths) ? paths : {};
  const url = isJsonObject(found) ? found['serverRelativeURL'] : undefined;
  if (typeof url !== 'string') return undefined;
  return { name, url: url.startsWith(`${path}/`) ? url : `${path}/${name}` };
}

type V2 = { readonly name: string; readonly document: JsonObject; readonly etag: string };

async function readV2(service: APIService, host: ControllerHost, known: V2 | undefined): Promise<V2 | undefined> {
  const path = '/openapi/v2';
  const backend = host.backends.find(service);
  const headers: Record<string, string> = known?.etag ? { 'if-none-match': known.etag } : {};
  const request = { path, user: READER, headers, timeout: TIMEOUT, maxBytes: MAX_V2, counted: true } as const;
  const { status, text, headers: responseHeaders } = await requestBackend(host, backend, request);
  if (status === 304) return known;
  if (status === 404) return undefined;
  if (status !== 200) throw new Error(`${path}: status ${status}`);
  const document = await parseDocument(text);
  const own = `${pathOf(service)}/`;
  // The top-level members listed in ABOUT are kept beside the paths, because the conversion to an OpenAPI 3.0 document needs them.
  const about = Object.fromEntries(
    ABOUT.flatMap((each) => (document[each] === undefined ? [] : [[each, document[each]]])),
  );
  return {
    name: pathOf(service).slice(1),
    document: { ...about, ...(await withPaths(document, (each) => each.startsWith(own))) },
    etag: responseHeaders.get('etag') ?? '',
  };
}

function objectOf(value: JsonValue): JsonObject {
  if (isJsonObject(value)) return value;
  throw new Error('the document is not an object');
}
