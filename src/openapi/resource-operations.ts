import { groupOf } from '../meta/dialect.js';
import type { GroupVersionKind } from '../meta/group-version.js';
import type { ApiObject } from '../meta/object-meta.js';
import { BUILTIN_PATCH_KINDS, CUSTOM_PATCH_KINDS, PATCH_MEDIA_TYPES } from '../patch/media-types.js';
import { kindOfSubresource, verbsOfSubresource } from '../registry/definitions/subresource.js';
import type { RelaySubresource } from '../registry/resource-definition.js';
import type { ServedResource } from '../registry/served/served-resource.js';
import { metaDefinition } from '../schema/meta-kinds.js';
import { mediaTypesOf, routeMediaTypes } from '../serialization/media-type.js';
import {
  definitionName,
  groupVersionIdentifier,
  groupVersionPath,
  groupVersionTag,
  identifier,
  listDefinitionName,
} from './names.js';
import { ANY_TYPE, type Operation, type PathOperations, type Place, UNAUTHORIZED } from './operation.js';
import { NAMESPACE, nameParameter, PARAMETERS_OF, type Parameter, PRETTY, pathParameter } from './parameters.js';

/** Returns all operations on a resource by path, in upstream's form (spec 1.3). */
export function resourceOperations(resource: ServedResource): PathOperations[] {
  return new ResourceOperations(resource).paths();
}

type Content = Pick<Operation, 'description' | 'parameters' | 'responses'> &
  Partial<Pick<Operation, 'body' | 'consumes' | 'produces'>>;

/** The kind to which operations apply, and its definition name. */
interface About {
  readonly kind: GroupVersionKind;
  readonly definition: string;
}

class ResourceOperations {
  readonly #resource: ServedResource;
  readonly #definition: string;
  readonly #own: About;
  readonly #group: string;
  readonly #tag: string;
  /** Whether the resource is custom. Upstream describes the operations on custom resources by rules of their own. */
  readonly #isCustom: boolean;
  readonly #consumes: readonly string[];
  readonly #produces: readonly string[];
  readonly #streams: readonly string[];

  constructor(resource: ServedResource) {
    const { gvk, dialect, definition } = resource;
    const types = mediaTypesOf(dialect);
    this.#isCustom = definition.decoding === 'structural';
    // Operations of custom resources list only the media types that can represent them, so protobuf and the watch types are missing.
    const listed = this.#isCustom ? types.filter(({ format }) => format.writes?.(definition) ?? true) : types;
    this.#resource = resource;
    this.#definition = definitionName(resource);
    this.#own = { kind: gvk, definition: this.#definition };
    this.#group = groupVersionIdentifier(gvk, dialect);
    this.#tag = groupVersionTag(gvk, dialect);
    this.#produces = routeMediaTypes(listed, false);
    this.#consumes = this.#isCustom ? this.#produces : ANY_TYPE;
    this.#streams = routeMediaTypes(listed, !this.#isCustom);
  }

