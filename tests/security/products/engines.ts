import { type Client, type Product, range } from './measure.js';

/*
 * Expressions and regular expressions reach the server in several ways. The same attacks go through each of them: nested loops over the
 * input, and a pattern of many steps with a long text.
 */
const ADMISSION = '/apis/admissionregistration.k8s.io/v1';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const configMapRules = [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['*'] }];

/** How an expression about a map of texts or about one text reaches the engine, and what is sent to it then. */
interface Way {
  readonly name: string;
  /** What the map and the text are called in expressions. */
  readonly map: string;
  readonly text: string;
  /** The most expressions, and pairs of entries, that it takes; and the answer to a request with so many. */
  readonly most: readonly [number, number];
  readonly answer: number;
  /** The answer to a text that matches no pattern. */
  readonly unmatched: number;
  install(client: Client, expressions: readonly string[]): Promise<void>;
  request(client: Client, map: Readonly<Record<string, string>>): { method: string; path: string; body: object };
}

const configMap = (_: Client, data: Readonly<Record<string, string>>) => ({
  method: 'POST',
  path: CONFIG_MAPS,
  body: { metadata: { name: 'c' }, data },
});

const WAYS: readonly Way[] = [
  {
    name: 'rules of a definition',
    map: 'self',
    text: "self['text']",
    most: [100, 40_000],
    answer: 422,
    unmatched: 201,
    install: (client, expressions) =>
      client.define({
        type: 'object',
        maxProperties: 200,
        additionalProperties: { type: 'string', maxLength: 10 },
        'x-kubernetes-validations': expressions.map((rule) => ({ rule })),
      }),
    request: (client, spec) => ({
      method: 'POST',
      path: client.instances,
      body: { apiVersion: 'x.io/v1', kind: 'W', metadata: { name: 'w' }, spec },
    }),
  },
  {
    name: 'validations of a policy',
    map: 'object.data',
    text: 'object.data.text',
    most: [30, 4_000_000],
    answer: 422,
    unmatched: 422,
    async install(client, expressions) {
      const validations = expressions.map((expression) => ({ expression }));
      await client.create(`${ADMISSION}/validatingadmissionpolicies`, {
        metadata: { name: 'p' },
        spec: { matchConstraints: { resourceRules: configMapRules }, validations },
      });
      await client.create(`${ADMISSION}/validatingadmissionpolicybindings`, {
        metadata: { name: 'p' },
        spec: { policyName: 'p', validationActions: ['Deny'] },
      });
    },
    request: configMap,
  },
  {
    name: 'match conditions of a webhook',
    map: 'object.data',
    text: 'object.data.text',
    most: [30, 4_000_000],
    answer: 403,
    unmatched: 201,
    async install(client, expressions) {
      // The last condition is false, so that the webhook is not called.
      const matchConditions = [...expressions, 'false'].map((expression, i) => ({ name: `c${i}`, expression }));
      await client.create(`${ADMISSION}/validatingwebhookconfigurations`, {
        metadata: { name: 'w' },
        webhooks: [
          {
            name: 'w.x.io',
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
            clientConfig: { url: 'https://127.0.0.1:1/x' },
            rules: configMapRules,
            matchConditions,
          },
        ],
      });
    },
    request: configMap,
  },
];

const entries = (n: number) => Object.fromEntries(range(n, (i) => [`k${i}`, 'x']));

/** Loops over pairs of `b` entries: the number of pairs doubles, where `b` grows by the square root of two. */
const loops = ({ name, map, most, answer, install, request }: Way): Product => ({
  name: `${name} x pairs of entries that each of them goes through`,
  small: [2, 2000],
  largest: most,
  bounds: 'the cost of an expression, and of all of one object',
  status: answer,
  async prepare(client, a, b) {
    await install(
      client,
      range(a, (i) => `${map}.all(k, ${map}.all(l, k != "${i}" || l != ""))`),
    );
    return request(client, entries(Math.floor(Math.sqrt(b))));
  },
});

const patterns = ({ name, text, unmatched, install, request }: Way): Product => ({
  name: `steps of a pattern of ${name} x characters`,
  small: [100, 500],
  largest: [4000, 900_000],
  bounds: 'the cost of a match, which grows with both',
  status: unmatched,
  async prepare(client, a, b) {
    await install(client, [`!${text}.matches("^([a-d]|x){${Math.min(a / 4, 1000)}}$")`]);
    return request(client, { text: 'abcd'.repeat(b / 4) });
  },
});

export const products: readonly Product[] = WAYS.flatMap((way) =>
  // Texts of a definition's map are short, or its rules would be refused as too dear.
  way.map === 'self' ? [loops(way)] : [loops(way), patterns(way)],
);
