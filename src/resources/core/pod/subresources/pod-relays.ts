import { apiError } from '../../../../meta/api-error.js';
import { type FieldError, fieldError } from '../../../../meta/field-error.js';
import { parseInt64, type Query } from '../../../../meta/query.js';
import type { RequestContext } from '../../../../registry/request-context.js';
import type { RelayCall, RelayParameter, RelaySubresource } from '../../../../registry/resource-definition.js';
import { parseAddress } from '../../../../values/ip-address.js';
import { messageOf } from '../../../../values/message-of.js';
import { parseTime } from '../../../../values/time.js';
import { originAt, PROXY, readTarget } from '../../../shared/relay-target.js';
import type { Node, Pod } from '../../core-v1.types.js';
import { addressOfNode, requireProxyable } from '../../node/node-connection.js';
import { allContainers } from '../pod-containers.js';

/**
 * Checks that the pod has the named container. The name may be left out if there is only one besides init and ephemeral containers.
 * @throws ApiError 400
 */
function requireContainer({ metadata, spec }: Pod, containerName: string): void {
  const { name = '' } = metadata;
  const names = allContainers(spec).map((container) => container.name);
  if (containerName !== '') {
    if (!names.includes(containerName))
      throw apiError.badRequest(`container ${containerName} is not valid for pod ${name}`);
    return;
  }
  const { length } = spec.containers;
  if (length === 1) return;
  const choice = length === 0 ? '' : `, choose one of: [${names.join(' ')}]`;
  throw apiError.badRequest(`a container name must be specified for pod ${name}${choice}`);
}

/**
 * Checks that the node of a pod exists and has an address.
 * @throws ApiError 404, which as in upstream names the resource `pods`; 500 for a node without an address.
 */
function requireNode(nodeName: string, { host }: RequestContext): void {
  const node = host.lister<Node>('', 'nodes').get('', nodeName);
  if (node === undefined) throw apiError.notFound({ group: '', resource: 'pods' }, nodeName);
  addressOfNode(node);
}

/**
 * Checks a request that is to be forwarded to the kubelet of a pod's node, and then always refuses it, because this server does not
 * implement such forwarding.
 */
async function refuseViaNode(
  { name, parent, query, asksUpgrade }: RelayCall<Pod>,
  context: RequestContext,
  hasContainer: boolean,
): Promise<never> {
  const pod = await parent(name);
  if (hasContainer) requireContainer(pod, query.first('container') ?? '');
  const { nodeName = '' } = pod.spec;
  if (nodeName === '') throw apiError.badRequest(`pod ${name} does not have a host assigned`);
  requireNode(nodeName, context);
  throw asksUpgrade
    ? apiError.unknown('this server reaches no nodes')
    : apiError.badRequest('Upgrade request required');
}

const STREAMS: readonly RelayParameter[] = [
  { name: 'container', type: 'string', description: 'The container; optional if there is only one.' },
  { name: 'stderr', type: 'boolean', description: 'Whether the standard error is sent.' },
  { name: 'stdin', type: 'boolean', description: 'Whether the standard input is connected.' },
  { name: 'stdout', type: 'boolean', description: 'Whether the standard output is sent.' },
  { name: 'tty', type: 'boolean', description: 'Whether the container has a terminal.' },
];

/** `/exec`: runs a command in a container. */
export const podExec: RelaySubresource<Pod> = {
  relay: {
    kind: 'PodExecOptions',
    verbs: ['create', 'get'],
    parameters: [
      { name: 'command', type: 'string', description: 'The command and its arguments.', repeated: true },
      ...STREAMS,
    ],
    answer: (call, context) => refuseViaNode(call, context, true),
  },
};

/** `/attach`: attaches to a running container. */
export const podAttach: RelaySubresource<Pod> = {
  relay: {
    kind: 'PodAttachOptions',
    verbs: ['create', 'get'],
    parameters: STREAMS,
    answer: (call, context) => refuseViaNode(call, context, true),
  },
};

