import type { Type } from '../../cel/index.js';
import type { Client } from '../../client/client.js';
import { isNotFound } from '../../meta/api-error.js';
import { type Dialect, groupOf } from '../../meta/dialect.js';
import { formatGroupVersionKind, type GroupVersionKind, parseGroupVersion } from '../../meta/group-version.js';
import type { Host } from '../../meta/host.js';
import { loading, type ServedResource } from '../../registry/served/served-resource.js';
import { validatingAdmissionPolicy } from '../../resources/admissionregistration/index.js';
import type { ValidatingAdmissionPolicy } from '../../resources/admissionregistration/validating-admission-policy.js';
import type { ControllerDefinition } from '../controller.js';

const NAME = 'validatingadmissionpolicy-status-controller';
const MANAGER = 'validatingadmissionpolicy-status';
/** Kinds of objects that one policy is checked against. */
const MAX_KINDS = 10;

/**
 * Checks the expressions of policies against the kinds they name, and says in their status what does not fit. Nothing is refused
 * for it: an expression may be about kinds that are alike only in part.
 */
export const policyTypeChecking: ControllerDefinition = {
  name: NAME,
  switchedBy: [NAME],
  follow({ host, queue }) {
    const policies = listerOf(host);
    for (const { metadata } of policies.list()) queue.add(metadata.name ?? '');
    return policies.onChange((next) => next && queue.add(next.metadata.name ?? ''));
  },
  async reconcile(name, { host, client }) {
    const policy = listerOf(host).get('', name);
    const generation = policy?.metadata.generation ?? 0;
    if (!policy || generation <= (policy.status.observedGeneration ?? 0)) return;
    const expressionWarnings = await warningsOf(policy, client.resources(), host.dialect);
    const typeChecking = expressionWarnings.length === 0 ? {} : { expressionWarnings };
    const status = { observedGeneration: generation, typeChecking };
    const options = { fieldManager: MANAGER, force: true, subresource: 'status' } as const;
    await applyStatus(client, name, status, options).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  },
};

const applyStatus = (client: Client, name: string, status: object, options: Parameters<Client['apply']>[2]) =>
  client.apply(validatingAdmissionPolicy, { metadata: { name }, status } as never, options);

const listerOf = (host: Host) =>
  host.lister<ValidatingAdmissionPolicy>(
    groupOf(host.dialect, 'admissionregistration'),
    validatingAdmissionPolicy.plural,
  );

/** A warning for each expression: what the checker says, kind by kind. */
async function warningsOf(
  { spec }: ValidatingAdmissionPolicy,
  resources: readonly ServedResource[],
  dialect: Dialect,
): Promise<{ readonly fieldRef: string; readonly warning: string }[]> {
  const kinds = kindsOf(spec, resources);
  if (kinds.length === 0) return [];
  const params = spec.paramKind && paramResource(spec.paramKind, resources);
  const { schemaType } = await import('../../cel/index.js');
  const { checkPolicyTypes, costsOf } = await import('../../cel/rules.js');
  await Promise.all([...kinds, ...(params ? [params] : [])].map(loading));
  const typeOf = ({ definition }: ServedResource): Type | undefined =>
    schemaType(definition.schema, { resource: true, reservedNames: true })?.type;
  const paramsType = params && typeOf(params);
  const warnings = new Map<string, string[]>();
  for (const resource of kinds) {
    const object = typeOf(resource);
    if (!object) continue;
    const types = { object, costs: costsOf(dialect), ...(paramsType ? { params: paramsType } : {}) };
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

/** Validations in their order, each before its message. */
const order = (field: string) => Number(/\[(\d+)\]/.exec(field)?.[1]) * 2 + (field.endsWith('.expression') ? 0 : 1);

function paramResource(
  { apiVersion = '', kind = '' }: { apiVersion?: string; kind?: string },
  resources: readonly ServedResource[],
) {
  const { group, version } = parseGroupVersion(apiVersion) ?? {};
  return resources.find(({ gvk }) => gvk.kind === kind && gvk.group === group && gvk.version === version);
}

/** The kinds that a policy names; what it says with a star is not looked at. */
function kindsOf(
  { matchConstraints }: ValidatingAdmissionPolicy['spec'],
  resources: readonly ServedResource[],
): readonly ServedResource[] {
  const found = new Set<ServedResource>();
  for (const { apiGroups = [], apiVersions = [], resources: names = [] } of matchConstraints?.resourceRules ?? []) {
    if (apiGroups.includes('*') || apiVersions.includes('*')) continue;
    for (const resource of resources) {
      const { group, version, resource: plural } = resource.gvr;
      if (!apiGroups.includes(group) || !apiVersions.includes(version) || !names.includes(plural)) continue;
      found.add(resource);
      if (found.size === MAX_KINDS) break;
    }
  }
  return [...found].sort((a, b) => (sortKey(a.gvk) < sortKey(b.gvk) ? -1 : 1)).slice(0, MAX_KINDS);
}

const sortKey = ({ group, version, kind }: GroupVersionKind) => [group, version, kind].join('\0');
