import { apiError } from '../../../../meta/api-error.js';
import { type FieldError, fieldError } from '../../../../meta/field-error.js';
import { parseInt64, type Query } from '../../../../meta/query.js';
import type { RelayParameter, RelaySubresource } from '../../../../registry/resource-definition.js';
import { messageOf } from '../../../../values/message-of.js';
import type { Pod } from '../../core-v1.types.js';
import { requireContainer, requireNode } from './pod-relays.js';

const COUNTS = ['limitBytes', 'sinceSeconds', 'tailLines'] as const;

/** Returns the numeric parameters of a query. @throws ApiError 400 for a value that is not a number. */
function readCounts(query: Query): Readonly<Partial<Record<(typeof COUNTS)[number], number>>> {
  try {
    return Object.fromEntries(
      COUNTS.flatMap((name) => {
        const count = parseInt64(query.first(name));
        return count === undefined ? [] : [[name, count]];
      }),
    );
  } catch (error) {
    throw apiError.badRequest(messageOf(error));
  }
}

function validate(query: Query): FieldError[] {
  const { tailLines, limitBytes, sinceSeconds } = readCounts(query);
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

const PARAMETERS: readonly RelayParameter[] = [
  { name: 'container', type: 'string', description: 'Which container; can be left out where there is one only.' },
  { name: 'follow', type: 'boolean', description: 'Whether what it writes from now on is sent, too.' },
  {
    name: 'insecureSkipTLSVerifyBackend',
    type: 'boolean',
    description: "Whether the certificate of the node's agent is taken as it comes.",
  },
  { name: 'limitBytes', type: 'integer', description: 'How many bytes are sent at most.' },
  { name: 'previous', type: 'boolean', description: 'Whether the log is that of its run before.' },
  { name: 'sinceSeconds', type: 'integer', description: 'How old the lines are at most.' },
  { name: 'tailLines', type: 'integer', description: 'How many of the last lines are sent.' },
  { name: 'timestamps', type: 'boolean', description: 'Whether each line begins with its time.' },
];

/** `/log`: the output of a container, which is empty as long as its pod has no node. */
export const podLog: RelaySubresource<Pod> = {
  relay: {
    kind: 'Pod',
    verbs: ['get'],
    parameters: PARAMETERS,
    async answer({ name, parent, query }, context) {
      const errors = validate(query);
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