  paths(): PathOperations[] {
    const { gvk, gvr, namespaced, verbs } = this.#resource;
    const base = groupVersionPath(gvk);
    const watch = `${base}/watch`;
    const across = (root: string): Place => ({ path: `${root}/${gvr.resource}`, parameters: [], before: '' });
    const inside = (root: string): Place =>
      namespaced
        ? { path: `${root}/namespaces/{namespace}/${gvr.resource}`, parameters: [NAMESPACE], before: 'Namespaced' }
        : across(root);
    const name = nameParameter(gvk.kind);
    const itemPlace = (place: Place): Place => ({
      ...place,
      path: `${place.path}/{name}`,
      parameters: [...place.parameters, name],
    });
    const place = inside(base);
    const paths: PathOperations[] = [
      { path: place.path, operations: this.#collectionOperations(place) },
      { path: itemPlace(place).path, operations: this.#itemOperations(itemPlace(place), '', [...verbs]) },
      ...this.#subresources(place, itemPlace(place)),
    ];
    if (namespaced) paths.push({ path: across(base).path, operations: this.#list(across(base), 'ForAllNamespaces') });
    // Upstream does not describe the deprecated watch paths for custom resources.
    if (this.#resource.definition.groupStem !== undefined) {
      paths.push(
        { path: inside(watch).path, operations: this.#watchList(inside(watch), '') },
        { path: itemPlace(inside(watch)).path, operations: this.#watchOne(itemPlace(inside(watch))) },
      );
      if (namespaced)
        paths.push({ path: across(watch).path, operations: this.#watchList(across(watch), 'ForAllNamespaces') });
    }
    return paths.filter(({ operations }) => operations.length > 0);
  }

  #subresources(place: Place, item: Place): PathOperations[] {
    const { definition, dialect } = this.#resource;
    return Object.entries(definition.subresources ?? {}).flatMap(([subresource, rules]) => {
      const path = `${item.path}/${subresource}`;
      if ('relay' in rules)
        return relayOperations(this.#resource, place, path, subresource, rules.relay, (parameters) =>
          this.#readText(subresource, place, parameters),
        );
      const verbs = verbsOfSubresource(rules);
      const other = kindOfSubresource(rules);
      if (other === undefined) return { path, operations: this.#itemOperations(item, subresource, verbs) };
      const { kind, groupStem, version, schema } = other;
      const own = this.#isCustom ? this.#resource.gvk : { group: groupOf(dialect, groupStem), version, kind };
      const about = { kind: own, definition: schema.definition ?? kind };
      const at = { ...place, parameters: [...place.parameters, nameParameter(own.kind)] };
      if ('part' in rules) return { path, operations: this.#itemOperations(at, subresource, verbs, about) };
      return { path, operations: [this.#createSubresource(at, subresource, about)] };
    });
  }

  #operation(
    method: Operation['method'],
    action: string,
    operationId: string,
    content: Content,
    kind: GroupVersionKind = this.#resource.gvk,
  ): Operation {
    return {
      method,
      operationId,
      tag: this.#tag,
      about: { action, kind },
      consumes: this.#consumes,
      produces: this.#produces,
      ...content,
      parameters: [...content.parameters, PRETTY],
      responses: { ...content.responses, ...UNAUTHORIZED },
    };
  }

  #collectionOperations(place: Place): Operation[] {
    const { verbs, gvk } = this.#resource;
    const operations = [...this.#list(place, '')];
    const id = place.before + gvk.kind;
    const own = this.#definition;
    if (verbs.has('create'))
      operations.push(
        this.#operation('post', 'post', `create${this.#group}${id}`, {
          description: `create ${article(gvk.kind)}`,
          parameters: [...place.parameters, ...PARAMETERS_OF.write],
          body: { definition: own, required: true },
          responses: { 200: own, 201: own, 202: own },
        }),
      );
    if (verbs.has('deletecollection'))
      operations.push(
        this.#operation('delete', 'deletecollection', `delete${this.#group}Collection${id}`, {
          description: `delete collection of ${gvk.kind}`,
          ...(this.#isCustom
            ? { parameters: [...place.parameters, ...PARAMETERS_OF.list] }
            : {
                parameters: [...place.parameters, ...PARAMETERS_OF.deletecollection],
                body: { definition: metaDefinition('DeleteOptions'), required: false },
              }),
          responses: { 200: metaDefinition('Status') },
        }),
      );
    return operations;
  }

  #list(place: Place, after: string): Operation[] {
    const { verbs, gvk } = this.#resource;
    if (!verbs.has('list')) return [];
    return [
      this.#operation('get', 'list', `list${this.#group}${place.before}${gvk.kind}${after}`, {
        description: `list or watch objects of kind ${gvk.kind}`,
        parameters: [...place.parameters, ...PARAMETERS_OF.list],
        produces: this.#streams,
        responses: { 200: listDefinitionName(this.#resource) },
      }),
    ];
  }

  #watchList(place: Place, after: string): Operation[] {
    const { verbs, gvk } = this.#resource;
    return verbs.has('watch')
      ? [this.#watch(place, 'watchlist', `${gvk.kind}List${after}`, 'individual changes to a list of')]
      : [];
  }

  #watchOne(place: Place): Operation[] {
    const { verbs, gvk } = this.#resource;
    return verbs.has('watch') ? [this.#watch(place, 'watch', gvk.kind, 'changes to an object of kind')] : [];
  }

  #watch(place: Place, action: string, id: string, what: string): Operation {
    return this.#operation('get', action, `watch${this.#group}${place.before}${id}`, {
      description: `watch ${what} ${this.#resource.gvk.kind}; deprecated: use the parameter watch of a list`,
      parameters: [...place.parameters, ...PARAMETERS_OF.list],
      produces: this.#streams,
      responses: { 200: metaDefinition('WatchEvent') },
    });
  }

  /** Returns the operations on one object, or on its subresource if `subresource` is not ''. */
  #itemOperations(place: Place, subresource: string, verbs: readonly string[], about = this.#own): Operation[] {
    const { gvk, definition } = this.#resource;
    const id = this.#group + place.before + gvk.kind + identifier(subresource, true);
    const what = subresource === '' ? `the specified ${gvk.kind}` : `${subresource} of the specified ${gvk.kind}`;
    const { definition: own, kind } = about;
    const operations: Operation[] = [];
    if (verbs.includes('get'))
      operations.push(
        this.#operation(
          'get',
          'get',
          `read${id}`,
          {
            description: `read ${what}`,
            parameters: this.#isCustom ? [...place.parameters, ...PARAMETERS_OF.read] : place.parameters,
            responses: { 200: own },
          },
          kind,
        ),
      );
    if (verbs.includes('update'))
      operations.push(
        this.#operation(
          'put',
          'put',
          `replace${id}`,
          {
            description: `replace ${what}`,
            parameters: [...place.parameters, ...PARAMETERS_OF.write],
            body: { definition: own, required: true },
            responses: { 200: own, 201: own },
          },
          kind,
        ),
      );
    if (verbs.includes('delete')) {
      const answer =
        (definition.describesDeletedObject ?? definition.returnsDeletedObject) ? own : metaDefinition('Status');
      operations.push(
        this.#operation(
          'delete',
          'delete',
          `delete${id}`,
          {
            description: `delete ${article(gvk.kind)}`,
            parameters: [...place.parameters, ...PARAMETERS_OF.delete],
            body: { definition: metaDefinition('DeleteOptions'), required: false },
            responses: { 200: answer, 202: answer },
          },
          kind,
        ),
      );
    }
    if (verbs.includes('patch'))
      operations.push(
        this.#operation(
          'patch',
          'patch',
          `patch${id}`,
          {
            description: `partially update ${what}`,
            parameters: [...place.parameters, ...PARAMETERS_OF.patch],
            body: { definition: metaDefinition('Patch'), required: true },
            consumes: (this.#isCustom ? CUSTOM_PATCH_KINDS : BUILTIN_PATCH_KINDS).map(
              (kind) => PATCH_MEDIA_TYPES[kind],
            ),
            responses: this.#isCustom ? { 200: own } : { 200: own, 201: own },
          },
          kind,
        ),
      );
    return operations;
  }

  #createSubresource(place: Place, subresource: string, { kind, definition }: About): Operation {
    const parent = this.#resource.gvk.kind;
    const id = `create${this.#group}${place.before}${parent}${identifier(subresource, true)}`;
    const content: Content = {
      description: `create ${subresource} of ${article(parent)}`,
      parameters: [...place.parameters, ...PARAMETERS_OF.write],
      body: { definition, required: true },
      responses: { 200: definition, 201: definition, 202: definition },
    };
    return this.#operation('post', 'post', id, content, kind);
  }

  #readText(subresource: string, { before }: Place, parameters: readonly Parameter[]): Operation {
    const { gvk } = this.#resource;
    return this.#operation('get', 'get', `read${this.#group}${before}${gvk.kind}${identifier(subresource, true)}`, {
      description: `read ${subresource} of the specified ${gvk.kind}`,
      parameters,
      produces: ['text/plain', ...this.#produces],
      responses: { 200: 'string' },
    });
  }
}

