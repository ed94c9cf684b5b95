import type { AdmissionAttributes, AdmissionHost, AdmissionPluginFactory } from '../admission/admission-plugin.js';
import { authorizerOf } from '../admission/authorize-caller.js';
import { forbiddenRequest } from '../admission/refusal.js';
import type { AuthorizationAttributes } from '../authorization/authorizer.js';
import { equalJson } from '../json/equal.js';
import { parseGroupVersion, printNoMatch } from '../meta/group-version.js';
import type { OwnerReference } from '../meta/object-meta.js';

type Permission = Pick<
  AuthorizationAttributes,
  'verb' | 'group' | 'version' | 'resource' | 'subresource' | 'namespace' | 'name'
>;
/** The permission to block the deletion of every owner. */
const ANYTHING: Permission = {
  verb: 'update',
  group: '*',
  version: '*',
  resource: '*',
  subresource: 'finalizers',
  namespace: '',
  name: '*',
};
const NO_DELETE = "cannot set an ownerRef on a resource you can't delete";
const NO_BLOCK = "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on";
const NO_KIND = 'cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion';

/** Returns the owners whose deletion the new object blocks but the old one did not. */
function newlyBlocking(next: readonly OwnerReference[], old: readonly OwnerReference[]): readonly OwnerReference[] {
  const blocked = new Set(old.flatMap(({ uid, blockOwnerDeletion }) => (blockOwnerDeletion ? [uid] : [])));
  return next.filter(({ uid, blockOwnerDeletion }) => blockOwnerDeletion && !blocked.has(uid));
}

/**
 * Requires permissions for the owner references of an object. An update that changes them needs permission to delete the object, and
 * blocking the deletion of an owner needs permission to update that owner's finalizers.
 */
export const ownerReferencesPermissionEnforcement: AdmissionPluginFactory = (host) => ({
  name: 'OwnerReferencesPermissionEnforcement',
  rules: [{ operations: ['CREATE', 'UPDATE'], apiGroups: ['*'], resources: ['*/*'] }],
  // An update of a pod's status keeps the owner references of the stored pod, so it needs no check.
  handles: ({ resource, subresource }) =>
    !(resource.group === '' && resource.resource === 'pods' && subresource === 'status'),
  async validate(attributes) {
    const { operation, object, oldObject, resource, subresource, namespace, name } = attributes;
    const next = object?.metadata?.ownerReferences ?? [];
    const old = oldObject?.metadata?.ownerReferences ?? [];
    if (equalJson(next, old)) return;
    if (operation !== 'CREATE')
      await require(host, attributes, { ...resource, verb: 'delete', subresource, namespace, name }, NO_DELETE);
    const blocking = newlyBlocking(next, old);
    if (blocking.length === 0) return;
    const { observer, ...unobserved } = attributes;
    const mayBlockAll = (await refusalOf(host, unobserved, ANYTHING)) === undefined;
    // If `observer` is set, it records the permissions that the request needs. The permission on all owners is more than the request needs,
    // so the permission on each owner is checked, too.
    if (mayBlockAll && observer === undefined) return;
    for (const owner of blocking) {
      const kind = { group: '', version: '', ...parseGroupVersion(owner.apiVersion), kind: owner.kind };
      const servedKind = host.servedKind(kind);
      if (!servedKind && mayBlockAll) continue;
      if (!servedKind)
        throw forbiddenRequest(attributes, `${NO_KIND} ${owner.apiVersion} Kind ${owner.kind}: ${printNoMatch(kind)}`);
      const where = { namespace: servedKind.namespaced ? namespace : '', name: owner.name };
      const permission = { ...servedKind.resource, verb: 'update', subresource: 'finalizers', ...where };
      if (mayBlockAll) await refusalOf(host, attributes, permission);
      else await require(host, attributes, permission, NO_BLOCK);
    }
  },
});

/** Returns why the caller lacks a permission; undefined when it is granted. */
async function refusalOf(
  { authorizer }: AdmissionHost,
  attributes: AdmissionAttributes,
  permission: Permission,
): Promise<string | undefined> {
  const { user } = attributes;
  const answer = await authorizerOf(attributes, authorizer).authorize({
    ...permission,
    user,
    resourceRequest: true,
    path: '',
  });
  if (answer.decision === 'Allow') return undefined;
  return `${answer.reason}, ${answer.error?.message ?? '<nil>'}`;
}

/** Requires a permission. @throws ApiError 403 when the caller lacks it. */
async function require(
  host: AdmissionHost,
  attributes: AdmissionAttributes,
  permission: Permission,
  why: string,
): Promise<void> {
  const refusal = await refusalOf(host, attributes, permission);
  if (refusal !== undefined) throw forbiddenRequest(attributes, `${why}: ${refusal}`);
}
