import {
  anything,
  count,
  definitionOf,
  list,
  map,
  mapList,
  object,
  type Project,
  rules,
  shortText,
  text,
  texts,
} from './schemas.js';

const hostname = shortText(253, {
  pattern: '^(\\*\\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
});
export const gateway: Project = {
  project: 'Gateway API',
  kind: 'Gateway',
  version: 'v1',
  definition: {
    ...definitionOf({
      group: 'gateway.networking.k8s.io',
      kind: 'Gateway',
      plural: 'gateways',
      version: 'v1',
      shortNames: ['gtw'],
      columns: [{ name: 'Class', type: 'string', jsonPath: '.spec.gatewayClassName' }],
      spec: object(
        {
          gatewayClassName: shortText(253),
          listeners: mapList(
            object(
              {
                name: shortText(253),
                hostname,
                port: { ...count, minimum: 1, maximum: 65_535 },
                protocol: shortText(255),
                tls: object(
                  {
                    mode: { type: 'string', enum: ['Terminate', 'Passthrough'], default: 'Terminate' },
                    certificateRefs: list(object({ name: shortText(253) }, ['name']), { maxItems: 64 }),
                    options: { ...map, maxProperties: 16 },
                  },
                  [],
                  rules([
                    "self.mode == 'Terminate' ? size(self.certificateRefs) > 0 || size(self.options) > 0 : true",
                    'certificateRefs or options must be specified when mode is Terminate',
                  ]),
                ),
              },
              ['name', 'port', 'protocol'],
            ),
            ['name'],
            {
              minItems: 1,
              maxItems: 64,
              ...rules(
                [
                  "self.all(l, l.protocol in ['HTTP', 'TCP', 'UDP'] ? !has(l.tls) : true)",
                  "tls must not be specified for protocols ['HTTP', 'TCP', 'UDP']",
                ],
                [
                  "self.all(l, l.protocol in ['TCP', 'UDP']  ? (!has(l.hostname) || l.hostname == '') : true)",
                  "hostname must not be specified for protocols ['TCP', 'UDP']",
                ],
                [
                  'self.all(l1, self.exists_one(l2, l1.name == l2.name))',
                  'Listener name must be unique within the Gateway',
                ],
                [
                  'self.all(l1, self.exists_one(l2, l1.port == l2.port && l1.protocol == l2.protocol && (has(l1.hostname) && has(l2.hostname) ? l1.hostname == l2.hostname : !has(l1.hostname) && !has(l2.hostname))))',
                  'Combination of port, protocol and hostname must be unique for each listener',
                ],
              ),
            },
          ),
        },
        ['gatewayClassName', 'listeners'],
      ),
    }),
    metadata: {
      name: 'gateways.gateway.networking.k8s.io',
      annotations: { 'api-approved.kubernetes.io': 'https://example.com/approval' },
    } as { name: string },
  },
  valid: {
    metadata: { name: 'edge' },
    spec: {
      gatewayClassName: 'fast',
      listeners: [
        { name: 'http', port: 80, protocol: 'HTTP' },
        {
          name: 'tls',
          port: 443,
          protocol: 'HTTPS',
          hostname: '*.example.com',
          tls: { certificateRefs: [{ name: 'web' }] },
        },
      ],
    },
  },
  invalid: [
    [{ listeners: [] }, 'spec.listeners: Invalid value: 0: spec.listeners in body should have at least 1 items'],
    [
      { listeners: [{ name: 'a', port: 80, protocol: 'HTTP', tls: { certificateRefs: [{ name: 'x' }] } }] },
      "spec.listeners: Invalid value: \"array\": tls must not be specified for protocols ['HTTP', 'TCP', 'UDP']",
    ],
    [
      {
        listeners: [
          { name: 'a', port: 80, protocol: 'HTTP' },
          { name: 'b', port: 80, protocol: 'HTTP' },
        ],
      },
      'Combination of port, protocol and hostname must be unique for each listener',
    ],
    [
      { listeners: [{ name: 'a', port: 0, protocol: 'HTTP' }] },
      'spec.listeners[0].port: Invalid value: 0: spec.listeners[0].port in body should be greater than or equal to 1',
    ],
  ],
  explained: ['gateway.spec.listeners.port', 'integer'],
  row: ['edge', 'fast'],
};

export const istio: Project = {
  project: 'Istio',
  kind: 'VirtualService',
  version: 'v1beta1',
  definition: definitionOf({
    group: 'networking.istio.io',
    kind: 'VirtualService',
    plural: 'virtualservices',
    version: 'v1beta1',
    shortNames: ['vs'],
    required: [],
    status: anything,
    columns: [{ name: 'Hosts', type: 'string', jsonPath: '.spec.hosts' }],
    spec: object({
      hosts: texts,
      gateways: texts,
      http: list(
        object({
          name: text,
          match: list(
            object({
              uri: object({ exact: text, prefix: text, regex: text }, [], {
                oneOf: [
                  { not: { anyOf: [{ required: ['exact'] }, { required: ['prefix'] }, { required: ['regex'] }] } },
                  { required: ['exact'] },
                  { required: ['prefix'] },
                  { required: ['regex'] },
                ],
              }),
            }),
          ),
          route: list(
            object({ destination: object({ host: text, subset: text }, ['host']), weight: count }, ['destination']),
          ),
          timeout: {
            ...text,
            ...rules(["duration(self) >= duration('1ms')", 'must be a valid duration greater than 1ms']),
          },
        }),
      ),
    }),
  }),
  valid: {
    metadata: { name: 'shop' },
    spec: {
      hosts: ['shop'],
      http: [
        { match: [{ uri: { prefix: '/' } }], route: [{ destination: { host: 'shop' }, weight: 1 }], timeout: '2s' },
      ],
    },
  },
  invalid: [
    [
      { http: [{ match: [{ uri: { prefix: '/', exact: '/' } }] }] },
      '"spec.http[0].match[0].uri" must validate one and only one schema (oneOf). Found 2 valid alternatives',
    ],
    [
      { http: [{ timeout: '0s' }] },
      'spec.http[0].timeout: Invalid value: "string": must be a valid duration greater than 1ms',
    ],
  ],
  explained: ['virtualservice.spec.http.timeout', 'string'],
  row: ['shop', '["shop"]'],
};