/** `/portforward`: forwards connections to ports of the pod. */
export const podPortForward: RelaySubresource<Pod> = {
  relay: {
    kind: 'PodPortForwardOptions',
    verbs: ['create', 'get'],
    parameters: [
      { name: 'ports', type: 'integer', description: 'The ports; required with a WebSocket.', repeated: true },
    ],
    answer: (call, context) => refuseViaNode(call, context, false),
  },
};

/** `/proxy`: requests to the address of the pod. */
export const podProxy: RelaySubresource<Pod> = {
  relay: {
    kind: 'PodProxyOptions',
    ...PROXY,
    async answer({ name, parent }, { host }) {
      const target = readTarget(name);
      if (target === undefined) throw apiError.badRequest(`invalid pod request "${name}"`);
      const { spec, status } = await parent(target.name);
      const address = status.podIPs?.[0]?.ip ?? status.podIP ?? '';
      if (parseAddress(address) === undefined) throw apiError.badRequest('address not allowed');
      requireProxyable(address, host.fetch);
      const [first] = spec.containers.flatMap(({ ports = [] }) => ports.slice(0, 1));
      return { origin: originAt(target.scheme, address, target.port || String(first?.containerPort ?? '')) };
    },
  },
};

/**
 * Returns the numeric parameters of `/log`. @throws ApiError 400 for a value that is not a number, or a `sinceTime` that is not a time.
 */
function readLogCounts(query: Query) {
  try {
    const sinceSeconds = parseInt64(query.first('sinceSeconds'));
    const sinceTime = query.first('sinceTime') ?? '';
    if (sinceTime !== '' && sinceTime !== 'null') parseTime(sinceTime);
    return {
      sinceSeconds,
      tailLines: parseInt64(query.first('tailLines')),
      limitBytes: parseInt64(query.first('limitBytes')),
    };
  } catch (error) {
    throw apiError.badRequest(messageOf(error));
  }
}

function validateLogOptions(query: Query): FieldError[] {
  const { tailLines, limitBytes, sinceSeconds } = readLogCounts(query);
  const errors: FieldError[] = [];
  if (tailLines !== undefined && tailLines < 0)
    errors.push(fieldError.invalid('tailLines', tailLines, 'must be greater than or equal to 0'));
  const positive = (path: string, count: number | undefined) => {
    if (count !== undefined && count < 1) errors.push(fieldError.invalid(path, count, 'must be greater than 0'));
  };
  positive('limitBytes', limitBytes);
  if (sinceSeconds !== undefined && query.has('sinceTime'))
    errors.push(fieldError.forbidden('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  else positive('sinceSeconds', sinceSeconds);
  return errors;
}

const LOG_PARAMETERS: readonly RelayParameter[] = [
  { name: 'container', type: 'string', description: 'The container; optional if there is only one.' },
  { name: 'follow', type: 'boolean', description: 'Whether new lines are sent as they are written.' },
  {
    name: 'insecureSkipTLSVerifyBackend',
    type: 'boolean',
    description: 'Whether the certificate of the node is not verified.',
  },
  { name: 'limitBytes', type: 'integer', description: 'The maximum number of bytes.' },
  { name: 'previous', type: 'boolean', description: 'Whether to return the log of the previous instance.' },
  { name: 'sinceSeconds', type: 'integer', description: 'The maximum age of the lines in seconds.' },
  { name: 'tailLines', type: 'integer', description: 'The number of lines from the end of the log.' },
  { name: 'timestamps', type: 'boolean', description: 'Whether each line begins with a timestamp.' },
];

/** `/log`: the output of a container. It is empty as long as the pod has no node. */
export const podLog: RelaySubresource<Pod> = {
  relay: {
    kind: 'Pod',
    verbs: ['get'],
    parameters: LOG_PARAMETERS,
    async answer({ name, parent, query }, context) {
      const errors = validateLogOptions(query);
      if (errors.length > 0) throw apiError.invalid({ group: '', kind: 'PodLogOptions' }, name, errors);
      const pod = await parent(name);
      requireContainer(pod, query.first('container') ?? '');
      const { nodeName = '' } = pod.spec;
      if (nodeName === '') return { status: 204, text: '' };
      requireNode(nodeName, context);
      throw apiError.unknown('this server reaches no nodes');
    },
  },
};
