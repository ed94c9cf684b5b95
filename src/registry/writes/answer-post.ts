import { run } from '../../meta/flow.js';
import type { ApiObject, ObjectMeta } from '../../meta/object-meta.js';
import { withMetadata } from '../edit.js';
import type { AnsweringKind, CreateSubresource } from '../resource-definition.js';
import { trackOwners } from './ownership.js';
import { admissionAttributes, runMutatingAdmission } from './prepare.js';
import { runInTime, untilCancelled, type Write } from './write.js';

/* This module handles POSTs whose objects are not stored. It tracks field ownership, runs admission, and calls the code of the kind. */

/** Handles a POST for a kind whose objects are not stored (spec 12.4). */
export async function createVirtual(
  write: Write,
  { create }: AnsweringKind,
  body: ApiObject,
): Promise<ApiObject | undefined> {
  const { object, validate } = await admitPosted(write, withoutSystemFields(body, null));
  return await untilCancelled(write, create(object, { namespace: write.target.namespace, validate }, write.context));
}

/** Handles a POST to a subresource that has a kind of its own. `write.target.resource` is the kind of the request and response bodies. */
export async function createSubresource(
  write: Write,
  { create, keepsMetadata }: CreateSubresource<ApiObject>['create'],
  body: ApiObject,
  parent: () => Promise<ApiObject>,
): Promise<ApiObject | undefined> {
  const cleanBody = keepsMetadata ? body : withoutSystemFields(body, undefined);
  const { object, validate } = await admitPosted(write, cleanBody);
  const { namespace, name } = write.target;
  return await untilCancelled(write, create(object, { namespace, name, parent, validate }, write.context));
}

function withoutSystemFields(body: ApiObject, creationTimestamp: ObjectMeta['creationTimestamp']): ApiObject {
  return withMetadata(body, {
    selfLink: undefined,
    uid: undefined,
    creationTimestamp,
    deletionTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
  });
}

/** Returns the admitted object, and a function that runs validating admission for the object that the kind derives from it. */
async function admitPosted(write: Write, posted: ApiObject) {
  const owned = await run(trackOwners(write, posted, undefined));
  const object = await runInTime(write, runMutatingAdmission(write, owned, undefined));
  return {
    object,
    validate: (created: ApiObject) =>
      runInTime(write, write.environment.admission.validate(admissionAttributes(write, created, undefined))),
  };
}
