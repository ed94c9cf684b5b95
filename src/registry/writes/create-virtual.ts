import { run } from '../../meta/flow.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { withMetadata } from '../edit.js';
import type { VirtualKind } from '../resource-definition.js';
import { runMutatingAdmission, runValidatingAdmission, trackOwners } from './prepare.js';
import type { Write } from './write.js';

/** Answers a POST of a kind that is not stored: ownership, admission, and what the kind does (spec 12.4). */
export async function createVirtual(write: Write, { create }: VirtualKind, body: ApiObject): Promise<ApiObject> {
  const given = withMetadata(body, {
    selfLink: undefined,
    uid: undefined,
    creationTimestamp: null,
    deletionTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
  });
  const owned = trackOwners(write, given, undefined);
  const object = await run(runMutatingAdmission(write, owned, undefined));
  const validate = (valid: ApiObject) => run(runValidatingAdmission(write, valid, undefined));
  return await create(object, { namespace: write.target.namespace, validate }, write.context);
}
