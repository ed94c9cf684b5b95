import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { certificateSigningRequest, serviceAccount, tokenReview } from '../dist/exports/kinds.js';
import { ApiServer } from '../dist/index.js';
import { interleaved, median, processorMicroseconds, ratio, row } from './measure.mjs';
import { requestToken } from './servers/caller.mjs';

const namespace = 'default';
const CALLS = 200;
const rounds = 9;

/**
 * The cost of signing and verifying credentials in process: a certificate request from its creation to its certificate, and reviews of new
 * tokens. Each is compared with the signatures that it needs, computed by node:crypto with imported keys.
 */
export default async function measure() {
  return [await certificateRequests(), ...(await tokenReviews())];
}

async function certificateRequests() {
  const server = new ApiServer({ dialect: 'k8s' });
  await server.start();
  await server.settle();
  const client = server.client();
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const requests = Array.from({ length: CALLS * (rounds + 1) }, (_, i) => certificateRequest(`user-${i}`, own));
  let next = 0;
  const issue = async () => {
    const name = `request-${next}`;
    const spec = {
      request: Buffer.from(requests[next++]).toString('base64'),
      signerName: 'kubernetes.io/kube-apiserver-client',
      usages: ['client auth'],
    };
    const created = await client.create(certificateSigningRequest, { metadata: { name }, spec });
    const conditions = [{ type: 'Approved', status: 'True', reason: 'Bench' }];
    await client.replace(
      certificateSigningRequest,
      { ...created, status: { conditions } },
      { subresource: 'approval' },
    );
    await server.settle();
    const { status } = await client.get(certificateSigningRequest, name);
    if (!status.certificate) throw new Error('no certificate was signed');
    await client.delete(certificateSigningRequest, name);
  };
  const data = Buffer.alloc(300, 1);
  const signature = sign('sha256', data, own.privateKey);
  // The comparison includes importing the key that the request contains.
  const spki = own.publicKey.export({ format: 'der', type: 'spki' });
  const bare = async () => {
    const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
    if (!verify('sha256', data, key, signature)) throw new Error('a signature is wrong');
    sign('sha256', data, own.privateKey);
  };
  const found = await contend(issue, bare);
  await server.close();
  return found('certificate request created, approved, signed and deleted');
}

async function tokenReviews() {
  const rows = [];
  for (const [name, type, options, hash] of [
    ['RSA of 2048 bits', 'rsa', { modulusLength: 2048 }, 'sha256'],
    ['P-256', 'ec', { namedCurve: 'P-256' }, 'sha256'],
  ]) {
    const { privateKey, publicKey } = generateKeyPairSync(type, options);
    const signingKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const server = new ApiServer({ dialect: 'k8s', serviceAccountTokens: { signingKey } });
    await server.start();
    const client = server.client();
    await client.create(serviceAccount, { metadata: { name: 'reader', namespace } });
    const tokens = [];
    for (let i = 0; i < CALLS * (rounds + 1); i++)
      tokens.push((await requestToken(server, client, 'reader')).status.token);
    let next = 0;
    const review = async () => {
      const { status } = await client.create(tokenReview, { metadata: {}, spec: { token: tokens[next++] } });
      if (!status.authenticated) throw new Error('a token is not known');
    };
    const [head, claims, signature] = tokens[0].split('.');
    const [data, bytes] = [Buffer.from(`${head}.${claims}`), Buffer.from(signature, 'base64url')];
    const key = type === 'ec' ? { key: publicKey, dsaEncoding: 'ieee-p1363' } : publicKey;
    const bare = async () => {
      if (!verify(hash, data, key, bytes)) throw new Error('a signature is wrong');
    };
    const found = await contend(review, bare);
    rows.push(found(`TokenReview of a token not seen before, ${name}`));
    await server.close();
  }
  return rows;
}

/** @returns a function that creates the row of both costs */
async function contend(ours, bare) {
  const found = await interleaved(
    { ours: () => processorMicroseconds(ours, CALLS), bare: () => processorMicroseconds(bare, CALLS) },
    { rounds },
  );
  return (topic) =>
    row({
      topic: `${topic}, against its signatures alone`,
      measured: ratio(found.ours, found.bare),
      better: 'less',
      detail: `${median(found.ours).toFixed(0)} against ${median(found.bare).toFixed(0)} µs`,
    });
}

/** Returns a certificate request (PKCS #10) for a name, in PEM. */
function certificateRequest(commonName, { publicKey, privateKey }) {
  const spki = publicKey.export({ format: 'der', type: 'spki' });
  const name = der(0x30, der(0x31, der(0x30, Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from(commonName)))));
  const content = der(0x30, Buffer.from('020100', 'hex'), name, spki, der(0xa0));
  const algorithm = der(0x30, Buffer.from('06082a8648ce3d040302', 'hex'));
  const signature = der(0x03, Buffer.of(0), sign('sha256', content, privateKey));
  const text = der(0x30, content, algorithm, signature).toString('base64');
  return `-----BEGIN CERTIFICATE REQUEST-----\n${text.match(/.{1,64}/g).join('\n')}\n-----END CERTIFICATE REQUEST-----\n`;
}

function der(tag, ...parts) {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head =
    length < 128 ? [tag, length] : length < 256 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from(head), content]);
}
