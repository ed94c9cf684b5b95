import type { ServedResource } from '../../registry/served/served-resource.js';
import type { RequestInfo } from '../request-info.js';

/** How a request is counted: by its route, never by what its path says. */
export interface MeasuredRoute {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** For paths that are not resources: the path. */
  readonly subresource: string;
  readonly scope: 'resource' | 'namespace' | 'cluster' | '';
  readonly component: 'apiserver' | '';
  /** Asked by the old form of a watch. */
  readonly watches: boolean;
  /** Whether the answer's size counts. */
  readonly reads: boolean;
  /** With the group, for bodies; '' where there are none. */
  readonly groupResource: string;
  readonly deprecated: { readonly removed: string } | undefined;
}

/** @param at what the route found, with '' where nothing is named. */
export function measuredResource(
  { definition, gvr, groupResource }: ServedResource,
  info: RequestInfo,
  at: { readonly action: string; readonly namespace: string; readonly name: string; readonly subresource: string },
): MeasuredRoute {
  const { action, subresource } = at;
  // Users' kinds have one handler, which goes by what is asked for; the others' scope is that of their route.
  const isOpen = definition.decoding === 'structural';
  const { name, namespace } = isOpen ? info : at;
  const watches = info.special === 'watch';
  const isOne = name !== '' || (isOpen ? info.verb : action) === 'create';
  const { deprecation } = definition;
  return {
    group: gvr.group,
    version: gvr.version,
    resource: gvr.resource,
    subresource,
    scope: isOne ? 'resource' : namespace === '' ? 'cluster' : 'namespace',
    component: 'apiserver',
    watches,
    // A watch comes by the route of lists.
    reads: action === 'get' || action === 'list' || (action === 'watch' && !watches && !isOpen),
    groupResource: groupResource.group === '' ? gvr.resource : `${gvr.resource}.${gvr.group}`,
    deprecated: deprecation && { removed: 'removed' in deprecation ? (deprecation.removed ?? '') : '' },
  };
}

/** A path that is counted though it is no resource. */
export function measuredPath(path: string): MeasuredRoute {
  return {
    group: '',
    version: '',
    resource: '',
    subresource: path,
    scope: '',
    component: '',
    watches: false,
    reads: true,
    groupResource: '',
    deprecated: undefined,
  };
}
