import { readdirSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hasSharedData, sharedUrl } from './support/shared-data.js';

/*
 * Lists which test reads which file of upstream's data (../shared/data), and which files no test reads, with the reason. A file that is
 * not listed here fails this test. A test that omits rows of a table names them itself.
 */
interface Reading {
  /** Test files that read it, below tests/. */
  readonly by?: readonly string[];
  /** What of it is not read, or why it is not read at all. */
  readonly without?: string;
}
const DATA: Readonly<Record<string, Reading>> = {
  'auth-oidc': {
    by: ['authentication/jwt/upstream-tokens.test.ts', 'authorization/webhook/upstream-configurations.test.ts'],
  },
  'auth-x509': {
    by: ['pki/certificate.test.ts', 'pki/verify-chain.test.ts', 'authentication/certificates/x509.test.ts'],
  },
  'authz-abac/authz-abac.json': { by: ['authorization/abac.test.ts'] },
  'authz-abac/example_policy_file.v0.jsonl': {
    without: 'an example; its rows are rows of authz-abac.json (TestAuthorizeV0)',
  },
  'authz-node': { by: ['plugins/nodes/node-authorizer.test.ts'] },
  'authz-rbac': {
    by: ['plugins/rbac/rbac-data.test.ts', 'plugins/default-roles/default-policy.test.ts'],
    without: 'removing extra permissions and subjects (a command of a client); TestPolicyRuleBuilder (a helper of Go)',
  },
  'csr-ctb': {
    by: [
      'resources/certificate-signing-request.test.ts',
      'resources/cluster-trust-bundle.test.ts',
      'plugins/certificates/certificate-signers.test.ts',
    ],
  },
  'etcd-layout': {
    by: ['resources/upstream.test.ts', 'server/storage-layout.test.ts', 'store/etcd/servers.test.ts'],
  },
  'jsonschema-draft4': {
    by: ['schema/draft4.test.ts'],
    without: 'references, lists of items, patterns of names: what structural schemas do not allow; the optional files',
  },
  'k8s-cel': {
    by: [
      'cel/cost/estimate.test.ts',
      'cel/schema/schema-type.test.ts',
      'cel/contexts/rules-data.test.ts',
      'cel/library-costs.test.ts',
      'cel/library-values.test.ts',
      'custom-resources/recorded-rules.test.ts',
      'cel/contexts/compilation-data.test.ts',
    ],
  },
  'k8s-discovery': { by: ['resources/upstream.test.ts'], without: 'the single documents: all-1.31.json has them all' },
  'k8s-openapi': {
    by: ['openapi/resource-operations.test.ts', 'openapi/schemas.test.ts', 'resources/pod-node-event-schemas.test.ts'],
  },
  'k8s-proto': { by: ['support/proto-messages.ts'] },
  'kubectl-cases': { without: 'kubectl itself runs against the recorded answers and in tests/kubectl' },
  patch: {
    by: ['patch/json-patch.test.ts', 'patch/merge-patch.test.ts', 'patch/strategic-merge-patch.test.ts'],
    without: 'json-merge-patch-3way.json and swagger-*.json: what a client computes before it sends a patch',
  },
  pem: { by: ['pki/pem.test.ts'] },
  'rbac-bootstrap/all-default-roles.json': { by: ['plugins/default-roles/bootstrap-data.test.ts'] },
  'rbac-bootstrap': {
    without: 'the YAML files are the same roles; bindings of 1.26 and derived ones: the record decides',
  },
  'roundtrip/release-1.31': {
    by: ['resources/round-trip.test.ts', 'serialization/protobuf.test.ts', 'resources/pod-node-event-schemas.test.ts'],
    without: 'kinds that are not served: apps, admission, flowcontrol, policy, and alpha and beta versions',
  },
  'serviceaccount-token': { by: ['plugins/service-accounts/service-account-token.test.ts'] },
  smd: {
    by: ['fields/smd-merge-cases.test.ts', 'fields/smd-typed-cases.test.ts', 'fields/smd-path-cases.test.ts'],
    without: 'testdata/*.yaml that no case names: inputs of benchmarks',
  },
  wycheproof: { by: ['tokens/wycheproof.test.ts'] },

  'k8s-tables/admission.json': {
    by: ['custom-resources/upstream-tables.test.ts'],
    without: 'rules, selectors and reviews: values of Go that the data does not resolve',
  },
  'k8s-tables/auth-bootstrap-token.json': { by: ['plugins/bootstrap-tokens/bootstrap-token.test.ts'] },
  'k8s-tables/auth-filters.json': {
    by: ['requests/upstream-tables.test.ts'],
    without:
      'TestAuthenticateRequestWithAud, TestAuthenticateMetrics, TestAuditAnnotation: metrics and audit; ' +
      'TestAuthenticateRequestClearHeaders: nothing is passed on to others; TestUnauthenticatedHTTP2ClientConnectionClose: ' +
      'counts connections; TestParseTimeout: the same as TestWithRequestDeadline; ' +
      'warnings, TestCacheControl: recorded answers',
  },
  'k8s-tables/auth-impersonation.json': { by: ['requests/upstream-tables.test.ts'] },
  'k8s-tables/auth-requestheader.json': { by: ['authentication/request-header.test.ts'] },
  'k8s-tables/auth-requestinfo.json': { by: ['requests/request-info.test.ts'] },
  'k8s-tables/auth-serviceaccount.json': { by: ['authentication/upstream-tables.test.ts'] },
  'k8s-tables/auth-token.json': {
    by: ['authentication/request-authenticator.test.ts', 'authentication/upstream-tables.test.ts'],
  },
  'k8s-tables/auth-webhook.json': {
    without:
      'servers and certificates of Go; tries, caches, conditions and answers: security/callers/webhooks.test.ts, recorded answers ' +
      'of both webhooks',
  },
  'k8s-tables/auth-x509.json': {
    by: ['authentication/certificates/x509.test.ts'],
    without:
      'TestX509: "server cert", "common name", "future cert", "expired cert" and their like need a root that is not in the ' +
      'data, "custom conversion" and "non-tls" are of Go; TestX509Verifier is the proxy’s (request-header.test.ts, ' +
      'callers/certificates.test.ts)',
  },
  'k8s-tables/authz-misc.json': {
    by: ['requests/upstream-tables.test.ts'],
    without:
      'TestNewAuthorizer: no paths are always allowed here; unions: authorization/authorizers.test.ts; can-i, whoami: kubectl',
  },
  'k8s-tables/client-go-restmapper.json': { without: 'a client’s' },
  'k8s-tables/crd.json': {
    by: ['custom-resources/upstream-tables.test.ts'],
    without: 'definitions and their costs: values of Go that the data does not resolve; recorded answers',
  },
  'k8s-tables/csr.json': {
    without: 'strategy of 1.16 (stale: csr-ctb has 1.31); kubectl certificate, client-go: a client’s',
  },
  'k8s-tables/kubectl-apply.json': { without: 'a client’s' },
  'k8s-tables/meta-conditions.json': { without: 'helpers of Go for lists of conditions' },
  'k8s-tables/meta-errors.json': { without: 'values of Go; the texts of errors are compared with recorded answers' },
  'k8s-tables/meta-fields.json': {
    by: ['selectors/field-selector.test.ts'],
    without: 'TestSplitTerm(s), TestTransform: inner steps',
  },
  'k8s-tables/meta-intstr.json': { without: 'encodings of Go; shares of an amount: of controllers that are not here' },
  'k8s-tables/meta-labels.json': {
    by: ['selectors/label-selector.test.ts', 'meta/object-meta-validation.test.ts'],
    without: 'lexer and look-ahead: inner steps; CBOR: off in 1.31; merging of labels, exact matches: helpers of Go',
  },
  'k8s-tables/meta-names.json': {
    by: ['meta/names.test.ts', 'meta/object-meta-validation.test.ts', 'resources/value-names.test.ts'],
    without:
      'names of variables: relaxed by a gate, compared with recorded answers; domains in full and trailing dashes: what nothing here has; ' +
      'TestPath, TestMakeFuncs, lists of errors: Go',
  },
  'k8s-tables/meta-options.json': {
    without: 'options are compared with recorded answers; queryparams, conversions: Go',
  },
  'k8s-tables/meta-quantity.json': {
    by: ['values/quantity.test.ts'],
    without: 'amounts inside of Go, protobuf of Go, CBOR',
  },
  'k8s-tables/meta-time.json': { by: ['values/time.test.ts'], without: 'comparisons and CBOR; YAML is read as JSON' },
  'k8s-tables/meta-version.json': {
    by: ['meta/query.test.ts'],
    without: 'versions of programs: nothing here reads them',
  },
  'k8s-tables/serial-cbor.json': { without: 'CBOR: an alpha feature after 1.31' },
  'k8s-tables/serial-json.json': {
    by: ['serialization/upstream-tables.test.ts'],
    without: 'TestDecode, TestEncode, TestInterpret: types of Go; splitting of YAML documents: a client’s',
  },
  'k8s-tables/serial-negotiation.json': {
    by: ['serialization/upstream-tables.test.ts'],
    without: 'server addresses by client network; compression; types of Go',
  },
  'k8s-tables/serial-protobuf.json': { without: 'types of Go; roundtrip has the bytes' },
  'k8s-tables/ssa-fieldmanager.json': { by: ['fields/fieldmanager-table.test.ts'] },
  'k8s-tables/storage-watch.json': {
    without: 'steps inside of the upstream’s storage; lists and watches are compared with recorded answers',
  },
  'x509-limbo': { by: ['pki/limbo.test.ts'] },
};

