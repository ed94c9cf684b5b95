import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkFlags } from '../../src/cli/check-flags.js';
import * as choices from '../../src/cli/flag-choices.js';
import { formatHelp } from '../../src/cli/flag-help.js';
import { FLAGS, type FlagName } from '../../src/cli/flags.js';
import { FOREIGN_FLAGS } from '../../src/cli/foreign-flags.js';
import { parseFlags, suggest, UsageError } from '../../src/cli/parse-flags.js';
import { checkPluginNames } from '../../src/cli/plugin-names.js';
import { VERSION } from '../../src/version.js';
import { hasSharedData, readShared, readSharedText, sharedUrl } from '../support/shared-data.js';

describe('parseFlags', () => {
  it.each<[string[], FlagName, unknown]>([
    [[], 'secure-port', 6443],
    [[], 'client-ca-file', undefined],
    [[], 'oidc-signing-algs', ['RS256']],
    [[], 'cluster-signing-duration', 8760 * 3_600_000],
    [['--secure-port=0'], 'secure-port', 0],
    [['--secure-port', '7'], 'secure-port', 7],
    [['--secure_port', '7', '--bind_address=a_b'], 'bind-address', 'a_b'],
    [['--anonymous-auth'], 'anonymous-auth', true],
    [['--anonymous-auth=false'], 'anonymous-auth', false],
    [['--anonymous-auth=T'], 'anonymous-auth', true],
    [['--anonymous-auth', '--secure-port=1'], 'secure-port', 1],
    [['--client-ca-file=a=b,c'], 'client-ca-file', 'a=b,c'],
    [['--client-ca-file='], 'client-ca-file', ''],
    [['--client-ca-file=a', '--client-ca-file=b'], 'client-ca-file', 'b'],
    [['--authorization-mode=Node,RBAC'], 'authorization-mode', ['Node', 'RBAC']],
    [['--authorization-mode=Node', '--authorization-mode=RBAC'], 'authorization-mode', ['Node', 'RBAC']],
    [['--api-audiences='], 'api-audiences', []],
    [['--controllers=*,-x'], 'controllers', ['*', '-x']],
    [['--service-account-issuer=a,b', '--service-account-issuer=c'], 'service-account-issuer', ['a,b', 'c']],
    [['--oidc-signing-algs=ES256'], 'oidc-signing-algs', ['ES256']],
    [
      ['--oidc-required-claim=hd=x', '--oidc-required-claim=tier=a,b=c'],
      'oidc-required-claim',
      new Map([
        ['hd', 'x'],
        ['tier', 'a,b=c'],
      ]),
    ],
    [
      ['--feature-gates=A=true, B=false,'],
      'feature-gates',
      new Map([
        ['A', 'true'],
        ['B', 'false'],
      ]),
    ],
    [
      ['--runtime-config=api/all=true,x/v1', '--runtime-config=y/v1=false'],
      'runtime-config',
      new Map([
        ['api/all', 'true'],
        ['x/v1', ''],
        ['y/v1', 'false'],
      ]),
    ],
    [['--request-timeout=1h2m3.5s'], 'request-timeout', 3_723_500],
    [['--request-timeout=-.5ms'], 'request-timeout', -0.5],
    [['--request-timeout=0'], 'request-timeout', 0],
    [['--', '--secure-port'], 'secure-port', 6443],
    [['-h'], 'help', true],
    [['', '--secure-port=7'], 'secure-port', 7],
    ...[['-v', '3'], ['-v=3'], ['-v3'], ['--v=3'], ['--v', '03']].map((args): [string[], FlagName, unknown] => [
      args,
      'v',
      3,
    ]),
    // Integers are parsed as in Go.
    ...Object.entries({ '0x1F': 31, '0b101': 5, '0o17': 15, '017': 15, '1_000': 1000, '+7': 7, '-0': 0, '0': 0 }).map(
      ([text, port]): [string[], FlagName, unknown] => [[`--secure-port=${text}`], 'secure-port', port],
    ),
    [['--api-audiences="a,b",c,"d""e"'], 'api-audiences', ['a,b', 'c', 'd"e']],
    ...Object.entries<[string, string][]>({
      'm,l=a,b': [['m,l', 'a,b']],
      '"m,l=a,b"': [['m,l', 'a,b']],
      '"m,l=a,b","n,l=c"': [
        ['m,l', 'a,b'],
        ['n,l', 'c'],
      ],
      '"m,l=a","n,l=b=c"': [
        ['m,l', 'a'],
        ['n,l', 'b=c'],
      ],
    }).map(([text, pairs]): [string[], FlagName, unknown] => [
      [`--allow-metric-labels=${text}`],
      'allow-metric-labels',
      new Map(pairs),
    ]),
  ])('%j: %s', (args, name, expected) => {
    if (args[0] === '--') expect(() => parseFlags(args)).toThrow(UsageError);
    else expect(parseFlags(args).values[name]).toEqual(expected);
  });

  it('returns which flags were given', () => {
    expect([...parseFlags(['--secure-port=6443', '--anonymous-auth']).setFlags]).toEqual([
      'secure-port',
      'anonymous-auth',
    ]);
  });

  it.each([
    [['--no-such-flag=1'], 'unknown flag: --no-such-flag'],
    [['--__proto__=1'], 'unknown flag: --proto'.replace('proto', '--proto--')],
    [['--constructor'], 'unknown flag: --constructor'],
    [['-x'], "unknown shorthand flag: 'x' in -x"],
    [['-xyz'], "unknown shorthand flag: 'x' in -xyz"],
    [['-v'], "flag needs an argument: 'v' in -v"],
    [['--v'], 'flag needs an argument: --v'],
    [['stray'], '"orch-apiserver" does not take any arguments, got ["stray"]'],
    [['--profiling', 'no', '', '--secure-port=1'], '"orch-apiserver" does not take any arguments, got ["no" ""]'],
    [['stray', '--nothing'], 'unknown flag: --nothing'],
    [['--client-ca-file'], 'flag needs an argument: --client-ca-file'],
    [
      ['--anonymous-auth=maybe'],
      'invalid argument "maybe" for "--anonymous-auth" flag: strconv.ParseBool: parsing "maybe": invalid syntax',
    ],
    [
      ['--secure-port=x'],
      'invalid argument "x" for "--secure-port" flag: strconv.ParseInt: parsing "x": invalid syntax',
    ],
    [
      ['--secure-port=99999999999999999999'],
      'invalid argument "99999999999999999999" for "--secure-port" flag: strconv.ParseInt: parsing "99999999999999999999": value out of range',
    ],
    [['--request-timeout=5'], 'invalid argument "5" for "--request-timeout" flag: time: missing unit in duration "5"'],
    [['--request-timeout=x'], 'invalid argument "x" for "--request-timeout" flag: time: invalid duration "x"'],
    [['--feature-gates=A'], 'invalid argument "A" for "--feature-gates" flag: missing bool value for A'],
    [
      ['--oidc-required-claim=a'],
      'invalid argument "a" for "--oidc-required-claim" flag: malformed pair, expect string=string',
    ],
    [
      ['--oidc-required-claim='],
      'invalid argument "" for "--oidc-required-claim" flag: malformed pair, expect string=string',
    ],
    ...Object.entries({
      x: 'invalid syntax',
      '-1': 'invalid syntax',
      '+1': 'invalid syntax',
      '': 'invalid syntax',
      '0x1': 'invalid syntax',
      '2147483648': 'value out of range',
    }).map(([text, why]): [string[], string] => [
      [`--v=${text}`],
      `invalid argument "${text}" for "-v, --v" flag: strconv.ParseUint: parsing "${text}": ${why}`,
    ]),
    [['--version=x'], 'invalid argument "x" for "--version" flag: strconv.ParseBool: parsing "x": invalid syntax'],
    ...Object.entries({
      v1: 'could not parse "v1" as version',
      'v1.31.0-': 'could not parse "v1.31.0-" as version',
      'v1.30.0': `version "v1.30.0" must match major/minor/patch of default version "v1.31.0+orch-apiserver.${VERSION}"`,
    }).map(([text, why]): [string[], string] => [
      [`--version=${text}`],
      `invalid argument "${text}" for "--version" flag: ${why}`,
    ]),
    [['-v='], 'invalid argument "=" for "-v, --v" flag: strconv.ParseUint: parsing "=": invalid syntax'],
    [['-vx'], 'invalid argument "x" for "-v, --v" flag: strconv.ParseUint: parsing "x": invalid syntax'],
    [['--help=x'], 'invalid argument "x" for "-h, --help" flag: strconv.ParseBool: parsing "x": invalid syntax'],
    ...['08', '0x', '1__0', '_1', '1_', '0b2', ''].map((text): [string[], string] => [
      [`--secure-port=${text}`],
      `invalid argument "${text}" for "--secure-port" flag: strconv.ParseInt: parsing "${text}": invalid syntax`,
    ]),
    [
      ['--request-timeout=1d'],
      'invalid argument "1d" for "--request-timeout" flag: time: unknown unit "d" in duration "1d"',
    ],
    [
      ['--api-audiences=a"b'],
      'invalid argument "a\\"b" for "--api-audiences" flag: parse error on line 1, column 2: bare " in non-quoted-field',
    ],
    ...Object.entries({ 'm,l': 'm,l', 'm,l=a,n,l=b': 'm', '': '' }).map(([text, pair]): [string[], string] => [
      [`--allow-metric-labels=${text}`],
      `invalid argument "${text}" for "--allow-metric-labels" flag: ${pair} must be formatted as key=value`,
    ]),
    [['--dialect=go'], 'invalid argument "go" for "--dialect" flag: must be one of: orch, k8s'],
  ])('refuses %j', (args, message) => {
    expect(() => parseFlags(args)).toThrow(new UsageError(message));
  });
});

