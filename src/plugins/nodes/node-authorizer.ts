import type {
  AuthorizationAttributes,
  AuthorizerFactory,
  Decision,
  UserRules,
} from '../../authorization/authorizer.js';
import { groupOf } from '../../meta/dialect.js';
import type { Host } from '../../meta/host.js';
import type { UserInfo } from '../../meta/user-info.js';
import { once } from '../../values/memoize.js';
import { quote } from '../../values/quote.js';
import { nodeRules } from '../default-roles/node-rules.js';
import { ruleAllows } from '../rbac/rule-matching.js';
import { type GraphKind, type NodeGraph, nodeGraph } from './node-graph.js';

const NAME = 'node';
const NODE_LEASES = 'kube-node-lease';
const ALLOW: Decision = Object.freeze({ decision: 'Allow', reason: '', authorizer: NAME });
const NO_OPINION: Decision = Object.freeze({ decision: 'NoOpinion', reason: '' });
const NOT_LISTED = 'node authorizer does not support user rule resolution';

const refuse = (reason: string): Decision => ({ decision: 'NoOpinion', reason });

/**
 * A function that authorizes a node's requests for one resource. For resources without such a function, the rules of `system:node` decide.
 */
type Check = (node: string, attributes: AuthorizationAttributes, graph: NodeGraph) => Decision;

/**
 * Authorizes nodes. A node may read secrets, ConfigMaps, claims and service accounts only if pods that run on it use them (spec 12.2,
 * 12.9). It never denies.
 */
export function node(): AuthorizerFactory {
  return (host) => {
    // Most servers have no nodes that send requests.
    const graph = once(() => nodeGraph(host));
    const rules = once(() => nodeRules(host.dialect, host.gates.ClusterTrustBundle));
    const checks = once(() => checksIn(host));
    return {
      name: NAME,
      authorize(attributes) {
        const name = nodeOf(attributes.user);
        if (name === undefined) return NO_OPINION;
        if (name === '') return refuse(`unknown node for user ${quote(attributes.user.username)}`);
        const check = attributes.resourceRequest
          ? checks().get(`${attributes.group}/${attributes.resource}`)
          : undefined;
        if (check) return check(name, attributes, graph());
        const rule = rules().find((each) => ruleAllows(each, attributes));
        return rule ? { decision: 'Allow', reason: '', authorizer: NAME, grant: { rule } } : NO_OPINION;
      },
      rulesFor: (user): UserRules => {
        const none = { resourceRules: [], nonResourceRules: [] };
        return nodeOf(user) === undefined
          ? { ...none, incomplete: false }
          : { ...none, incomplete: true, error: new Error(NOT_LISTED) };
      },
    };
  };
}

/** Returns the checks by group and resource. */
function checksIn({ dialect, gates }: Host): ReadonlyMap<string, Check> {
  const group = (stem: string) => groupOf(dialect, stem);
  const narrow = gates.AuthorizeNodeWithSelectors;
  return new Map([
    ['/secrets', readNamed('secret')],
    ['/configmaps', readNamed('configmap')],
    ['/persistentvolumeclaims', claim],
    ['/persistentvolumes', getOne('pv')],
    ['/serviceaccounts', createToken],
    [`${group('resource')}/resourceclaims`, getOne('resourceclaim')],
    [`${group('resource')}/resourceslices`, narrow ? ownSlices : slice],
    [`${group('storage')}/volumeattachments`, getOne('volumeattachment')],
    [`${group('storage')}/csinodes`, ownCsiNode],
    [`${group('coordination')}/leases`, ownLease],
    ...(narrow ? NARROW : []),
  ]);
}

function requireRelation(
  kind: GraphKind,
  node: string,
  { namespace, name }: AuthorizationAttributes,
  graph: NodeGraph,
): Decision {
  if (name === '') return refuse('No Object name found');
  return graph.reaches(node, kind, namespace, name)
    ? ALLOW
    : refuse(`no relationship found between node '${node}' and this object`);
}

const readNamed =
  (kind: GraphKind): Check =>
  (node, attributes, graph) => {
    if (!['get', 'list', 'watch'].includes(attributes.verb)) return refuse('can only read resources of this type');
    if (attributes.subresource !== '') return refuse('cannot read subresource');
    if (attributes.namespace === '') return refuse('can only read namespaced object of this type');
    return requireRelation(kind, node, attributes, graph);
  };

const getOne =
  (kind: GraphKind): Check =>
  (node, attributes, graph) => {
    if (attributes.verb !== 'get') return refuse('can only get individual resources of this type');
    if (attributes.subresource !== '') return refuse('cannot get subresource');
    return requireRelation(kind, node, attributes, graph);
  };

