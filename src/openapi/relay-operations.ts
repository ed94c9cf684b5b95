import type { ApiObject } from '../meta/object-meta.js';
import type { RelaySubresource } from '../registry/resource-definition.js';
import type { ServedResource } from '../registry/served/served-resource.js';
import { groupVersionIdentifier, groupVersionTag, identifier } from './names.js';
import { ANY_TYPE, type Operation, type PathOperations, type Place, UNAUTHORIZED } from './operation.js';
import { nameParameter, type Parameter, pathParameter } from './parameters.js';

/**
 * The methods that a relay subresource (such as `proxy`) passes on, with the verbs that authorize them. Methods without a verb are
 * available only where the subresource takes a path.
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
 * Returns the operations of a relay subresource and of the paths below it.
 * @param path path of the subresource.
 * @param readText returns the operation for a subresource that is read as text.
 */
export function relayOperations(
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
