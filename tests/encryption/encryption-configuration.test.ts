import { describe, expect, it } from 'vitest';
import { RuledEncryption } from '../../src/encryption/encryption-configuration.js';
import { type EncryptionConfiguration, encryptionConfiguration, etcd, level } from '../../src/exports/storage.js';
import { systemClock } from '../../src/meta/clock.js';
import type { GroupResource } from '../../src/meta/group-version.js';
import { MetricRecorder } from '../../src/metrics/metric-recorder.js';
import { noMetrics } from '../../src/metrics/metrics.js';
import { bytesForm, textForm } from '../../src/store/transformer.js';

const secretOf = (size: number, byte = 1) => Buffer.alloc(size, byte).toString('base64');
const KEY = { name: 'key1', secret: secretOf(32) };
const AESCBC = { aescbc: { keys: [KEY] } };
const IDENTITY = { identity: {} };
type Rule = EncryptionConfiguration['resources'][number];
/** Returns a rule, which may be invalid. */
const of = (resources: readonly string[], providers: readonly object[] = [AESCBC]) =>
  ({ resources, providers }) as Rule;

/** Returns the error message of an invalid configuration. */
const problemOf = async (configuration: unknown, dialect: 'k8s' | 'orch' = 'k8s', file?: string) =>
  await RuledEncryption.read(configuration, { dialect, ...(file ? { file, typed: true } : {}) }).then(
    () => 'none',
    (error: Error) => error.message,
  );
const problem = (...resources: readonly object[]) => problemOf({ resources });

const ABSENT = '(*apiserver.AESConfiguration)(nil)';