const article = (noun: string): string => `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;

/**
 * The methods that a connect subresource (such as `proxy`) may forward, with the verbs that authorize them. Methods without a verb are
 * available only if the subresource also serves the paths below it.
 */
const RELAYED = [
  { method: 'get', verb: 'get' },
  { method: 'put', verb: 'update' },
  { method: 'post', verb: 'create' },
  { method: 'delete', verb: 'delete' },
  { method: 'options', verb: undefined },
  { method: 'head', verb: undefined },
  { method: 'patch', verb: 'patch' },
] as const;

/**
 * Returns the operations of a connect subresource and of the paths below it.
 * @param path path of the subresource.
 * @param readText returns the operation for a subresource that is read as plain text.
 */
function relayOperations(
  { gvk, dialect }: ServedResource,
  place: Place,
  path: string,
  subresource: string,
  { kind, verbs, takesPath = false, parameters }: RelaySubresource<ApiObject>['relay'],
  readText: (parameters: readonly Parameter[]) => Operation,
): PathOperations[] {
  const methods = RELAYED.filter(({ verb }) => (verb === undefined ? takesPath : verbs.includes(verb)));
  const query = parameters.map((one): Parameter => ({ ...one, key: `${one.name}-${kind}`, in: 'query' }));
  const at = [...place.parameters, nameParameter(kind), ...query];
  const operationsAt = (all: readonly Parameter[], after: string): Operation[] =>
    methods.map(({ method }) => {
      if (kind === gvk.kind) return readText(all);
      const id = `${identifier(method, true)}${place.before}${gvk.kind}${identifier(subresource, true)}${after}`;
      return {
        method,
        operationId: `connect${groupVersionIdentifier(gvk, dialect)}${id}`,
        tag: groupVersionTag(gvk, dialect),
        description: `connect ${method.toUpperCase()} requests to ${subresource} of ${gvk.kind}`,
        about: { action: 'connect', kind: { group: '', version: 'v1', kind } },
        consumes: ANY_TYPE,
        produces: ANY_TYPE,
        parameters: all,
        responses: { 200: 'string', ...UNAUTHORIZED },
      };
    });
  const paths = [{ path, operations: operationsAt(at, '') }];
  if (takesPath)
    paths.push({ path: `${path}/{path}`, operations: operationsAt([...at, pathParameter(kind)], 'WithPath') });
  return paths;
}
