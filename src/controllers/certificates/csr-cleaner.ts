import { isNotFound } from '../../meta/api-error.js';
import { groupOf } from '../../meta/dialect.js';
import { DerError } from '../../pki/der/reader.js';
import { parseCertificates } from '../../pki/parse-certificate.js';
import type { CertificateSigningRequest } from '../../resources/certificates/certificates-v1.types.js';
import { certificateSigningRequest } from '../../resources/certificates/index.js';
import { hasCondition } from '../../resources/certificates/request-condition.js';
import { decodeBase64Text } from '../../values/base64.js';
import type { ControllerDefinition } from '../controller.js';
import { unless } from '../unless.js';

const HOUR = 3_600_000;
const PENDING = 24 * HOUR;
const CLEAN_UP = 'round';

/**
 * Deletes certificate requests that were denied, failed or issued some time ago, that have been pending for too long, or whose certificate
 * has expired. It runs once an hour (spec 16.8).
 */
export const csrCleaner: ControllerDefinition = {
  name: 'certificatesigningrequest-cleaner-controller',
  account: 'certificate-controller',
  switchedBy: ['certificatesigningrequest-cleaner-controller', 'csrcleaner'],
  follow({ queue }) {
    queue.add(CLEAN_UP);
  },
  async reconcile(_round, { host, client, queue }) {
    const requests = host
      .lister<CertificateSigningRequest>(groupOf(host.dialect, 'certificates'), certificateSigningRequest.plural)
      .list();
    queue.addAfter(CLEAN_UP, HOUR);
    for (const request of requests) {
      if (!(await isDone(request, host.clock.now()))) continue;
      await client.delete(certificateSigningRequest, request.metadata.name ?? '').catch(unless(isNotFound));
    }
  },
};

async function isDone(request: CertificateSigningRequest, now: number): Promise<boolean> {
  const { conditions = [], certificate = '' } = request.status;
  const isOld = (time: string | null | undefined, age: number) =>
    time !== null && time !== undefined && now - Date.parse(time) > age;
  if (conditions.length === 0) return isOld(request.metadata.creationTimestamp, PENDING);
  const issued = certificate !== '' && hasCondition(request, 'Approved');
  const old = conditions.some(
    ({ type, lastUpdateTime }) =>
      (type === 'Denied' || type === 'Failed' || (type === 'Approved' && issued)) && isOld(lastUpdateTime, HOUR),
  );
  return old || (issued && (await hasExpired(certificate, now)));
}

/** Returns whether the first certificate of a certificate chain has expired. A chain that cannot be parsed counts as not expired. */
async function hasExpired(certificate: string, now: number): Promise<boolean> {
  try {
    const [first] = await parseCertificates(decodeBase64Text(certificate));
    return first !== undefined && first.notAfter < now;
  } catch (error) {
    if (error instanceof DerError) return false;
    throw error;
  }
}
