import { errorsOf, type FieldError, fieldError, printed } from '../../../../meta/field-error.js';
import { dns1123Label, dns1123Subdomain } from '../../../../meta/names.js';
import { printGoSyntax } from '../../../../schema/print-go-syntax.js';
import { checked, named } from '../../../shared/value-rules.js';
import { coreV1 } from '../../core-v1.js';
import type { PodSpec, ResourceRequirements } from '../../core-v1.types.js';

type Claim = NonNullable<PodSpec['resourceClaims']>[number];

/** Returns the problems of a pod's resource claims. `podName` is '' if there is no pod yet. */
export function validatePodClaims(claims: readonly Claim[], podName: string): FieldError[] {
  const seen = new Set<string>();
  return errorsOf(claims, (claim, i) => {
    const path = `spec.resourceClaims[${i}]`;
    const { name, resourceClaimName, resourceClaimTemplateName } = claim;
    const errors = seen.has(name) ? [fieldError.duplicate(`${path}.name`, name)] : nameErrors(path, claim, podName);
    if (name !== '') seen.add(name);
    const refuse = (why: string) =>
      errors.push(fieldError.invalid(path, printed(printGoSyntax(coreV1.struct('PodResourceClaim'), claim)), why));
    if (resourceClaimName !== undefined && resourceClaimTemplateName !== undefined)
      refuse('at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified');
    if (resourceClaimName === undefined && resourceClaimTemplateName === undefined)
      refuse('must specify one of: `resourceClaimName`, `resourceClaimTemplateName`');
    return [
      ...errors,
      ...ofClaim(`${path}.resourceClaimName`, resourceClaimName),
      ...ofClaim(`${path}.resourceClaimTemplateName`, resourceClaimTemplateName),
    ];
  });
}

function nameErrors(path: string, { name, resourceClaimTemplateName }: Claim, podName: string): FieldError[] {
  const errors = named(`${path}.name`, name, dns1123Label);
  if (errors.length > 0 || resourceClaimTemplateName === undefined || podName === '') return errors;
  const claim = `${podName}-${name}`;
  return checked(`${path}.name`, claim, (text) =>
    dns1123Subdomain(text).map((why) => `final ResourceClaim name: ${why}`),
  );
}

const ofClaim = (path: string, name: string | undefined): FieldError[] =>
  name === undefined ? [] : dns1123Subdomain(name).map((why) => fieldError.invalid(path, name, why));

/** Returns the problems of the claims that a container uses. `known` are the names of the pod's claims. */
export function validateUsedClaims(
  path: string,
  claims: NonNullable<ResourceRequirements['claims']>,
  known: ReadonlySet<string>,
): FieldError[] {
  const seen = new Set<string>();
  return errorsOf(claims, ({ name }, i) => {
    const at = `${path}[${i}]`;
    if (name === '') return [fieldError.required(at)];
    const errors = seen.has(name) ? [fieldError.duplicate(at, name)] : [];
    seen.add(name);
    if (known.has(name)) return errors;
    const names = known.size === 0 ? ' which is empty' : `: ${[...known].sort().join(', ')}`;
    const detail = `must be one of the names in pod.spec.resourceClaims${names}`;
    return [...errors, { ...fieldError.notFound(at, name), detail }];
  });
}