describe("an encryption configuration is refused with upstream's message for", () => {
  it.each<[string, object, string]>([
    ['an empty configuration', {}, 'resources: Required value: at least one resources is required'],
    ['an empty list of resources', { resources: [] }, 'resources: Required value: at least one resources is required'],
    [
      'an element without resources and providers',
      { resources: [{}] },
      '[resources[0].resources: Required value: at least one resources[0].resources is required, resources[0].providers: Required value: at least one resources[0].providers is required]',
    ],
    [
      'an empty provider',
      { resources: [of(['secrets'], [{}])] },
      `resources[0].providers[0]: Invalid value: apiserver.ProviderConfiguration{AESGCM:${ABSENT}, AESCBC:${ABSENT}, Secretbox:(*apiserver.SecretboxConfiguration)(nil), Identity:(*apiserver.IdentityConfiguration)(nil), KMS:(*apiserver.KMSConfiguration)(nil)}: provider does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity`,
    ],
    [
      'an unknown provider',
      { resources: [of(['secrets'], [{ rot13: { keys: [KEY] } }])] },
      'strict decoding error: unknown field "resources[0].providers[0].rot13"',
    ],
    [
      'a key with a misspelled member',
      { resources: [of(['secrets'], [{ aesgcm: { keys: [{ ...KEY, Secret: 'hidden' }] } }])] },
      'strict decoding error: unknown field "resources[0].providers[0].aesgcm.keys[0].Secret"',
    ],
    [
      'identity that is null',
      { resources: [of(['secrets'], [{ identity: null }])] },
      'does not contain any of the expected providers',
    ],
    [
      'two providers in one element',
      { resources: [of(['secrets'], [{ ...AESCBC, ...IDENTITY }])] },
      'KMS:(*apiserver.KMSConfiguration)(nil)}: more than one provider specified in a single element, should split into different list elements',
    ],
    [
      'no keys',
      { resources: [of(['secrets'], [{ aesgcm: { keys: [] } }])] },
      'resources[0].providers[0].aesgcm.keys: Required value: at least one keys is required',
    ],
    [
      'a key without a name',
      { resources: [of(['secrets'], [{ aescbc: { keys: [{ secret: secretOf(16) }] } }])] },
      'resources[0].providers[0].aescbc.keys[0].name: Required value: name is a mandatory field for a key',
    ],
    [
      'a key without a secret',
      { resources: [of(['secrets'], [{ secretbox: { keys: [{ name: 'a' }] } }])] },
      'resources[0].providers[0].secretbox.keys[0].secret: Required value: secret is a mandatory field for a key',
    ],
    [
      'a secret that is not base64',
      { resources: [of(['secrets'], [{ secretbox: { keys: [{ name: 'a', secret: 'to hide!' }] } }])] },
      'resources[0].providers[0].secretbox.keys[0].secret: Invalid value: "REDACTED": secrets must be base64 encoded',
    ],
    [
      'an AES key of another size',
      { resources: [of(['secrets'], [{ aescbc: { keys: [{ name: 'a', secret: secretOf(20) }] } }])] },
      'resources[0].providers[0].aescbc.keys[0].secret: Invalid value: "REDACTED": secret is not of the expected length, got 20, expected one of [16 24 32]',
    ],
    [
      'a secretbox key of another size',
      { resources: [of(['secrets'], [{ secretbox: { keys: [{ name: 'a', secret: secretOf(16) }] } }])] },
      'secret is not of the expected length, got 16, expected one of [32]',
    ],
    [
      'KMS v2',
      { resources: [of(['secrets'], [{ kms: { apiVersion: 'v2', name: 'a', endpoint: 'unix:///a' } }])] },
      'resources[0].providers[0].kms: Forbidden: there are no KMS providers in this server: use secretbox, aesgcm or aescbc',
    ],
    [
      'KMS v1, behind another provider',
      { resources: [of(['secrets'], [AESCBC, { kms: { name: 'a', endpoint: 'unix:///a' } }])] },
      'resources[0].providers[1].kms: Forbidden: there are no KMS providers in this server',
    ],
    [
      'a resource with capital letters',
      { resources: [of(['Secrets'])] },
      'resources[0].resources[0]: Invalid value: "Secrets": resource name should not contain capital letters',
    ],
    [
      'the resource *',
      { resources: [of(['*'])] },
      'resources[0].resources[0]: Invalid value: "*": use \'*.\' to encrypt all the resources from core API group or *.* to encrypt all resources',
    ],
    [
      'resources without an API',
      { resources: [of(['serviceipallocations'])] },
      'resources which do not have REST API/s cannot be encrypted',
    ],
    [
      'events in the group events.k8s.io',
      { resources: [of(['events.events.k8s.io'])] },
      "'*.events.k8s.io' objects are stored using the 'events' API group in etcd. Use 'events' instead in the config file",
    ],
    [
      'a removed group',
      { resources: [of(['*.extensions'])] },
      "'extensions' group has been removed and cannot be used for encryption",
    ],
    [
      'a resource of all groups',
      { resources: [of(['pods.*'])] },
      'encrypting the same resource across groups is not supported',
    ],
    [
      'a resource twice',
      { resources: [of(['secrets', 'pods', 'secrets'])] },
      'resources[0].resources: Invalid value: []string{"secrets", "pods", "secrets"}: the same resource cannot be specified multiple times',
    ],
    [
      'overlapping resources',
      { resources: [of(['secrets', '*.'])] },
      'resources[0].resources: Invalid value: []string{"secrets", "*."}: using overlapping resources such as \'secrets\' and \'*.\' in the same resource list is not allowed as they will be masked',
    ],
    ['a resource beside *.*', { resources: [of(['*.*', 'pods'])] }, 'using overlapping resources'],
    [
      'a resource after its group',
      { resources: [of(['*.apps']), of(['deployments.apps'])] },
      'resource "deployments.apps" is masked by earlier rule "*.apps"',
    ],
    ['a group after *.*', { resources: [of(['*.*']), of(['*.'])] }, 'resource "*." is masked by earlier rule "*.*"'],
    [
      'a core resource after the core group',
      { resources: [of(['*.']), of(['secrets'])] },
      'resource "secrets" is masked by earlier rule "*."',
    ],
    ['an object as list of resources', { resources: {} }, 'cannot unmarshal object'],
    ['a string', 'resources' as never, 'expected EncryptionConfiguration, got a value that is not an object'],
  ])('%s', async (_, configuration, message) => {
    expect(await problemOf(configuration)).toContain(message);
  });

  it('accepts what upstream accepts', async () => {
    const names = ['secrets', 'deployments.apps', '*.example.com', 'widgets.example.org'];
    expect(await problem(of(names), of(['*.apps', 'pods']), of(['*.']), of(['*.*'], [IDENTITY]))).toBe('none');
    const spread = `${secretOf(32).slice(0, 20)}\n${secretOf(32).slice(20)}\n`;
    expect(await problem(of(['secrets'], [{ aesgcm: { keys: [{ name: 'a:b', secret: spread }] } }]))).toBe('none');
    expect(await problem(of(['secrets'], [{ aescbc: { keys: [KEY, KEY] } }, AESCBC, IDENTITY, IDENTITY]))).toBe('none');
  });

  it('knows the names of groups of each dialect', async () => {
    const configuration = { kind: 'EncryptionConfiguration', resources: [of(['secrets'])] };
    const refused = (apiVersion: string, dialect: 'k8s' | 'orch') =>
      problemOf({ ...configuration, apiVersion }, dialect);
    expect(await refused('apiserver.config.k8s.io/v1', 'k8s')).toBe('none');
    expect(await refused('apiserver.config.k8s.io/v1', 'orch')).toContain(
      'no kind "EncryptionConfiguration" is registered',
    );
    expect(await refused('apiserver.config.k8s.io/v2', 'k8s')).toContain(
      'no kind "EncryptionConfiguration" is registered',
    );
    expect(await problemOf({ ...configuration, apiVersion: 'v1', kind: 'EncryptionConfig' })).toBe('none');
  });

  it('names the file and the step, as upstream does', async () => {
    const [apiVersion, kind] = ['apiserver.config.k8s.io/v1', 'EncryptionConfiguration'];
    const refused = (configuration: object) => problemOf(configuration, 'k8s', '/etc/a.yaml');
    expect(await refused({ resources: [] })).toBe(
      'error while parsing file: error decoding encryption provider configuration file "/etc/a.yaml": Object \'Kind\' is missing',
    );
    expect(await refused({ apiVersion, kind: 'AdmissionConfiguration' })).toContain(
      'got unexpected config type: apiserver.config.k8s.io/v1, Kind=AdmissionConfiguration',
    );
    expect(await refused({ apiVersion, kind })).toBe(
      'error while parsing file: resources: Required value: at least one resources is required',
    );
    expect(await refused({ apiVersion, kind, resources: [of(['*.*']), of(['pods'])] })).toBe(
      'error while building transformers: resource "pods" is masked by earlier rule "*.*"',
    );
  });

  it('shows no secret in any error', async () => {
    const secret = 'c2VjcmV0LXRoYXQtbm9ib2R5LXNlZXM=';
    const keys = [
      { name: '', secret },
      { name: 'a', secret: `${secret}!` },
    ];
    const all = [
      { aescbc: { keys } },
      { aesgcm: { keys }, identity: {} },
      { secretbox: { keys } },
      { aescbc: { keys: secret } },
    ];
    for (const provider of all) expect(await problem(of(['secrets'], [provider]))).not.toContain(secret.slice(0, 10));
  });

  it('is validated quickly with very many resources, keys and errors', async () => {
    const many = Array.from({ length: 20_000 }, (_, i) => `r${i}.example.com`);
    expect(await problem(of(many))).toBe('none');
    expect(await problem(of([...many, 'r1.example.com']))).toContain(
      'the same resource cannot be specified multiple times',
    );
    const wrong = await problem(of(many.map((name) => name.toUpperCase())));
    expect(wrong.length).toBeLessThan(100_000);
  });
});

