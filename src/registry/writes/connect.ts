import { run } from '../../meta/flow.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { withMetadata } from '../edit.js';
import type { ConnectSubresource } from '../resource-definition.js';
import { runMutatingAdmission, runValidatingAdmission, trackOwners } from './prepare.js';
import type { Write } from './write.js';

/**
 * Answers a POST to a subresource with an object of its own kind: ownership, admission, and what the kind does.
 * `write.target.resource` is the kind that is taken and answered.
 */
export async function connectObject(
  write: Write,
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
  const owned = trackOwners(write, given, undefined);
  const object = await run(runMutatingAdmission(write, owned, undefined));
  const { namespace, name } = write.target;
  const validate = (made: ApiObject) => run(runValidatingAdmission(write, made, undefined));
  return create(object, { namespace, name, parent, validate }, write.context);
}
