import { run } from '../meta/flow.js';
import type { ApiObject } from '../meta/object-meta.js';
import { withMetadata } from './edit.js';
import { admissionValidated, admitted, tracked, type WriteTarget } from './prepare.js';
import type { RequestContext } from './request-context.js';
import type { VirtualKind } from './resource-definition.js';
import type { WriteEnvironment } from './write-environment.js';

/** Answers a POST of a kind that is not stored: ownership, admission, and what the kind does (spec 12.4). */
export async function createVirtual(
  { admission }: WriteEnvironment,
  context: RequestContext,
  target: WriteTarget,
  { create }: VirtualKind,
  body: ApiObject,
): Promise<ApiObject> {
  const given = withMetadata(body, {
    selfLink: undefined,
    uid: undefined,
    creationTimestamp: null,
    deletionTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
  });
  const owned = tracked(target, context, given, undefined);
  const object = await run(admitted(admission, target, context, 'CREATE', owned, undefined));
  const validate = (valid: ApiObject) =>
    run(admissionValidated(admission, target, context, 'CREATE', valid, undefined));
  return await create(object, { namespace: target.namespace, validate }, context);
}