it('is refused as an option unless it was made by encryptionConfiguration()', () => {
  const wrong = { resources: [] } as never;
  const message = 'encryption must be the result of encryptionConfiguration()';
  expect(() => level({ path: 'x', encryption: wrong })).toThrow(new TypeError(`level(): ${message}`));
  expect(() => etcd({ endpoints: ['http://a'], encryption: wrong })).toThrow(new TypeError(`etcd(): ${message}`));
});

describe('encrypted values', () => {
  const resourceOf = (key: string): GroupResource => {
    const [, group = '', resource = ''] = key.split('/');
    return { group: group === 'core' ? '' : group, resource };
  };
  const storage = { resourceOf, placeOf: (key: string) => key, clock: systemClock, metrics: noMetrics };
  const open = async (...resources: readonly object[]) => {
    const encryption = await encryptionConfiguration({ resources } as never);
    return encryption.transformer(textForm, storage);
  };
  const SECRET = '/core/secrets/a';
  const otherKey = (name: string, byte: number) => ({ name, secret: secretOf(32, byte) });

  it('use the most specific rule', async () => {
    const gcm = (name: string) => [{ aesgcm: { keys: [otherKey(name, 3)] } }];
    const { toStorage } = await open(
      of(['secrets'], gcm('own')),
      of(['*.apps'], gcm('group')),
      of(['*.'], gcm('core')),
      of(['*.*'], gcm('all')),
    );
    const keyUsed = (key: string) => toStorage('{}', key).split(':')[4];
    expect(keyUsed('/core/secrets/a')).toBe('own');
    expect(keyUsed('/core/pods/a')).toBe('core');
    expect(keyUsed('/apps/deployments/a')).toBe('group');
    expect(keyUsed('/example.com/widgets/a')).toBe('all');
    const some = await open(of(['secrets'], gcm('own')));
    expect(some.toStorage('{}', '/core/pods/a')).toBe('{}');
    expect(some.fromStorage('{}', '/core/pods/a')).toEqual({ value: '{}', source: undefined });
    expect(() => some.fromStorage(some.toStorage('{}', SECRET), '/core/pods/a')).toThrow(
      'identity transformer tried to read encrypted data',
    );
  });

  it('have the form of upstream: a prefix and bytes, in base64 as text', async () => {
    const encryption = await encryptionConfiguration({ resources: [of(['secrets'])] });
    const bytes = encryption.transformer(bytesForm, storage).toStorage(new TextEncoder().encode('{}'), SECRET);
    const prefix = 'k8s:enc:aescbc:v1:key1:';
    expect(Buffer.from(bytes).subarray(0, prefix.length).toString()).toBe(prefix);
    expect(bytes).toHaveLength(prefix.length + 32);
    expect(encryption.transformer(textForm, storage).toStorage('{}', SECRET)).toMatch(
      /^k8s:enc:aescbc:v1:key1:[\w+/]{43}=$/,
    );
  });

  it('are decrypted by any provider and key, even if the prefix is that of another one', async () => {
    const written = await open(of(['secrets'], [{ aescbc: { keys: [otherKey('a:b', 7)] } }]));
    const stored = written.toStorage('{"x":1}', SECRET);
    // The name `a` with its colon is a prefix of `a:b:`, and the name `a:b` exists twice.
    const reader = await open(
      of(
        ['secrets'],
        [{ aescbc: { keys: [otherKey('a', 1), otherKey('a:b', 2)] } }, { aescbc: { keys: [otherKey('a:b', 7)] } }],
      ),
    );
    expect(reader.fromStorage(stored, SECRET).value).toBe('{"x":1}');
    const without = await open(of(['secrets'], [{ aescbc: { keys: [otherKey('a', 1), otherKey('a:b', 2)] } }]));
    expect(() => without.fromStorage(stored, SECRET)).toThrow(/^\[the stored data is not base64, .*\]$/);
    const unnamed = await open(of(['secrets'], [{ aescbc: { keys: [otherKey('b', 7)] } }]));
    expect(() => unnamed.fromStorage(stored, SECRET)).toThrow(
      'no matching key was found for the provided AES transformer',
    );
  });

  it('are refused if they are truncated, empty or not encrypted', async () => {
    const { fromStorage, toStorage } = await open(of(['secrets'], [{ aesgcm: { keys: [KEY] } }]));
    const stored = toStorage('{}', SECRET);
    for (const torn of [
      '',
      'k',
      'k8s:enc:',
      'k8s:enc:aesgcm:v1:',
      'k8s:enc:kms:v2:a:xxxx',
      '{}',
      stored.replace(/^k8s/, 'K8s'),
    ])
      expect(() => fromStorage(torn, SECRET), torn).toThrow(/no matching (prefix|key)/);
    expect(() => fromStorage('k8s:enc:aesgcm:v1:key1:', SECRET)).toThrow(
      'the stored data was shorter than the required size',
    );
    expect(() => fromStorage(stored.slice(0, -4), SECRET)).toThrow('cipher: message authentication failed');
    const withIdentity = await open(of(['secrets'], [AESCBC, IDENTITY]));
    expect(withIdentity.fromStorage('', SECRET).value).toBe('');
  });

  it('are stale unless the first key encrypted them, also after the configuration was read again', async () => {
    const encryption = await encryptionConfiguration({ resources: [of(['secrets'], [AESCBC, IDENTITY])] });
    const transformer = encryption.transformer(textForm, storage);
    const stored = transformer.toStorage('{}', SECRET);
    const isStale = () => transformer.fromStorage(stored, SECRET).source !== transformer.sourceOfWrites(SECRET);
    expect(isStale()).toBe(false);
    expect(transformer.fromStorage('{}', SECRET).source).not.toBe(transformer.sourceOfWrites(SECRET));
    await encryption.replace({ resources: [of(['secrets'], [{ aescbc: { keys: [KEY, otherKey('b', 2)] } }])] });
    expect(isStale()).toBe(false);
    await encryption.replace({ resources: [of(['secrets'], [{ aescbc: { keys: [otherKey('b', 2), KEY] } }])] });
    expect(isStale()).toBe(true);
    await encryption.replace({ resources: [of(['secrets'], [IDENTITY, AESCBC])] });
    expect(isStale()).toBe(true);
  });

  it('are counted by the provider and key that were tried', async () => {
    const metrics = new MetricRecorder({ release: { major: '1', minor: '31' }, now: () => 0 });
    const encryption = await encryptionConfiguration({ resources: [of(['secrets'], [AESCBC, IDENTITY])] });
    const { toStorage, fromStorage } = encryption.transformer(textForm, { ...storage, metrics });
    fromStorage(toStorage('{}', SECRET), SECRET);
    fromStorage('{}', SECRET);
    expect(() => fromStorage('k8s:enc:aescbc:v1:other:', SECRET)).toThrow();
    const family = (name: string) => metrics.snapshot().find((each) => each.name === name)?.samples ?? [];
    const counted = family('apiserver_storage_transformation_operations_total').map(({ labels, value }) =>
      [labels['transformation_type'], labels['transformer_prefix'], labels['status'], value].join(' '),
    );
    expect(counted.sort()).toEqual([
      'from_storage identity OK 1',
      'from_storage k8s:enc:aescbc:v1: OK 1',
      'from_storage k8s:enc:aescbc:v1: unknown-non-grpc 1',
      'from_storage key1: OK 1',
      'from_storage unknown unknown-non-grpc 1',
      'to_storage k8s:enc:aescbc:v1: OK 1',
      'to_storage key1: OK 1',
    ]);
    expect(family('apiserver_storage_transformation_duration_seconds').map(({ count }) => count)).toEqual([
      1, 1, 1, 1, 1,
    ]);
  });
});
