import type { CertificateSigningRequest } from './certificate-signing-request-schema.js';

/** Whether a request carries a condition of the type, whatever its status. */
export function hasCondition({ status }: Pick<CertificateSigningRequest, 'status'>, type: string): boolean {
  return status.conditions?.some((condition) => condition.type === type) ?? false;
}
