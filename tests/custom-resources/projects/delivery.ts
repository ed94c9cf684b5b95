import {
  anything,
  definitionOf,
  flag,
  intOrString,
  list,
  map,
  mapList,
  object,
  type Project,
  text,
  texts,
} from './schemas.js';

export const certManager: Project = {
  project: 'cert-manager',
  kind: 'Certificate',
  version: 'v1',
  definition: definitionOf({
    group: 'cert-manager.io',
    kind: 'Certificate',
    plural: 'certificates',
    version: 'v1',
    shortNames: ['cert', 'certs'],
    columns: [
      { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
      { name: 'Secret', type: 'string', jsonPath: '.spec.secretName' },
      { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    ],
    spec: object(
      {
        secretName: text,
        dnsNames: texts,
        duration: text,
        isCA: flag,
        issuerRef: object({ name: text, kind: text, group: text }, ['name']),
        privateKey: object({
          algorithm: { type: 'string', enum: ['RSA', 'ECDSA', 'Ed25519'] },
          size: { type: 'integer' },
          rotationPolicy: { type: 'string', enum: ['Never', 'Always'] },
        }),
        usages: list({ type: 'string', enum: ['signing', 'digital signature', 'server auth', 'client auth'] }),
        secretTemplate: object({ annotations: map, labels: map }),
      },
      ['issuerRef', 'secretName'],
    ),
  }),
  valid: {
    metadata: { name: 'web' },
    spec: {
      secretName: 'web-tls',
      dnsNames: ['example.com'],
      issuerRef: { name: 'ca' },
      privateKey: { algorithm: 'ECDSA', size: 256 },
    },
  },
  invalid: [
    [{ issuerRef: {} }, 'spec.issuerRef.name: Required value'],
    [
      { privateKey: { algorithm: 'DSA' } },
      'spec.privateKey.algorithm: Unsupported value: "DSA": supported values: "RSA", "ECDSA", "Ed25519"',
    ],
    [
      { dnsNames: 'example.com' },
      'spec.dnsNames: Invalid value: "string": spec.dnsNames in body must be of type array: "string"',
    ],
  ],
  explained: ['certificate.spec.privateKey.algorithm', 'string'],
  row: ['web', '', 'web-tls'],
};

export const prometheus: Project = {
  project: 'Prometheus operator',
  kind: 'ServiceMonitor',
  version: 'v1',
  definition: definitionOf({
    group: 'monitoring.coreos.com',
    kind: 'ServiceMonitor',
    plural: 'servicemonitors',
    version: 'v1',
    shortNames: ['smon'],
    spec: object(
      {
        jobLabel: text,
        endpoints: list(
          object({
            port: text,
            targetPort: intOrString,
            path: text,
            interval: {
              type: 'string',
              pattern: '^(0|(([0-9]+)y)?(([0-9]+)w)?(([0-9]+)d)?(([0-9]+)h)?(([0-9]+)m)?(([0-9]+)s)?(([0-9]+)ms)?)$',
            },
            scheme: { type: 'string', enum: ['http', 'https'] },
            relabelings: list(
              object({ action: { type: 'string', default: 'replace' }, regex: text, sourceLabels: texts }),
            ),
          }),
        ),
        selector: object({ matchLabels: map }, [], { 'x-kubernetes-map-type': 'atomic' }),
        sampleLimit: { type: 'integer', format: 'int64' },
      },
      ['endpoints', 'selector'],
    ),
  }),
  valid: {
    metadata: { name: 'web' },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      endpoints: [{ port: 'http', interval: '30s', relabelings: [{ regex: 'a' }] }],
    },
  },
  invalid: [
    [
      { endpoints: [{ interval: 'often' }] },
      'spec.endpoints[0].interval: Invalid value: "often": spec.endpoints[0].interval in body should match \'^(0|',
    ],
    [
      { endpoints: [{ targetPort: true }] },
      'spec.endpoints[0].targetPort in body must be of type integer,string: "boolean"',
    ],
    [{ endpoints: [{ targetPort: true }] }, '"spec.endpoints[0].targetPort" must validate at least one schema (anyOf)'],
  ],
  explained: ['servicemonitor.spec.endpoints.interval', 'string'],
  row: ['web'],
};

export const argo: Project = {
  project: 'Argo CD',
  kind: 'Application',
  version: 'v1alpha1',
  definition: definitionOf({
    group: 'argoproj.io',
    kind: 'Application',
    plural: 'applications',
    version: 'v1alpha1',
    shortNames: ['app', 'apps'],
    required: ['metadata', 'spec'],
    columns: [
      { name: 'Sync Status', type: 'string', jsonPath: '.status.sync.status' },
      { name: 'Project', type: 'string', jsonPath: '.spec.project', priority: 10 },
    ],
    status: object({ sync: object({ status: text, revision: text }, ['status']), health: object({ status: text }) }),
    spec: object(
      {
        project: text,
        destination: object({ server: text, name: text, namespace: text }),
        source: object(
          {
            repoURL: text,
            path: text,
            targetRevision: text,
            helm: object({ valuesObject: anything, parameters: list(object({ name: text, value: text })) }),
          },
          ['repoURL'],
        ),
        syncPolicy: object({ automated: object({ prune: flag, selfHeal: flag }), syncOptions: texts }),
        revisionHistoryLimit: { type: 'integer', format: 'int64' },
      },
      ['destination', 'project'],
    ),
  }),
  valid: {
    metadata: { name: 'shop' },
    spec: {
      project: 'default',
      destination: { namespace: 'shop' },
      source: { repoURL: 'https://example.com/shop.git', helm: { valuesObject: { deep: { er: [1, { a: null }] } } } },
    },
  },
  invalid: [
    [{ source: {} }, 'spec.source.repoURL: Required value'],
    [
      { syncPolicy: { automated: { prune: 'yes' } } },
      'spec.syncPolicy.automated.prune in body must be of type boolean: "string"',
    ],
  ],
  explained: ['application.spec.source.repoURL', 'string'],
  row: ['shop', ''],
};

export const tekton: Project = {
  project: 'Tekton',
  kind: 'Task',
  version: 'v1',
  definition: definitionOf({
    group: 'tekton.dev',
    kind: 'Task',
    plural: 'tasks',
    version: 'v1',
    required: [],
    status: anything,
    spec: object({
      params: list(
        object({ name: text, type: text, default: { 'x-kubernetes-preserve-unknown-fields': true } }, ['name']),
        { 'x-kubernetes-list-type': 'atomic' },
      ),
      steps: list(
        object(
          {
            name: text,
            image: text,
            script: text,
            env: mapList(object({ name: text, value: text }, ['name']), ['name']),
          },
          ['name'],
        ),
        { 'x-kubernetes-list-type': 'atomic' },
      ),
      workspaces: list(object({ name: text, optional: flag }, ['name'])),
    }),
  }),
  valid: {
    metadata: { name: 'build' },
    spec: {
      params: [{ name: 'tag', default: ['a', 1] }],
      steps: [{ name: 'make', image: 'make', env: [{ name: 'A', value: 'b' }] }],
    },
  },
  invalid: [
    [{ steps: [{ image: 'x' }] }, 'spec.steps[0].name: Required value'],
    [
      { steps: [{ name: 'a', env: [{ name: 'A' }, { name: 'A' }] }] },
      'spec.steps[0].env[1]: Duplicate value: map[string]interface {}{"name":"A"}',
    ],
  ],
  explained: ['task.spec.steps.script', 'string'],
  row: ['build'],
};
