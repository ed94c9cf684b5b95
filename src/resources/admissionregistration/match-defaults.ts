import type { Draft } from '../../registry/strategy.js';
import type { MatchResources, RuleWithOperations } from './admissionregistration-v1.types.js';

interface Selecting {
  matchPolicy?: string;
  namespaceSelector?: object;
  objectSelector?: object;
}

/** Sets the defaults that webhooks, policies and bindings share. */
function setSelectionDefaults(selecting: Selecting): void {
  selecting.matchPolicy ??= 'Equivalent';
  selecting.namespaceSelector ??= {};
  selecting.objectSelector ??= {};
}

function setRuleDefaults(rules: Draft<readonly RuleWithOperations[]> | undefined): void {
  for (const rule of rules ?? []) rule.scope ??= '*';
}

/** Sets the defaults of the `matchResources` of a policy or a binding. */
export function setMatchDefaults(match: Draft<MatchResources> | undefined): void {
  if (!match) return;
  setSelectionDefaults(match);
  setRuleDefaults(match.resourceRules);
  setRuleDefaults(match.excludeResourceRules);
}

/** Sets the defaults of the rules and selectors with which a webhook matches requests. */
export function setWebhookMatchDefaults(hook: Selecting & { rules?: Draft<readonly RuleWithOperations[]> }): void {
  setSelectionDefaults(hook);
  setRuleDefaults(hook.rules);
}