describe('the table of flags', () => {
  it('has each name once, with dashes, and lists it in the help', () => {
    const names = FLAGS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const help = formatHelp(choices);
    for (const name of names) expect(help).toContain(`  --${name} `);
    for (const line of help.split('\n')) expect(line.length).toBeLessThan(160);
    expect(help).toContain('  orch-apiserver --dialect=k8s --write-kubeconfig=admin.kubeconfig\n');
    for (const name of ['WatchList=false', 'NamespaceLifecycle', 'garbage-collector-controller'])
      expect(help).toContain(` ${name}`);
  });

  it('names the controllers that --controllers accepts', () => {
    expect(choices.controllers).toContain('namespace-controller');
    expect(checkPluginNames(parseFlags([`--controllers=${choices.controllers.join(',')}`]))).toEqual([]);
  });

  it.each([
    ['secure-prot', 'secure-port'],
    ['dialekt', 'dialect'],
    ['kubeconfig', 'write-kubeconfig'],
    ['client-ca', 'client-ca-file'],
    ['no-such-flag', undefined],
    ['x', undefined],
    ['a'.repeat(10_000), undefined],
  ])('suggests the flag for the misspelling %s', (given, meant) => {
    const names = FLAGS.map(({ name }) => name);
    expect(suggest(given, names)).toBe(meant);
  });

  it.each([
    ['--etcd-servers-overrides=/events#https://x:2379', 'it is not part of what --etcd-servers offers'],
    ['--requestheader-uid-headers=X-Uid', 'it belongs to a later release'],
    [
      '--watch-cache=false',
      'reads are answered from memory, whatever --data-dir or --etcd-servers keep (--watch-cache=true is what it does)',
    ],
    [
      '--storage-media-type=application/vnd.kubernetes.protobuf',
      'it is not part of what --etcd-servers offers (--storage-media-type=application/json is what it does)',
    ],
    ['--tracing-config-file=tracing.yaml', 'it does not trace or profile itself'],
    ['--contention-profiling', 'it does not trace or profile itself (--contention-profiling=false is what it does)'],
  ])('explains why %s is not supported', (given, why) => {
    const [name = ''] = given.split('=');
    expect(() => parseFlags(['--secure-port=0', given])).toThrow(`${name} is not part of this server: ${why}`);
  });

  it('accepts versions of the release of the API as the version to report', () => {
    for (const version of ['v1.31.0', 'v1.31.0-custom', 'v1.31.0-rc.1+build.2'])
      expect(parseFlags([`--version=${version}`]).values.version).toBe(version);
    expect(parseFlags(['--version', '--secure-port=1']).values.version).toBe(true);
    expect(parseFlags(['--version=false']).values.version).toBe(false);
  });

  it('accepts flags of other components whose value does not change anything', () => {
    const flags = parseFlags([
      '--watch-cache',
      '--enable-garbage-collector=true',
      '--emulated-version',
      '1.31',
      '--secure-port=1',
      '--storage-media-type=application/json',
      '--storage-media-type=',
      '--tracing-config-file=',
      '--etcd-servers-overrides=',
    ]);
    expect([...flags.setFlags]).toEqual(['secure-port']);
    expect(flags.warnings).toEqual([]);
  });

  it('has no flag both as supported and as unsupported', () => {
    for (const { name } of FLAGS) expect(FOREIGN_FLAGS.has(name), name).toBe(false);
  });

  it.each([
    [
      ['--admission-control=NamespaceLifecycle'],
      'Flag --admission-control has been deprecated, Use --enable-admission-plugins or --disable-admission-plugins instead. Will be removed in a future version.',
    ],
    [
      ['--enable-logs-handler=false'],
      'Flag --enable-logs-handler has been deprecated, This flag will be removed in v1.19',
    ],
    [
      ['--kubelet-port', '10250'],
      'Flag --kubelet-port has been deprecated, kubelet-port is deprecated and will be removed.',
    ],
  ])('warns about %j', (args, warning) => expect(parseFlags(args).warnings).toEqual([warning]));

  it.each([
    [['--goaway-chance=0.03'], ['--goaway-chance can not be less than 0 or greater than 0.02']],
    [['--goaway-chance=0.02'], []],
    [
      ['--cors-allowed-origins=example.com'],
      [
        expect.stringMatching(
          /^--cors-allowed-origins has an invalid regular expression: regular expression does not pin to start\/end of host in the origin header, help: List of allowed origins for CORS, comma separated\. .* Examples of valid expressions are '\/\/example\\\.com\(:\|\$\)' and /,
        ),
      ],
    ],
    [['--cors-allowed-origins=//example\\.com(:|$)'], []],
    [
      ['--cors-allowed-origins=^https://a$,'],
      [expect.stringMatching(/^empty value in --cors-allowed-origins, help: List of allowed/)],
    ],
    [['--strict-transport-security-directives=max-age=5,includeSubDomains,preload'], []],
    [
      ['--strict-transport-security-directives=age=5'],
      [
        '--strict-transport-security-directives invalid, allowed values: max-age=expireTime, includeSubDomains, preload. see https://tools.ietf.org/html/rfc6797#section-6.1 for more information',
      ],
    ],
    [['--tls-min-version=VersionTLS10'], ['unknown tls version "VersionTLS10"']],
    [['--tls-cipher-suites=TLS_X'], ["Cipher suite TLS_X not supported or doesn't exist"]],
    [['--tls-cipher-suites=TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,TLS_AES_128_GCM_SHA256'], []],
  ])('checks the value of %j', (args, problems) => expect(checkFlags(parseFlags(args))).toEqual(problems));

  it.each([
    ['--enable-admission-plugins=NodeRestrictions', ['enable-admission-plugins plugin "NodeRestrictions" is unknown']],
    ['--disable-admission-plugins=X', ['disable-admission-plugins plugin "X" is unknown']],
    ['--enable-admission-plugins=AlwaysPullImages', []],
    ['--admission-control=AlwaysPullImages', []],
    ['--disable-admission-plugins=LimitRanger,ServiceAccount', []],
    ['--enable-admission-plugins=NodeRestriction,NamespaceLifecycle', []],
    ['--controllers=*,-foo', ['"-foo" is not in the list of known controllers']],
    ['--controllers=*,tokencleaner,-namespace-controller,deployment', []],
  ])('%s', (flag, errors) => {
    expect(checkPluginNames(parseFlags([flag]))).toEqual(errors);
  });
});

