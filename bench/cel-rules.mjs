/** Rules of real CustomResourceDefinitions (Gateway API, Karpenter, cert-manager, Prometheus), each with an object that satisfies it. */
const listeners = [
  { name: 'http', port: 80, protocol: 'HTTP' },
  { name: 'https', port: 443, protocol: 'HTTPS', hostname: 'example.com', tls: { mode: 'Terminate', refs: ['a'] } },
  { name: 'tls', port: 8443, protocol: 'TLS', hostname: 'example.org', tls: { mode: 'Passthrough', refs: [] } },
];
const text = { type: 'string' };
const int = { type: 'integer' };
const listener = {
  name: text,
  port: int,
  protocol: text,
  hostname: text,
  tls: { type: 'object', fields: { mode: text, refs: { type: 'list', items: text } } },
};
const listenerList = { items: { type: 'list', items: { type: 'object', fields: listener } } };

export const RULES = [
  {
    name: 'replicas within bounds',
    fields: { replicas: int, minReplicas: int, maxReplicas: int },
    self: { replicas: 3, minReplicas: 1, maxReplicas: 5 },
    rule: 'self.minReplicas <= self.replicas && self.replicas <= self.maxReplicas',
  },
  {
    name: 'no tls for plain protocols',
    fields: listenerList,
    self: { items: listeners },
    rule: "self.items.all(l, l.protocol in ['HTTP', 'TCP', 'UDP'] ? !has(l.tls) : true)",
  },
  {
    name: 'tls mode must be set',
    fields: listenerList,
    self: { items: listeners },
    rule: "self.items.all(l, (l.protocol == 'HTTPS' && has(l.tls)) ? (l.tls.mode == '' || l.tls.mode == 'Terminate') : true)",
  },
  {
    name: 'names are unique',
    fields: listenerList,
    self: { items: listeners },
    rule: 'self.items.all(l1, self.items.exists_one(l2, l1.name == l2.name))',
  },
  {
    name: 'ports and protocols are unique',
    fields: listenerList,
    self: { items: listeners },
    rule: 'self.items.all(l1, self.items.exists_one(l2, l1.port == l2.port && l1.protocol == l2.protocol && (has(l1.hostname) && has(l2.hostname) ? l1.hostname == l2.hostname : !has(l1.hostname) && !has(l2.hostname))))',
  },
  {
    name: 'a filter has what its type says',
    fields: {
      type: text,
      requestHeaderModifier: { type: 'object', fields: { name: text } },
      urlRewrite: { type: 'object', fields: { name: text } },
    },
    self: { type: 'RequestHeaderModifier', requestHeaderModifier: { name: 'x' } },
    rule: "!(has(self.urlRewrite) && self.type != 'URLRewrite') && !(!has(self.requestHeaderModifier) && self.type == 'RequestHeaderModifier')",
  },
  {
    name: 'a path is absolute',
    fields: { type: text, value: text },
    self: { type: 'PathPrefix', value: '/api/v1/things' },
    rule: "self.type in ['Exact', 'PathPrefix'] ? self.value.startsWith('/') && !self.value.contains('//') && !self.value.endsWith('/..') : true",
  },
  {
    name: 'label domains are not restricted',
    fields: { requirements: { type: 'list', items: { type: 'object', fields: { key: text, operator: text } } } },
    self: {
      requirements: [
        { key: 'example.com/a', operator: 'In' },
        { key: 'example.com/b', operator: 'Exists' },
      ],
    },
    rule: "self.requirements.all(x, x.key.startsWith('example.com/') || !x.key.endsWith('k8s.io'))",
  },
  {
    name: 'one of three',
    fields: { a: text, b: text, c: text, size: int },
    self: { b: 'x', size: 4 },
    rule: '[has(self.a), has(self.b), has(self.c)].filter(x, x == true).size() == 1 && self.size * 2 > 7',
  },
  {
    name: 'quota adds up',
    fields: { limits: { type: 'list', items: int }, total: int },
    self: { limits: [1, 2, 3, 4, 5, 6, 7, 8], total: 40 },
    rule: 'self.limits.all(x, x > 0 && x <= self.total) && self.limits.filter(x, x % 2 == 0).map(x, x * 2).exists(x, x == 16)',
  },
];
