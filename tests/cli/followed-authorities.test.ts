import { expect, it } from 'vitest';
import { followedAuthorities } from '../../src/cli/authentication/followed-authorities.js';
import { createCertificateAuthority } from '../../src/pki/certificate-authority.js';
import { systemSignatures } from '../../src/signatures/system-signatures.js';
import { createFakeRandom } from '../../src/testing/fake-random.js';

const authority = async (seed: number) => {
  const sources = { now: Date.parse('2026-11-21T12:00:00Z'), random: createFakeRandom(seed) };
  return (await createCertificateAuthority({ commonName: `ca${seed}`, ...sources, signatures: systemSignatures }))
    .certificate;
};

it('the published CA bundles follow their file, and stay when it is invalid', async () => {
  const [first, second, own] = await Promise.all([authority(1), authority(2), authority(3)]);
  const make = () => () => ({ name: 'test', authenticate: () => ({ outcome: 'skipped' }) as const });
  const { current, followed } = followedAuthorities('ca.crt', first, [own], make, () => {});
  expect(current()).toBe(`${first}\n${own}`);
  await followed[0]?.take(second);
  expect(current()).toBe(`${second}\n${own}`);
  await expect(followed[0]?.take('nonsense')).rejects.toThrow('the file contains no certificate');
  expect(current()).toBe(`${second}\n${own}`);
  expect(followedAuthorities(undefined, first, [own], make, () => {}).current()).toBe(`${first}\n${own}`);
});
