import { discoverySchema } from '../../discovery/discovery-schema.js';
import type { RemoteVersion } from '../../discovery/served-groups.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.js';
import { groupOf } from '../../meta/dialect.js';
import type { APIService } from '../../resources/apiregistration/apiregistration-v1.types.js';
import { decodeTyped } from '../../schema/decode.js';
import type { ControllerHost } from '../controller.js';
import { AGGREGATOR, pathOf, requestBackend } from './probe.js';

const TIMEOUT = 5_000;
const MAX_BYTES = 4 * 1024 * 1024;
const LIST = 'APIGroupDiscoveryList';

/**
 * Reads the resources of a group version from another server, through aggregated or unaggregated discovery.
 * @throws Error when the response is unusable.
 */
export async function discoverRemote(service: APIService, host: ControllerHost): Promise<RemoteVersion> {
  const { spec } = service;
  const backend = host.backends.find(service);
  const group = groupOf(host.dialect, 'apidiscovery');
  const forms = ['v2', 'v2beta1'].map((version) => `application/json;g=${group};v=${version};as=${LIST}`);
  const request = (path: string, accept: string) =>
    requestBackend(host, backend, {
      path,
      user: AGGREGATOR,
      headers: { accept },
      timeout: TIMEOUT,
      maxBytes: MAX_BYTES,
      counted: true,
    });
  const root = (spec.group ?? '') === '' ? '/api' : '/apis';
  const answer = await request(root, [...forms, 'application/json'].join(','));
  if (answer.status === 503) throw new Error(`${root}: status ${answer.status}`);
  if (answer.status === 200 && /;\s*as=APIGroupDiscoveryList\b/.test(answer.headers.get('content-type') ?? '')) {
    const found = inAggregated(JSON.parse(answer.text) as JsonValue, spec);
    return { resources: found ?? [], fresh: true };
  }
  // A server without aggregated discovery serves a separate discovery document for each group version.
  const path = pathOf(service);
  const plain = await request(path, 'application/json');
  if (plain.status !== 200) throw new Error(`${path}: status ${plain.status}`);
  return { resources: fromList(JSON.parse(plain.text) as JsonValue), fresh: true };
}

interface Discovered {
  readonly items: readonly {
    readonly metadata: { readonly name?: string };
    readonly versions?: readonly { readonly version: string; readonly resources?: readonly object[] }[];
  }[];
}

function inAggregated(document: JsonValue, { group = '', version = '' }: APIService['spec']) {
  if (!isJsonObject(document)) throw new Error('the discovery document must be an object');
  // Decoding with the schema guarantees this type, so the cast is safe.
  const { items } = decodeTyped(discoverySchema('v2'), document).value as unknown as Discovered;
  return items
    .find(({ metadata }) => (metadata.name ?? '') === group)
    ?.versions?.find((each) => each.version === version)?.resources;
}

/** Returns the resources of a discovery list, each with its subresources. */
function fromList(document: JsonValue): readonly object[] {
  const list = isJsonObject(document) ? document['resources'] : undefined;
  if (!Array.isArray(list)) throw new Error('a list of resources must have the field resources');
  const found = new Map<string, JsonObject & { subresources?: JsonObject[] }>();
  const all = list.filter(isJsonObject).filter(({ name }) => typeof name === 'string' && name !== '');
  const responseKind = ({ group = '', version = '', kind = '' }: JsonObject): JsonObject =>
    kind === '' ? {} : { responseKind: { group: group ?? '', version: version ?? '', kind } };
  const shared = (each: JsonObject): JsonObject => ({ ...responseKind(each), verbs: each['verbs'] ?? [] });
  for (const each of all) {
    const name = String(each['name']);
    if (name.includes('/')) continue;
    const { shortNames, categories } = each;
    found.set(name, {
      resource: name,
      ...responseKind(each),
      scope: each['namespaced'] === true ? 'Namespaced' : 'Cluster',
      singularResource: each['singularName'] ?? '',
      verbs: each['verbs'] ?? [],
      ...(shortNames ? { shortNames } : {}),
      ...(categories ? { categories } : {}),
    });
  }
  for (const each of all) {
    const [name = '', ...rest] = String(each['name']).split('/');
    if (rest.length === 0) continue;
    const scope = each['namespaced'] === true ? 'Namespaced' : 'Cluster';
    const parent = found.get(name) ?? { resource: name, scope, singularResource: '', verbs: [] };
    found.set(name, parent);
    (parent.subresources ??= []).push({ subresource: rest.join('/'), ...shared(each) });
  }
  // The resources are decoded with the schema, because this removes members that have a wrong type.
  const versions = [{ version: '', resources: [...found.values()] }];
  const items = [{ metadata: {}, versions }];
  const { value } = decodeTyped(discoverySchema('v2'), { metadata: {}, items } as unknown as JsonObject);
  return (value as unknown as Discovered).items[0]?.versions?.[0]?.resources ?? [];
}