const BASE = [
  '--service-account-issuer=https://a.example',
  '--service-account-key-file=k',
  '--service-account-signing-key-file=s',
];
describe('checkFlags', () => {
  it.each([
    [[], []],
    [[...BASE, '--authorization-mode=Node,RBAC'], []],
    [['--secure-port=70000'], ['--secure-port 70000 must be between 0 and 65535, inclusive']],
    [['--tls-cert-file=x'], ['--tls-cert-file and --tls-private-key-file should be specified together']],
    [['--dialect=k8s', ...BASE.slice(0, 1), ...BASE.slice(2)], ['service-account-key-file is a required flag']],
    [['--dialect=orch', ...BASE.slice(0, 1), ...BASE.slice(2)], []],
    [
      ['--feature-gates=WatchLists=true'],
      ['invalid argument for "--feature-gates" flag: unrecognized feature gate: WatchLists; did you mean "WatchList"?'],
    ],
    [
      ['--feature-gates=WatchBookmark=false'],
      [
        'invalid argument for "--feature-gates" flag: cannot set feature gate WatchBookmark to false, feature is locked to true',
      ],
    ],
  ])('%j', (args, errors) => {
    expect(checkFlags(parseFlags(args))).toEqual(errors);
  });
});

/** The base flags of the recorded runs, from the program that recorded them. */
function baseFlags(): string[] {
  const source = readSharedText('conformance/against.mjs');
  const lists = [...source.matchAll(/const (?:api|manager)Flags = \(\) => \[([\s\S]*?)\];/g)].map(([, list]) => list);
  return [...lists.join(',').matchAll(/[`'](--.*?)[`']/g)].map(([, flag]) => flag ?? '');
}
describe.skipIf(!hasSharedData)('the recorded runs (needs ../shared)', () => {
  // The other runs use flags of features that the server lacks.
  const LATER = new Set(['cases-audit', 'cases-audit-webhook', 'cases-aggregation', 'cases-operations-off']);
  it('have only known flags, except for those of later releases', () => {
    expect(baseFlags().length).toBeGreaterThan(20);
    expect(checkFlags(parseFlags(['--dialect=k8s', ...baseFlags()]))).toEqual([]);
    for (const folder of readdirSync(sharedUrl('conformance')).filter(
      (name) => name.startsWith('cases-') && !LATER.has(name),
    )) {
      const lines = readSharedText(`conformance/${folder}/flags.txt`).split('\n');
      expect(checkFlags(parseFlags(lines.filter((line) => line.startsWith('--')))), folder).toEqual([]);
    }
  });

  const cases = readShared<{ title: string; flags: string[] }[]>('conformance/startup.json', []);
  const golden = readShared<Record<string, { message: string }>>('conformance/golden-startup.json', {});
  // The other runs require the content of files, or the rules of a configuration.
  const OF_FILES =
    /configuration file: |^(?:authorization configuration|authentication configuration: (?!with OIDC))|missing|^token file|^client CA|^ABAC: |^webhook:|^OIDC: an issuer without TLS/;
  it.each(cases.filter(({ title }) => !OF_FILES.test(title)))('refuse $title', ({ title, flags }) => {
    const nameOf = (flag: string) => flag.replace(/^!/, '').split('=')[0];
    const replaced = new Set(flags.map(nameOf));
    const args = [
      ...baseFlags().filter((flag) => !replaced.has(nameOf(flag))),
      ...flags.filter((flag) => !flag.startsWith('!')),
    ];
    const problems = () => checkFlags(parseFlags(['--dialect=k8s', ...args]));
    const said = (() => {
      try {
        const errors = problems();
        return errors.length === 1 ? errors[0] : `[${errors.join(', ')}]`;
      } catch (error) {
        return (error as Error).message;
      }
    })();
    expect(said).toContain(golden[title]?.message);
  });
});
