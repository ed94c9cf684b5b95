import { apiError } from '../../../../meta/api-error.js';
import { type FieldError, fieldError, formatFieldErrors } from '../../../../meta/field-error.js';
import type { ApiObject } from '../../../../meta/object-meta.js';
import type { RequestContext } from '../../../../registry/request-context.js';
import type { CreateSubresource } from '../../../../registry/resource-definition.js';
import { structSchema } from '../../../../schema/authoring.js';
import { coreV1 } from '../../core-v1.js';
import type { Binding, Pod } from '../../core-v1.types.js';
import { withPodCondition } from './pod-condition.js';

const PODS = { group: '', resource: 'pods' } as const;

function validate({ target }: Binding): FieldError[] {
  const { kind = '', name = '' } = target;
  const errors: FieldError[] = [];
  if (kind !== '' && kind !== 'Node') errors.push(fieldError.notSupported('target.kind', kind, ['Node', '<empty>']));
  if (name === '') errors.push(fieldError.required('target.name'));
  return errors;
}

/**
 * Assigns the pod in a binding to its node, and adds the binding's annotations.
 * @throws ApiError 404; 409 for a pod that has a node, has scheduling gates or is being deleted; 500 for a binding without a target, as in
 *   upstream.
 */
export async function bindPod(
  binding: Binding,
  { namespace, validate: admit }: { readonly namespace: string; validate(object: ApiObject): void | Promise<void> },
  context: RequestContext,
): Promise<void> {
  const errors = validate(binding);
  if (errors.length > 0) throw apiError.unknown(formatFieldErrors(errors));
  await admit(binding);
  const { name = '' } = binding.metadata;
  if (name === '') throw apiError.badRequest('Name parameter required.');
  const pods = context.kinds.find('', 'v1', 'pods');
  if (!pods) throw apiError.noSuchResource();
  // `pods` contains only Pod objects, so the cast is safe.
  await pods.change(context, namespace, name, (current) => bound(current as Pod, binding, context));
}

function bound(pod: Pod, { metadata, target }: Binding, { host }: RequestContext): Pod {
  requireSamePod(pod, metadata);
  const { name = '' } = pod.metadata;
  const { nodeName = '', schedulingGates = [] } = pod.spec;
  const refuse = (why: string) =>
    apiError.conflict({ group: '', resource: 'pods/binding' }, name, `pod ${name} ${why}`);
  if (pod.metadata.deletionTimestamp !== undefined && pod.metadata.deletionTimestamp !== null)
    throw refuse('is being deleted, cannot be assigned to a host');
  if (nodeName !== '') throw refuse(`is already assigned to node ${JSON.stringify(nodeName)}`);
  if (schedulingGates.length > 0) throw refuse('has non-empty .spec.schedulingGates');
  const { annotations } = metadata;
  const next = {
    ...pod,
    metadata: annotations
      ? { ...pod.metadata, annotations: { ...pod.metadata.annotations, ...annotations } }
      : pod.metadata,
    spec: { ...pod.spec, nodeName: target.name ?? '' },
  };
  return withPodCondition(next, { type: 'PodScheduled' }, host);
}

/** Checks that the pod has the uid and the resourceVersion that the binding contains. */
function requireSamePod({ metadata }: Pod, { uid = '', resourceVersion = '' }: Binding['metadata']): void {
  const { namespace, name = '' } = metadata;
  const require = (what: string, expected: string, actual = '') => {
    if (expected === '' || expected === actual) return;
    const why =
      `StorageError: invalid object, Code: 4, Key: /registry/pods/${namespace}/${name}, ResourceVersion: 0, ` +
      `AdditionalErrorMsg: Precondition failed: ${what} in precondition: ${expected}, ${what} in object meta: ${actual}`;
    throw apiError.conflict(PODS, name, why);
  };
  require('UID', uid, metadata.uid);
  require('ResourceVersion', resourceVersion, metadata.resourceVersion);
}

/** `pods/{name}/binding`: assigns the pod to a node; used by schedulers. */
export const podBinding: CreateSubresource<ApiObject> = {
  create: {
    kind: 'Binding',
    groupStem: '',
    version: 'v1',
    schema: structSchema(coreV1.struct('Binding')),
    keepsMetadata: true,
    async create(body, call, context) {
      if ((body.metadata.name ?? '') !== call.name)
        throw apiError.badRequest('name in URL does not match name in Binding object');
      // The body was decoded with the schema of Binding, so the cast is safe.
      await bindPod(body as Binding, call, context);
      return undefined;
    },
  },
};