const folder = sharedUrl('data/');
const here = new URL('./', import.meta.url);
/** The files of a folder that are data. */
function filesBelow(path: string): string[] {
  return readdirSync(new URL(path, folder)).flatMap((name) => {
    const below = `${path}${name}`;
    if (statSync(new URL(below, folder)).isDirectory()) return filesBelow(`${below}/`);
    return /LICENSE|NOTICE|README|package\.json/.test(name) ? [] : [below];
  });
}
const entries = Object.entries(DATA);

describe.skipIf(!hasSharedData)("the upstream's data (skipped where the shared data is absent)", () => {
  it('is listed completely, and nothing else is', () => {
    const files = filesBelow('');
    const covers = (entry: string, file: string) => file === entry || file.startsWith(`${entry}/`);
    expect(files.filter((file) => !entries.some(([entry]) => covers(entry, file)))).toEqual([]);
    expect(entries.filter(([entry]) => !files.some((file) => covers(entry, file))).map(([entry]) => entry)).toEqual([]);
  });

  it.each(entries.flatMap(([entry, { by = [] }]) => by.map((test) => [entry, test] as const)))(
    '%s is read by %s',
    (entry, test) => {
      const name = (entry.split('/').at(-1) ?? '').replace(/\.json$/, '');
      // A test reads it by itself, or through a file that it imports.
      const path = new URL(test, here);
      const text = readFileSync(path, 'utf8');
      const imports = [...text.matchAll(/from '(\.[^']*)\.js'/g)].map(([, file]) => new URL(`${file}.ts`, path));
      const texts = imports.map((file) => readFileSync(file, 'utf8'));
      expect([text, ...texts].some((each) => each.includes(name))).toBe(true);
    },
  );
  it.each(entries.filter(([, { by }]) => !by))('%s is not read, for a reason', (_, { without }) =>
    expect(without).toMatch(/.{8}/),
  );
});

it('only one file knows the location of the data', () => {
  const files = (readdirSync(here, { recursive: true }) as string[]).filter((file) => file.endsWith('.ts'));
  const found = files.filter((file) => /['`][./]*\.\.\/shared\//.test(readFileSync(new URL(file, here), 'utf8')));
  expect(found).toEqual(['support/shared-data.ts']);
});
