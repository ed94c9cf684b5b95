import { groupOf } from '../../meta/dialect.js';
import type { WellKnownSigners } from '../../meta/signers.js';
import type { CertificateRequest } from '../../pki/certificate-request.js';
import { certificateSigningRequest } from '../../resources/certificates/index.js';
import type { ControllerContext } from '../controller.js';

const NODES = 'system:nodes';
const NODE_PREFIX = 'system:node:';
const CLIENT_USAGES = ['digital signature', 'key encipherment', 'client auth'];
const NODE_CLIENT_USAGES = ['client auth', 'digital signature', 'key encipherment'];
const NODE_SERVING_USAGES = ['digital signature', 'key encipherment', 'server auth'];

type Rule = (request: CertificateRequest, usages: readonly string[]) => string | undefined;

const RULES: Readonly<Record<keyof WellKnownSigners, Rule>> = {
  client: (_request, usages) => clientUsageProblem(usages),
  nodeClient: nodeClientProblem,
  nodeServing: nodeServingProblem,
  legacy: () => undefined,
};

/** Returns the first reason why a well-known signer refuses to sign a request, or undefined when it signs (spec 15.8). */
export function signerProblem(
  signer: keyof WellKnownSigners,
  request: CertificateRequest,
  usages: readonly string[],
): string | undefined {
  return RULES[signer](request, usages);
}

function clientUsageProblem(usages: readonly string[]): string | undefined {
  const other = usages.find((usage) => !CLIENT_USAGES.includes(usage));
  if (other !== undefined) return `invalid usage for client certificate: ${other}`;
  return usages.includes('client auth') ? undefined : 'missing required usage for client certificate: client auth';
}

function nodeClientProblem(
  { subject, subjectAltNames: names }: CertificateRequest,
  usages: readonly string[],
): string | undefined {
  if (!isOnlyNodes(subject.organizations)) return `subject organization is not ${NODES}`;
  if (names.dns.length > 0) return 'DNS subjectAltNames are not allowed';
  if (names.email.length > 0) return 'Email subjectAltNames are not allowed';
  if (names.ip.length > 0) return 'IP subjectAltNames are not allowed';
  if (names.uri.length > 0) return 'URI subjectAltNames are not allowed';
  if (!subject.commonName.startsWith(NODE_PREFIX)) return `subject common name does not begin with ${NODE_PREFIX}`;
  return nodeUsageProblem(usages, NODE_CLIENT_USAGES);
}

function nodeServingProblem(
  { subject, subjectAltNames: names }: CertificateRequest,
  usages: readonly string[],
): string | undefined {
  if (!isOnlyNodes(subject.organizations)) return `subject organization is not ${NODES}`;
  if (names.dns.length === 0 && names.ip.length === 0) return 'DNS or IP subjectAltName is required';
  if (names.email.length > 0) return 'Email subjectAltNames are not allowed';
  if (names.uri.length > 0) return 'URI subjectAltNames are not allowed';
  const problem = nodeUsageProblem(usages, NODE_SERVING_USAGES);
  if (problem !== undefined) return problem;
  return subject.commonName.startsWith(NODE_PREFIX)
    ? undefined
    : `subject common name does not begin with ${NODE_PREFIX}`;
}

const isOnlyNodes = (organizations: readonly string[]) => organizations.length === 1 && organizations[0] === NODES;

/**
 * Returns why the usages are not acceptable. They must be exactly the expected ones, except that `key encipherment` is optional, because
 * some types of keys cannot encipher.
 */
function nodeUsageProblem(usages: readonly string[], expectedUsages: readonly string[]): string | undefined {
  const requestedUsages = new Set(usages);
  const fits =
    usages.every((usage) => expectedUsages.includes(usage)) &&
    expectedUsages.every((usage) => requestedUsages.has(usage) || usage === 'key encipherment');
  return fits ? undefined : `usages did not match [${expectedUsages.join(' ')}]`;
}

/**
 * Queues the name of every existing certificate request, and later of every one that changes. @returns a function that ends the watching.
 */
export function followRequests({ host, queue }: ControllerContext): () => void {
  const lister = host.lister(groupOf(host.dialect, 'certificates'), certificateSigningRequest.plural);
  for (const { metadata } of lister.list()) queue.add(metadata.name ?? '');
  return lister.onChange((next, previous) => queue.add((next ?? previous)?.metadata.name ?? ''));
}
