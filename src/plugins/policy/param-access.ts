import type { AdmissionAttributes, AdmissionHost } from '../../admission/admission-plugin.js';
import { authorizerOf } from '../../admission/authorize-caller.js';
import { isFor } from '../../admission/matching/rule.js';
import { ruledPlugin } from '../../admission/ruled-plugin.js';
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
export const policyParameterAccess = ruledPlugin<ValidatingAdmissionPolicy | ValidatingAdmissionPolicyBinding>({
  name: 'PolicyParameterAccess',
  rules: [{ operations: ['CREATE', 'UPDATE'], apiGroups: ['admissionregistration'], resources: [POLICIES, BINDINGS] }],
  create(host) {
    const group = groupOf(host.dialect, 'admissionregistration');
    const policies = host.lister<ValidatingAdmissionPolicy>(group, POLICIES);
    return {
      // A privileged caller is always allowed. Its requests are checked only if there is an observer, so that the observer can record the
      // permissions that other callers would need.
      handles: ({ user, isCustom, observer }) => isCustom !== true && (!isPrivileged(user) || observer !== undefined),
      async validate(attributes) {
        if (isFor<ValidatingAdmissionPolicy>(attributes, group, POLICIES)) {
          const { oldObject: old } = attributes;
          const { paramKind } = attributes.object.spec;
          if (!paramKind || (old && equalJson({ ...paramKind }, { ...old.spec.paramKind }))) return;
          if (await mayRead(host, attributes, 'get', readParamKind(host, paramKind), '*', '*')) return;
          const { kind = '', apiVersion = '' } = paramKind;
          const what = `all objects of the referenced paramKind (kind=${kind}, apiVersion=${apiVersion})`;
          throw refusal(
            attributes,
            'spec.paramKind',
            `user ${printUser(attributes.user)} must have "get" permission on ${what}`,
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
        const params = paramKind ? readParamKind(host, paramKind) : ANY_PARAMS;
        if (await mayRead(host, attributes, verb, params, namespace, name)) return;
        const unclear = policy ? params.problem : `get policy ${policyName}`;
        const user = `user ${printUser(attributes.user)} does not have "${verb}" permission`;
        throw refusal(
          attributes,
          'spec.paramRef',
          unclear
            ? `unable to ${unclear} to determine minimum required permissions and ${user} for all groups, versions and resources`
            : `${user} on the object referenced by paramRef`,
        );
      },
    };
  },
});

/** The resource of the parameters. Members that are not known are `*`. */
interface Params extends GroupVersion {
  readonly resource: string;
  /** Why the resource cannot be determined; undefined when it can, and when the policy has no parameters. */
  readonly problem: string | undefined;
}
const ANY_PARAMS: Params = { group: '*', version: '*', resource: '*', problem: undefined };

function readParamKind(host: AdmissionHost, { apiVersion = '', kind = '' }: ParamKind): Params {
  const parsed = parseGroupVersion(apiVersion);
  const served = parsed && host.servedKind({ ...parsed, kind });
  // Upstream compares the case of the name here, so that a name in lower case, with which the parameters are found, requires permission on
  // all resources.
  if (served?.kind === kind) return { ...ANY_PARAMS, ...parsed, resource: served.resource.resource };
  const problem = `${parsed ? 'resolve' : 'parse'} paramKind &{${apiVersion} ${kind}}`;
  return { ...ANY_PARAMS, ...parsed, problem };
}

/** Returns whether the caller may read the parameters. If their kind is unknown, the caller must have permission to read all resources. */
async function mayRead(
  host: AdmissionHost,
  attributes: AdmissionAttributes,
  verb: string,
  { group, version, resource }: Params,
  namespace: string,
  name: string,
): Promise<boolean> {
  const { user } = attributes;
  const about = { user, verb, group, version, resource, subresource: '', namespace, name };
  const { decision } = await authorizerOf(attributes, host.authorizer).authorize({
    ...about,
    resourceRequest: true,
    path: '',
  });
  return decision === 'Allow' || isPrivileged(user);
}

const printUser = ({ username, uid = '', groups = [], extra = {} }: UserInfo) =>
  `&{${username} ${uid} ${printGoPlain(groups)} ${printGoPlain(extra)}}`;

const refusal = ({ kind, name }: AdmissionAttributes, path: string, why: string) =>
  apiError.invalid(kind, name, [fieldError.forbidden(path, why)]);
