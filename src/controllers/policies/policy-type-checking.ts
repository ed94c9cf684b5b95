import type { Type } from '../../cel/index.js';
import type { Client } from '../../client/client.js';
import { isNotFound } from '../../meta/api-error.js';
import type { Dialect } from '../../meta/dialect.js';
import { formatGroupVersionKind, parseGroupVersion } from '../../meta/group-version.js';
import type { ServedResource } from '../../registry/served/served-resource.js';
import { validatingAdmissionPolicy } from '../../resources/admissionregistration/index.js';
import type { ValidatingAdmissionPolicy } from '../../resources/admissionregistration/validating-admission-policy.js';
import { type ControllerDefinition, type ControllerHost, listerOf } from '../controller.js';
import { unless } from '../unless.js';

const NAME = 'validatingadmissionpolicy-status-controller';
const MANAGER = 'validatingadmissionpolicy-status';
/** The maximum number of kinds that the expressions are checked against for one rule of a policy. */
const MAX_KINDS = 10;

/**
 * Checks the expressions of policies against the kinds that the policies match, and reports type errors in the status. A policy with type
 * errors is not refused, because a field may be missing from only some of the kinds.
 */
export const policyTypeChecking: ControllerDefinition = {
  name: NAME,
  switchedBy: [NAME],
  follow({ host, queue }) {
    const policies = listerOf(host, validatingAdmissionPolicy);
    for (const { metadata } of policies.list()) queue.add(metadata.name ?? '');
    return policies.onChange((next) => next && queue.add(next.metadata.name ?? ''));
  },
  async reconcile(name, { host, client }) {
    const policy = listerOf(host, validatingAdmissionPolicy).get('', name);
    const generation = policy?.metadata.generation ?? 0;
    if (!policy || generation <= (policy.status.observedGeneration ?? 0)) return;
    const expressionWarnings = await warningsOf(policy, servedResources(host), host.dialect);
    const typeChecking = expressionWarnings.length === 0 ? {} : { expressionWarnings };
    const status = { observedGeneration: generation, typeChecking };
    const options = { fieldManager: MANAGER, force: true, subresource: 'status' } as const;
    await applyStatus(client, name, status, options).catch(unless(isNotFound));
  },
};

const applyStatus = (client: Client, name: string, status: object, options: Parameters<Client['apply']>[2]) =>
  client.apply(validatingAdmissionPolicy, { metadata: { name }, status } as never, options);

/** Returns all served resources in all their versions. */
const servedResources = ({ kinds }: ControllerHost): readonly ServedResource[] =>
  [...kinds.current.contents.stores.values()].map(({ resource }) => resource);

/** Returns a warning for each expression that has type errors. The warning lists the errors for every kind. */
async function warningsOf(
  { spec }: ValidatingAdmissionPolicy,
  resources: readonly ServedResource[],
  dialect: Dialect,
): Promise<{ readonly fieldRef: string; readonly warning: string }[]> {
  const kinds = kindsOf(spec, resources);
  if (kinds.length === 0) return [];
  const params = spec.paramKind && paramResource(spec.paramKind, resources);
  const { DYN, schemaType } = await import('../../cel/index.js');
  const { checkPolicyTypes, languageOf } = await import('../../cel/rules.js');
  const typeOf = ({ definition }: ServedResource, name: string): Type | undefined =>
    schemaType(definition.schema, { name, resource: true, reservedNames: true })?.type;
  // The names differ even if the kinds are the same, because upstream does not regard objects and parameters as one type.
  const paramsType = spec.paramKind && ((params && typeOf(params, `${params.gvk.kind}Params`)) ?? DYN);
  const warnings = new Map<string, string[]>();
  for (const resource of kinds) {
    const object = typeOf(resource, resource.gvk.kind);
    if (!object) continue;
    const types = { object, ...languageOf(dialect), ...(paramsType ? { params: paramsType } : {}) };
    const { failurePolicy: _policy, ...expressions } = spec;
    for (const { field, message } of checkPolicyTypes(expressions, types)) {
      const text = `${formatGroupVersionKind(resource.gvk)}: ${message}\n`;
      const known = warnings.get(field);
      if (known) known.push(text);
      else warnings.set(field, [text]);
    }
  }
  return [...warnings]
    .map(([fieldRef, texts]) => ({ fieldRef, warning: texts.join('\n') }))
    .sort((a, b) => order(a.fieldRef) - order(b.fieldRef));
}

/** Sorts warnings by the index of their validation; an expression comes before its message expression. */
const order = (field: string) => Number(/\[(\d+)\]/.exec(field)?.[1]) * 2 + (field.endsWith('.expression') ? 0 : 1);

function paramResource(
  { apiVersion = '', kind = '' }: { apiVersion?: string; kind?: string },
  resources: readonly ServedResource[],
) {
  const { group, version } = parseGroupVersion(apiVersion) ?? {};
  return resources.find(({ gvk }) => gvk.kind === kind && gvk.group === group && gvk.version === version);
}

/**
 * Returns the kinds that a policy matches. Groups and versions with a wildcard are skipped. After a rule that reaches the maximum number of
 * kinds, no further rules are considered. The core group matches any group, as in upstream's REST mapper.
 */
function kindsOf(
  { matchConstraints }: ValidatingAdmissionPolicy['spec'],
  resources: readonly ServedResource[],
): readonly ServedResource[] {
  const found = new Set<ServedResource>();
  for (const rule of matchConstraints?.resourceRules ?? []) {
    const { apiGroups = [], apiVersions = [], resources: names = [] } = rule;
    if (apiGroups.includes('*') || apiVersions.includes('*')) continue;
    const anyGroup = apiGroups.includes('');
    // Upstream's REST mapper ignores case and knows the singular, too, although no request matches such a rule.
    const wanted = new Set(names.map((name) => name.toLowerCase()));
    const named = resources
      .filter(
        ({ definition: { singular }, gvr: { group, version, resource } }) =>
          (anyGroup || apiGroups.includes(group)) &&
          apiVersions.includes(version) &&
          (wanted.has(resource) || wanted.has(singular)),
      )
      .sort(by(({ gvr: { group, version, resource } }) => [anyGroup ? '' : group, version, resource]));
    for (const resource of named.slice(0, MAX_KINDS)) found.add(resource);
    if (named.length >= MAX_KINDS) break;
  }
  return [...found].sort(by(({ gvk: { group, version, kind } }) => [group, version, kind]));
}

const by = (parts: (resource: ServedResource) => readonly string[]) => (a: ServedResource, b: ServedResource) =>
  parts(a).join('\0') < parts(b).join('\0') ? -1 : 1;
