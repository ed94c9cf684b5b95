import { run } from '../meta/flow.js';
import type { ApiObject } from '../meta/object-meta.js';
import { withMetadata } from './edit.js';
import { admissionValidated, admitted, tracked, type WriteTarget } from './prepare.js';
import type { RequestContext } from './request-context.js';
import type { ConnectSubresource } from './resource-definition.js';
import type { WriteEnvironment } from './write-environment.js';

/**
 * Answers a POST to a subresource with an object of its own kind: ownership, admission, and what the kind does.
 * `target.resource` is the kind that is taken and answered.
 */
export async function connectObject(
  { admission }: WriteEnvironment,
  context: RequestContext,
  target: WriteTarget,
  { create }: ConnectSubresource<ApiObject>['connect'],
  body: ApiObject,
  parent: () => Promise<ApiObject>,
): Promise<ApiObject> {
  const given = withMetadata(body, {
    selfLink: undefined,
    uid: undefined,
    creationTimestamp: undefined,
    deletionTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
  });
  const owned = tracked(target, context, given, undefined);
  const object = await run(admitted(admission, target, context, 'CREATE', owned, undefined));
  const { namespace, name } = target;
  const validate = (made: ApiObject) => run(admissionValidated(admission, target, context, 'CREATE', made, undefined));
  return create(object, { namespace, name, parent, validate }, context);
}
