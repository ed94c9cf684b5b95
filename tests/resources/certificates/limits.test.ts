import { beforeAll, describe, expect, it } from 'vitest';
import { makeRequest } from '../../pki/make-request.js';
import { ask } from '../../support/ask.js';
import { openSuiteServer } from '../../support/servers.js';

describe.each(['orch', 'k8s'] as const)('requested lifetimes in %s', (dialect) => {
  const server = openSuiteServer({ dialect });
  beforeAll(async () => {
    await send('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'holder' } });
  });

  const send = async (path: string, body: object) => {
    const { status, message } = await ask(server, { method: 'POST', path, body });
    return status === 201 ? 201 : message;
  };
  const group = (stem: string) => `${stem}.${dialect === 'orch' ? 'orch.io' : 'k8s.io'}`;

  it.each([
    [600, 201],
    [2 ** 31 - 1, 201],
    [599, 'spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 600 seconds (10 minutes)'],
    [0, 'spec.expirationSeconds: Invalid value: 0: may not specify a duration less than 600 seconds (10 minutes)'],
  ])('a certificate for %i s: %j (spec 15.2)', async (expirationSeconds, answer) => {
    const { pem } = await makeRequest();
    const name = `for-${expirationSeconds}`;
    const found = await send(`/apis/${group('certificates')}/v1/certificatesigningrequests`, {
      metadata: { name },
      spec: { request: btoa(pem), signerName: 'example.com/s', usages: ['client auth'], expirationSeconds },
    });
    const refused = `CertificateSigningRequest.${group('certificates')} "${name}" is invalid: ${answer}`;
    expect(found).toBe(answer === 201 ? 201 : refused);
  });

  it.each([
    [600, 201],
    [2 ** 32, 201],
    [599, 'spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes'],
    [
      2 ** 32 + 1,
      'spec.expirationSeconds: Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds',
    ],
  ])('a token for %i s: %j (spec 14.5)', async (expirationSeconds, answer) => {
    const found = await send('/api/v1/namespaces/default/serviceaccounts/holder/token', {
      spec: { audiences: ['a'], expirationSeconds },
    });
    const refused = `TokenRequest.${group('authentication')} "" is invalid: ${answer}`;
    expect(found).toBe(answer === 201 ? 201 : refused);
  });
});
