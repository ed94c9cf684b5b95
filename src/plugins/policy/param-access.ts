import type { AdmissionAttributes, AdmissionHost, AdmissionPluginFactory } from '../../admission/admission-plugin.js';
import { authorizerOf } from '../../admission/authorize-caller.js';
import { isFor } from '../../admission/matching/request-resource.js';
import { isPrivileged } from '../../authorization/privileged-groups.js';
import { equalJson } from '../../json/equal.js';
import { printGoPlain } from '../../json/print-go.js';
import { apiError } from '../../meta/api-error.js';
import { groupOf } from '../../meta/dialect.js';
import { fieldError } from '../../meta/field-error.js';
import { type GroupVersion, parseGroupVersion } from '../../meta/group-version.js';
import type { UserInfo } from '../../meta/user-info.js';
import type {
  ParamKind,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '../../resources/admissionregistration/admissionregistration-v1.types.js';

const POLICIES = 'validatingadmissionpolicies';
const BINDINGS = 'validatingadmissionpolicybindings';

/**
 * Requires read permission on the parameters when a policy with parameters or a binding to parameters is written. Otherwise the author
 * could learn their content, because the messages of refusals can contain it. An update that does not change the parameter kind of a policy
 * is not checked.
 */
export const policyParameterAccess: AdmissionPluginFactory<
  ValidatingAdmissionPolicy | ValidatingAdmissionPolicyBinding
> = (host) => {
  const group = groupOf(host.dialect, 'admissionregistration');
  const policies = host.lister<ValidatingAdmissionPolicy>(group, POLICIES);
  return {
    name: 'PolicyParameterAccess',
    rules: [{ operations: ['CREATE', 'UPDATE'], apiGroups: [group], resources: [POLICIES, BINDINGS] }],
    // A privileged caller is always allowed. Its requests are checked only if there is an observer, so that the observer can record the
    // permissions that other callers would need.
    handles: ({ user, isCustom, observer }) => isCustom !== true && (!isPrivileged(user) || observer !== undefined),
    async validate(attributes) {
      if (isFor<ValidatingAdmissionPolicy>(attributes, group, POLICIES)) {
        const { oldObject: old } = attributes;
        const { paramKind } = attributes.object.spec;
        if (!paramKind || (old && equalJson({ ...paramKind }, { ...old.spec.paramKind }))) return;
        if (await mayRead(host, attributes, 'get', paramKind, '*', '*')) return;
        const { kind = '', apiVersion = '' } = paramKind;
        const what = `all objects of the referenced paramKind (kind=${kind}, apiVersion=${apiVersion})`;
        throw refusal(
          attributes,
          'spec.paramKind',
          `user ${shown(attributes.user)} must have "get" permission on ${what}`,
        );
      }
      if (!isFor<ValidatingAdmissionPolicyBinding>(attributes, group, BINDINGS)) return;
      const { paramRef, policyName = '' } = attributes.object.spec;
      // As in upstream, every update of a binding is checked, even one that does not change `paramRef`.
      if (!paramRef) return;
      const { name = '', namespace = '' } = paramRef;
      const verb = name === '' ? 'list' : 'get';
      const policy = policies.get('', policyName);
      const paramKind = policy?.spec.paramKind;
      if (await mayRead(host, attributes, verb, paramKind, namespace, name)) return;
      const unclear = policy ? paramKind && unclearKind(host, paramKind) : `get policy ${policyName}`;
      const user = `user ${shown(attributes.user)} does not have "${verb}" permission`;
      throw refusal(
        attributes,
        'spec.paramRef',
        unclear
          ? `unable to ${unclear} to determine minimum required permissions and ${user} for all groups, versions and resources`
          : `${user} on the object referenced by paramRef`,
      );
    },
  };
};

/** Returns why the resource of a kind cannot be determined; undefined when it can. */
function unclearKind(host: AdmissionHost, { apiVersion = '', kind = '' }: ParamKind): string | undefined {
  const parsed = parseGroupVersion(apiVersion);
  if (parsed && resourceOf(host, parsed, kind) !== undefined) return undefined;
  return `${parsed ? 'resolve' : 'parse'} paramKind &{${apiVersion} ${kind}}`;
}

/**
 * Returns the resource of a kind; undefined when the kind is not served. Upstream compares the case of the name here, so that a name in
 * lower case, with which the parameters are found, requires permission on all resources.
 */
function resourceOf(host: AdmissionHost, version: GroupVersion, kind: string): string | undefined {
  const found = host.servedKind({ ...version, kind });
  return found?.kind === kind ? found.resource.resource : undefined;
}

/** Returns whether the caller may read the parameters. If their kind is unknown, the caller must have permission to read all resources. */
async function mayRead(
  host: AdmissionHost,
  attributes: AdmissionAttributes,
  verb: string,
  paramKind: ParamKind | undefined,
  namespace: string,
  name: string,
): Promise<boolean> {
  const { apiVersion = '', kind = '' } = paramKind ?? {};
  const parsed = paramKind && parseGroupVersion(apiVersion);
  const { group = '*', version = '*' } = parsed ?? {};
  const resource = (parsed && resourceOf(host, parsed, kind)) ?? '*';
  const { user } = attributes;
  const about = { user, verb, group, version, resource, subresource: '', namespace, name };
  const { decision } = await authorizerOf(attributes, host.authorizer).authorize({
    ...about,
    resourceRequest: true,
    path: '',
  });
  return decision === 'Allow' || isPrivileged(user);
}

const shown = ({ username, uid = '', groups = [], extra = {} }: UserInfo) =>
  `&{${username} ${uid} ${printGoPlain(groups)} ${printGoPlain(extra)}}`;

const refusal = ({ kind, name }: AdmissionAttributes, path: string, why: string) =>
  apiError.invalid(kind, name, [fieldError.forbidden(path, why)]);
