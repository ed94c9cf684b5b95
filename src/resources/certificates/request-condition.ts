import type { CertificateSigningRequest } from './certificates-v1.types.js';

/** Whether a request carries a condition of the type, whatever its status. */
export function hasCondition({ status }: Pick<CertificateSigningRequest, 'status'>, type: string): boolean {
  return status.conditions?.some((condition) => condition.type === type) ?? false;
}
