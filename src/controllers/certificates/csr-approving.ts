import { formatTime } from '../../meta/clock.js';
import { groupOf } from '../../meta/dialect.js';
import { wellKnownSigners } from '../../meta/signers.js';
import type { UserInfo } from '../../meta/user-info.js';
import { parseCertificateRequest } from '../../pki/parse-request.js';
import type { CertificateSigningRequest } from '../../resources/certificates/certificates-v1.types.js';
import { certificateSigningRequest } from '../../resources/certificates/index.js';
import { hasCondition } from '../../resources/certificates/request-condition.js';
import { decodeBase64Text } from '../../values/base64.js';
import type { ControllerContext, ControllerDefinition } from '../controller.js';
import { followRequests, signerProblem } from './signer-rules.js';

const FIRST_RETRY = 200;
const MAX_RETRY = 1_000_000;

// Counts how often each certificate request was checked without being approved, by the request's name. Each running controller has a map of
// its own, whose key is the controller's queue.
const attempts = new WeakMap<ControllerContext['queue'], Map<string, number>>();

function attemptsOf({ queue }: ControllerContext): Map<string, number> {
  let own = attempts.get(queue);
  if (!own) attempts.set(queue, (own = new Map()));
  return own;
}

/**
 * Approves client certificate requests of kubelets when the requester has permission: `selfnodeclient` for its own certificate,
 * `nodeclient` for the certificate of any node. It never denies a request, because permission may be granted later.
 */
export const csrApproving: ControllerDefinition = {
  name: 'certificatesigningrequest-approving-controller',
  account: 'certificate-controller',
  switchedBy: ['certificatesigningrequest-approving-controller', 'csrapproving'],
  follow: followRequests,
  async reconcile(name, context) {
    const { host, queue } = context;
    const failedAttempts = attemptsOf(context);
    const request = host
      .lister<CertificateSigningRequest>(groupOf(host.dialect, 'certificates'), certificateSigningRequest.plural)
      .get('', name);
    const permissions = request ? await recognize(context, request) : [];
    if (!request || permissions.length === 0) {
      failedAttempts.delete(name);
      return;
    }
    for (const permission of permissions) {
      if (!(await isAllowed(context, request, permission))) continue;
      failedAttempts.delete(name);
      await approve(context, request, permission === 'selfnodeclient' ? 'self ' : '');
      return;
    }
    const times = failedAttempts.get(name) ?? 0;
    failedAttempts.set(name, times + 1);
    queue.addAfter(name, Math.min(FIRST_RETRY * 2 ** times, MAX_RETRY));
  },
};

/**
 * Returns permissions, any one of which suffices to approve the request automatically. The list is empty if the request is already decided
 * or cannot be approved automatically.
 */
async function recognize({ host }: ControllerContext, request: CertificateSigningRequest): Promise<readonly string[]> {
  const { signerName, usages = [], username } = request.spec;
  const decided =
    hasCondition(request, 'Approved') || hasCondition(request, 'Denied') || (request.status.certificate ?? '') !== '';
  if (decided || signerName !== wellKnownSigners(host.dialect).nodeClient) return [];
  const parsed = await parseCertificateRequest(decodeBase64Text(request.spec.request));
  if (signerProblem('nodeClient', parsed, usages) !== undefined) return [];
  return username === parsed.subject.commonName ? ['selfnodeclient', 'nodeclient'] : ['nodeclient'];
}

async function isAllowed(
  { host }: ControllerContext,
  { spec }: CertificateSigningRequest,
  subresource: string,
): Promise<boolean> {
  const { username = '', uid, groups, extra } = spec;
  const user: UserInfo = {
    username,
    ...(uid === undefined ? {} : { uid }),
    ...(groups ? { groups } : {}),
    ...(extra ? { extra } : {}),
  };
  const { decision } = await host.authorizer.authorize({
    user,
    verb: 'create',
    resourceRequest: true,
    group: groupOf(host.dialect, 'certificates'),
    version: '*',
    resource: certificateSigningRequest.plural,
    subresource,
    namespace: '',
    name: '',
    path: '',
  });
  return decision === 'Allow';
}

async function approve(
  { host, client }: ControllerContext,
  request: CertificateSigningRequest,
  whose: string,
): Promise<void> {
  const condition = {
    type: 'Approved',
    status: 'True',
    reason: 'AutoApproved',
    message: `Auto approving ${whose}${host.dialect.nodeAgent} client certificate after SubjectAccessReview.`,
    lastUpdateTime: formatTime(host.clock.now()),
    lastTransitionTime: null,
  };
  const conditions = [...(request.status.conditions ?? []), condition];
  await client.replace(
    certificateSigningRequest,
    { ...request, status: { ...request.status, conditions } },
    { subresource: 'approval' },
  );
}
