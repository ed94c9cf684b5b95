import { describe, expect, it } from 'vitest';
import { authenticationConfiguration } from '../../src/authentication/jwt/authentication-configuration.js';

const issuers = (count: number) => ({
  jwt: Array.from({ length: count }, (_, i) => ({
    issuer: { url: `https://issuer-${i}.example`, audiences: ['a'] },
    claimMappings: { username: { claim: 'sub', prefix: '' } },
  })),
});

describe.each(['orch', 'k8s'] as const)('limits of an AuthenticationConfiguration in %s (spec 11.18)', (dialect) => {
  const read = (configuration: object) =>
    authenticationConfiguration(configuration as never, { dialect }).then(
      () => '',
      (error: Error) => error.message,
    );

  it('are 64 issuers', async () => {
    expect(await read(issuers(64))).toBe('');
    expect(await read(issuers(65))).toBe('jwt: Too many: 65: must have at most 64 items');
  });

  it('are one issuer per URL, and per URL of discovery', async () => {
    const [one = {}, other = {}] = issuers(2).jwt;
    expect(await read({ jwt: [one, one] })).toContain('jwt[1].issuer.url: Duplicate value: "https://issuer-0.example"');
    const discovered = (each: object) => ({
      ...each,
      issuer: { ...(each as { issuer: object }).issuer, discoveryURL: 'https://discovery.example' },
    });
    expect(await read({ jwt: [discovered(one), other] })).toBe('');
    expect(await read({ jwt: [discovered(one), discovered(other)] })).toContain(
      'jwt[1].issuer.discoveryURL: Duplicate value: "https://discovery.example"',
    );
  });
});