const claim: Check = (node, attributes, graph) => {
  if (attributes.subresource !== 'status') return getOne('pvc')(node, attributes, graph);
  if (!['update', 'patch'].includes(attributes.verb)) return refuse('can only get/update/patch this type');
  return requireRelation('pvc', node, attributes, graph);
};

const createToken: Check = (node, attributes, graph) => {
  if (attributes.verb !== 'create' || attributes.name === '')
    return refuse('can only create tokens for individual service accounts');
  if (attributes.subresource !== 'token') return refuse('can only create token subresource of serviceaccount');
  return requireRelation('serviceaccount', node, attributes, graph);
};

const OWN_VERBS = ['get', 'create', 'update', 'patch', 'delete'];

const ownLease: Check = (node, { verb, namespace, name }) => {
  if (!OWN_VERBS.includes(verb)) return refuse('can only get, create, update, patch, or delete a node lease');
  if (namespace !== NODE_LEASES) return refuse(`can only access leases in the "${NODE_LEASES}" system namespace`);
  // The authorizer does not see the name of a Lease that is created, so admission checks it.
  if (verb !== 'create' && name !== node)
    return refuse('can only access node lease with the same name as the requesting node');
  return ALLOW;
};

const ownCsiNode: Check = (node, { verb, subresource, name }) => {
  if (!OWN_VERBS.includes(verb)) return refuse('can only get, create, update, patch, or delete a CSINode');
  if (subresource !== '') return refuse('cannot authorize CSINode subresources');
  if (verb !== 'create' && name !== node)
    return refuse('can only access CSINode with the same name as the requesting node');
  return ALLOW;
};

const slice: Check = (node, attributes, graph) => {
  const { verb, subresource } = attributes;
  if (subresource !== '') return refuse('cannot authorize ResourceSlice subresources');
  if (['create', 'watch', 'list', 'deletecollection'].includes(verb)) return ALLOW;
  if (['get', 'update', 'patch', 'delete'].includes(verb))
    return requireRelation('resourceslice', node, attributes, graph);
  return refuse(
    'only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection',
  );
};

/** Returns whether a field selector restricts the request to objects in which `field` is the node's name. */
const selectsOwn = (field: string, node: string, { fieldSelector = [] }: AuthorizationAttributes): boolean =>
  fieldSelector.some((each) => each.field === field && each.operator === '=' && each.value === node);

const ownSlices: Check = (node, attributes, graph) => {
  if (attributes.subresource !== '' || !['list', 'watch', 'deletecollection'].includes(attributes.verb))
    return slice(node, attributes, graph);
  return selectsOwn('nodeName', node, attributes)
    ? ALLOW
    : refuse('can only list/watch/deletecollection resourceslices with nodeName field selector');
};

/** The actions other than reads that a node may take on nodes and pods. Admission checks that the objects belong to the node. */
const OTHER_OF_NODES: ReadonlySet<string> = new Set(['create ', 'update ', 'patch ', 'update status', 'patch status']);
const OTHER_OF_PODS: ReadonlySet<string> = new Set([
  'create ',
  'delete ',
  'update status',
  'patch status',
  'create eviction',
]);

const ownNode: Check = (node, { verb, subresource, name }) => {
  if (subresource === '' && ['get', 'list', 'watch'].includes(verb)) {
    // The check uses only the name, because a node may request its Node object before that object exists.
    if (name === node) return ALLOW;
    const others = name === '' ? 'all nodes' : `'${name}'`;
    return refuse(`node '${node}' cannot read ${others}, only its own Node object`);
  }
  return OTHER_OF_NODES.has(`${verb} ${subresource}`) ? ALLOW : NO_OPINION;
};

const ownPods: Check = (node, attributes, graph) => {
  const { verb, subresource, name } = attributes;
  if (subresource === '' && verb === 'get') return requireRelation('pod', node, attributes, graph);
  if (subresource === '' && (verb === 'list' || verb === 'watch')) {
    if (selectsOwn('spec.nodeName', node, attributes)) return ALLOW;
    if (name !== '') return requireRelation('pod', node, attributes, graph);
    return refuse('can only list/watch pods with spec.nodeName field selector');
  }
  return OTHER_OF_PODS.has(`${verb} ${subresource}`) ? ALLOW : NO_OPINION;
};

/** The checks that the feature gate AuthorizeNodeWithSelectors adds. With them a node may read only its own Node and pods. */
const NARROW: readonly (readonly [string, Check])[] = [
  ['/nodes', ownNode],
  ['/pods', ownPods],
];

const USER_PREFIX = 'system:node:';
const GROUP = 'system:nodes';

/** Returns the name of the calling node, '' for a node without a name, and undefined when the caller is not a node. */
export function nodeOf({ username, groups }: UserInfo): string | undefined {
  if (!username.startsWith(USER_PREFIX) || !groups?.includes(GROUP)) return undefined;
  return username.slice(USER_PREFIX.length);
}
