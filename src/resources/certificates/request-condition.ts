import type { CertificateSigningRequest } from './certificates-v1.types.js';

/** Whether a request has a condition of the given type with any status. */
export function hasCondition({ status }: Pick<CertificateSigningRequest, 'status'>, type: string): boolean {
  return status.conditions?.some((condition) => condition.type === type) ?? false;
}
