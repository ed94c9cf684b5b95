import { discoverySchema } from '../../discovery/discovery-schema.js';
import type { RemoteVersion } from '../../discovery/served-groups.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.js';
import { groupOf } from '../../meta/dialect.js';
import type { APIService } from '../../resources/apiregistration/apiregistration-v1.types.js';
import { decodeTyped } from '../../schema/decode.js';
import { parseAccept } from '../../serialization/accept.js';
import type { ControllerHost } from '../controller.js';
import { AGGREGATOR, pathOf, requestBackend } from './probe.js';

const TIMEOUT = 5_000;
const MAX_BYTES = 4 * 1024 * 1024;
const LIST = 'APIGroupDiscoveryList';
const VERSIONS = ['v2', 'v2beta1'];

/**
 * Reads the resources of a group version from another server, through aggregated or unaggregated discovery.
 * @throws Error when the response is unusable.
 */
export async function discoverRemote(service: APIService, host: ControllerHost): Promise<RemoteVersion> {
  const { spec } = service;
  const backend = host.backends.find(service);
  const group = groupOf(host.dialect, 'apidiscovery');
  const forms = VERSIONS.map((version) => `application/json;g=${group};v=${version};as=${LIST}`);
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
  const type = parseAccept(answer.headers.get('content-type') ?? '')[0]?.parameters;
  const isAggregated = type?.get('as') === LIST && type.get('g') === group && VERSIONS.includes(type.get('v') ?? '');
  if (answer.status === 200 && isAggregated) {
    const found = inAggregated(JSON.parse(answer.text) as JsonValue, spec);
    return { resources: found ?? [], fresh: true };
  }
  // A server without aggregated discovery serves a separate discovery document for each group version.
  const path = pathOf(service);
  const plain = await request(path, 'application/json');
  if (plain.status !== 200) throw new Error(`${path}: status ${plain.status}`);
  return { resources: fromList(JSON.parse(plain.text) as JsonValue), fresh: true };
}

interface Resource {
  readonly responseKind?: object;
  readonly subresources?: readonly { readonly responseKind?: object }[];
}
interface Discovered {
  readonly items: readonly {
    readonly metadata: { readonly name?: string };
    readonly versions?: readonly { readonly version: string; readonly resources?: readonly Resource[] }[];
  }[];
}

/** Decodes with the schema, which guarantees the type, so the cast is safe. */
const decode = (document: object): Discovered =>
  decodeTyped(discoverySchema('v2'), document).value as unknown as Discovered;

function inAggregated(document: JsonValue, { group = '', version = '' }: APIService['spec']) {
  if (!isJsonObject(document)) throw new Error('the discovery document must be an object');
  const found = decode(document)
    .items.find(({ metadata }) => (metadata.name ?? '') === group)
    ?.versions?.find((each) => each.version === version);
  return found?.resources && withKinds(found.resources);
}

/** Returns the resources, decoded with the schema. An absent `responseKind` becomes an empty one, because older clients fail without it. */
function withKinds(all: readonly Resource[]): readonly Resource[] {
  const kinded = all.map(({ subresources, ...resource }) => ({
    responseKind: {},
    ...resource,
    ...(subresources ? { subresources: subresources.map((each) => ({ responseKind: {}, ...each })) } : {}),
  }));
  const items = [{ metadata: {}, versions: [{ version: '', resources: kinded }] }];
  return decode({ metadata: {}, items }).items[0]?.versions?.[0]?.resources ?? [];
}

/**
 * Returns the resources of a discovery list, each with its subresources.
 * @throws Error when a subresource is namespaced and its resource is not, or the other way round.
 */
function fromList(document: JsonValue): readonly object[] {
  const list = isJsonObject(document) ? document['resources'] : undefined;
  if (!Array.isArray(list)) throw new Error('a list of resources must have the field resources');
  const found = new Map<string, JsonObject & { subresources?: JsonObject[] }>();
  const all = list.filter(isJsonObject).filter(({ name }) => typeof name === 'string' && name !== '');
  const scopeOf = ({ namespaced }: JsonObject) => (namespaced === true ? 'Namespaced' : 'Cluster');
  const shared = ({ group, version, kind = '', verbs }: JsonObject): JsonObject => ({
    ...(kind === '' ? {} : { responseKind: { group, version, kind } as JsonObject }),
    ...(verbs === undefined ? {} : { verbs }),
  });
  for (const each of all) {
    const name = String(each['name']);
    if (name.includes('/')) continue;
    const { shortNames, categories } = each;
    found.set(name, {
      resource: name,
      ...shared(each),
      scope: scopeOf(each),
      singularResource: each['singularName'] ?? '',
      ...(shortNames ? { shortNames } : {}),
      ...(categories ? { categories } : {}),
    });
  }
  for (const each of all) {
    const [name = '', ...rest] = String(each['name']).split('/');
    if (rest.length === 0) continue;
    const scope = scopeOf(each);
    const parent = found.get(name) ?? { resource: name, scope };
    found.set(name, parent);
    if (parent['scope'] !== scope)
      throw new Error(`the scope of ${name} is not that of its subresource ${rest.join('/')}`);
    (parent.subresources ??= []).push({ subresource: rest.join('/'), ...shared(each) });
  }
  return withKinds([...found.values()]);
}
