import { formatTime } from '../../meta/clock.js';
import { type Dialect, groupOf } from '../../meta/dialect.js';
import { type WellKnownSigners, wellKnownSigners } from '../../meta/signers.js';
import { counter } from '../../metrics/families.js';
import type { Metrics } from '../../metrics/metrics.js';
import { parseCertificates } from '../../pki/parse-certificate.js';
import { parseCertificateRequest } from '../../pki/parse-request.js';
import { signRequest } from '../../pki/sign-request.js';
import type { CertificateSigningRequest } from '../../resources/certificates/certificates-v1.types.js';
import { certificateSigningRequest } from '../../resources/certificates/index.js';
import { hasCondition } from '../../resources/certificates/request-condition.js';
import { decodeBase64Text, encodeBase64Text } from '../../values/base64.js';
import { type ControllerContext, type ControllerDefinition, stopAll } from '../controller.js';
import { followRequests, signerProblem } from './signer-rules.js';

const MIN_LIFETIME = 600_000;

/** Signs approved requests for the well-known signers, or sets the condition Failed with the reason. */
export const csrSigning: ControllerDefinition = {
  name: 'certificatesigningrequest-signing-controller',
  account: 'certificate-controller',
  switchedBy: ['certificatesigningrequest-signing-controller', 'csrsigning'],
  follow(context) {
    const { host } = context;
    const lister = host.lister<CertificateSigningRequest>(
      groupOf(host.dialect, 'certificates'),
      certificateSigningRequest.plural,
    );
    const stops = [
      followRequests(context),
      // Every issued certificate is counted, whichever signer issued it.
      lister.onChange((next, previous) => next && void countIssued(host.metrics, host.dialect, next, previous)),
    ];
    return stopAll(stops);
  },
  async reconcile(name, context) {
    const { host } = context;
    const request = host
      .lister<CertificateSigningRequest>(groupOf(host.dialect, 'certificates'), certificateSigningRequest.plural)
      .get('', name);
    if (!request || !isToSign(request)) return;
    const signer = knownSigner(wellKnownSigners(host.dialect), request.spec.signerName);
    const issuer = signer && (await host.authorities.signer());
    if (!issuer) return;
    const parsed = await parseCertificateRequest(decodeBase64Text(request.spec.request));
    const usages = request.spec.usages ?? [];
    const problem = signerProblem(signer, parsed, usages);
    if (problem !== undefined) return fail(context, request, problem);
    const now = host.clock.now();
    const lifetime = lifetimeOf(request, issuer.duration);
    const { random, signatures } = host;
    const certificate = encodeBase64Text(
      await signRequest(issuer.authority, parsed, { usages, lifetime, now, random, signatures }),
    );
    await writeStatus(context, request, { ...request.status, certificate });
  },
};

function isToSign(request: CertificateSigningRequest): boolean {
  const open =
    hasCondition(request, 'Approved') && !hasCondition(request, 'Denied') && !hasCondition(request, 'Failed');
  return open && (request.status.certificate ?? '') === '';
}

function knownSigner(signers: WellKnownSigners, name: string): keyof WellKnownSigners | undefined {
  // WellKnownSigners has no other keys, so the cast is safe.
  const names = Object.keys(signers) as (keyof WellKnownSigners)[];
  return names.find((signer) => signers[signer] === name);
}

/** Returns the lifetime of the certificate in milliseconds: the requested one, limited to the allowed range. */
function lifetimeOf({ spec: { expirationSeconds } }: CertificateSigningRequest, longest: number): number {
  return expirationSeconds === undefined
    ? longest
    : Math.min(Math.max(expirationSeconds * 1000, MIN_LIFETIME), longest);
}

async function fail(context: ControllerContext, request: CertificateSigningRequest, message: string): Promise<void> {
  const now = formatTime(context.host.clock.now());
  const condition = {
    type: 'Failed',
    status: 'True',
    reason: 'SignerValidationFailure',
    message,
    lastUpdateTime: now,
    lastTransitionTime: null,
  };
  await writeStatus(context, request, {
    ...request.status,
    conditions: [...(request.status.conditions ?? []), condition],
  });
}

async function writeStatus(
  { client }: ControllerContext,
  request: CertificateSigningRequest,
  status: CertificateSigningRequest['status'],
): Promise<void> {
  await client.replace(certificateSigningRequest, { ...request, status }, { subresource: 'status' });
}

const SIGNER = ['signerName'];
const requested = counter(
  'apiserver_certificates_registry_csr_requested_duration_total',
  'Total number of issued CSRs with a requested duration, sliced by signer (only kubernetes.io signer names are specifically identified)',
  SIGNER,
);
const honored = counter(
  'apiserver_certificates_registry_csr_honored_duration_total',
  'Total number of issued CSRs with a requested duration that was honored, sliced by signer (only kubernetes.io signer names are specifically identified)',
  SIGNER,
);

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Counts a newly issued certificate if its request specifies a lifetime. */
export async function countIssued(
  metrics: Metrics,
  dialect: Dialect,
  next: CertificateSigningRequest,
  previous: CertificateSigningRequest | undefined,
): Promise<void> {
  const { signerName, expirationSeconds } = next.spec;
  const certificate = next.status.certificate ?? '';
  if (!previous || certificate === '' || previous.status.certificate || expirationSeconds === undefined) return;
  const signer = [signerName.startsWith(`${dialect.labelDomain}/`) ? signerName : 'other'];
  metrics.add(requested, signer);
  const lifetime = await issuedLifetime(certificate);
  const requestedLifetime = expirationSeconds * SECOND;
  // The issued lifetime may differ from the requested one by upstream's tolerance: the five minutes by which certificates are backdated,
  // plus a twentieth of the requested lifetime.
  if (lifetime !== undefined && Math.abs(requestedLifetime - lifetime) < 5 * MINUTE + requestedLifetime / 20)
    metrics.add(honored, signer);
}

/** Returns the lifetime of the first certificate of a certificate chain in milliseconds, or undefined when there is none. */
async function issuedLifetime(encoded: string): Promise<number | undefined> {
  try {
    const [first] = await parseCertificates(decodeBase64Text(encoded));
    return first && first.notAfter - first.notBefore;
  } catch {
    return undefined;
  }
}
