import { X509Certificate } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { oidc } from '../dist/exports/authentication.js';
import { webhook } from '../dist/exports/authorization.js';
import { clusterRole, clusterRoleBinding } from '../dist/exports/kinds.js';
import { ApiServer, configMap as configMaps } from '../dist/index.js';
import { callsPerProcessorSecond, interleaved, microseconds, ratio, row } from './measure.mjs';
import { configMap } from './objects.mjs';
import { request } from './support/request.mjs';

const ISSUER = 'https://issuer.example';
const PATH = '/api/v1/namespaces/default/configmaps/c-0';
/** Many short runs, so that a machine that is busy for a while affects only a few of them. */
const rounds = 25;

/**
 * The cost of external identities: a GET with a token of a known issuer compared with the same GET with a client certificate, and a cached
 * decision of an authorization webhook compared with one of RBAC.
 */
export default async function measure() {
  return [await knownToken(), await knownDecision()];
}

async function knownToken() {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'a', use: 'sig' };
  const server = new ApiServer({
    dialect: 'k8s',
    controllers: { mode: 'stepped' },
    fetch: async (url) =>
      Response.json(url.endsWith('/keys') ? { keys: [jwk] } : { issuer: ISSUER, jwks_uri: `${ISSUER}/keys` }),
    authentication: (defaults) => [
      ...defaults,
      oidc({
        issuerUrl: ISSUER,
        clientId: 'c',
        usernamePrefix: '-',
        groupsClaim: 'groups',
        signingAlgorithms: ['ES256'],
      }),
    ],
  });
  await server.start();
  await server.client().create(configMaps, configMap('c-0'));
  const groups = ['system:masters'];
  const token = await new SignJWT({ iss: ISSUER, aud: 'c', sub: 'jane', groups, exp: 4_000_000_000 })
    .setProtectedHeader({ alg: 'ES256', kid: 'a' })
    .sign(privateKey);
  const { certificate } = await server.issueClientCertificate({ username: 'jane', groups });
  const chain = [new Uint8Array(new X509Certificate(certificate).raw)];
  const requests = {
    certificate: { ...request(PATH), peerCertificates: chain },
    token: request(PATH, { authorization: `Bearer ${token}` }),
  };
  const rate = (name) => () =>
    callsPerProcessorSecond(async () => {
      const { status } = await server.handle(requests[name]);
      if (status !== 200) throw new Error(`${name}: answered with ${status}`);
    }, 100);
  const found = await interleaved({ certificate: rate('certificate'), token: rate('token') }, { rounds });
  await server.close();
  return row({
    topic: 'GET with a known token of an issuer against one with a certificate',
    measured: ratio(found.certificate, found.token),
    target: 1.1,
    better: 'less',
    detail: `${microseconds(found.token)} against ${microseconds(found.certificate)} µs`,
  });
}

async function knownDecision() {
  const sar = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', status: { allowed: true } };
  // Users of requests are frozen, too.
  const user = Object.freeze({ username: 'alice', groups: Object.freeze(['system:authenticated', 'dev']) });
  const make = async (options) => {
    const server = new ApiServer({ dialect: 'k8s', controllers: { mode: 'stepped' }, ...options });
    await server.start();
    return server;
  };
  const byRbac = await make({});
  const byWebhook = await make({
    fetch: async () => Response.json(sar),
    authorization: (defaults) => [
      webhook({ connection: { server: 'https://hook.example' }, version: 'v1' }),
      ...defaults,
    ],
  });
  await bind(byRbac);
  const question = { verb: 'get', resource: 'configmaps', namespace: 'default', name: 'x' };
  const rate = (server) => () =>
    callsPerProcessorSecond(async () => {
      const { decision } = await server.explainDecision(user, question);
      if (decision !== 'Allow') throw new Error(`decided ${decision}`);
    }, 100);
  const found = await interleaved({ rbac: rate(byRbac), webhook: rate(byWebhook) }, { rounds });
  await Promise.all([byRbac.close(), byWebhook.close()]);
  return row({
    topic: 'a known decision of a webhook against one of RBAC',
    measured: ratio(found.rbac, found.webhook),
    target: 1.2,
    better: 'less',
    detail: `${microseconds(found.webhook)} against ${microseconds(found.rbac)} µs`,
  });
}

async function bind(server) {
  const client = server.client();
  const group = `rbac.authorization.${server.dialect.groupSuffix}`;
  await client.create(clusterRole, {
    metadata: { name: 'reader' },
    rules: [{ verbs: ['get'], apiGroups: [''], resources: ['configmaps'] }],
  });
  await client.create(clusterRoleBinding, {
    metadata: { name: 'reader' },
    subjects: [{ kind: 'User', apiGroup: group, name: 'alice' }],
    roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'reader' },
  });
}
