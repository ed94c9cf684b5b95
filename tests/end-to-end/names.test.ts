import { describe, expect, it } from 'vitest';
import { everyAnswer } from './every-answer.js';

/*
 * The server uses only the names of its dialect (spec 19.23). All responses are searched for names of the other dialect. Allowed ones are
 * listed with the reason, and each listed one must occur.
 */
type Known = readonly (readonly [name: RegExp, why: string])[];

const UPSTREAM: Known = [
  [/\bkube-(?:system|public|node-lease)\b/g, 'namespaces have one name in both dialects'],
  [
    /\bkube-(?:scheduler|controller-manager|proxy|dns)\b/g,
    'other components, their users, roles, leases and flow schemas',
  ],
  [/\bsystem:kube-aggregator\b/g, 'users and roles have one name in both dialects'],
  [/\bio\.orch\.kube-aggregator\b/g, 'definitions change their domain only'],
  [/\bkube-aggregator\.orch\.io\/automanaged\b/g, 'labels change their domain only'],
  [/\bstart-kube-aggregator-informers\b/g, 'health checks have one name in both dialects'],
  [/\bkubelet(?:Version|ConfigKey|Endpoint)\b|\bkubeProxyVersion\b/g, 'names of fields'],
  [/\bKubernetesAPIApprovalPolicyConformant\b/g, 'a type of conditions'],
  [/\b\w*Kube(?:let|Proxy)\w*(?==|",stage|")/g, 'feature gates'],
  [/--kubernetes-service-node-port\b/g, 'flags are those of the reference'],
  [/\bkubectl\b/g, 'a client'],
  [/\b(?:admin\.)?kubeconfig\b/g, 'the format of files with credentials'],
  [/--dialect=k8s\b|\borch or k8s\b/g, 'the name of the other dialect'],
];
const OWN: Known = [
  [/\borch-apiserver\b/g, 'the program'],
  [/"(?:admin@)?orch"/g, 'what the entries of a kubeconfig are called'],
  [/\borch or k8s\b|default orch\b/g, 'the name of the other dialect'],
];

/** Returns unknown names: the request, and the text around each name. */
function unknownNames(answers: ReadonlyMap<string, string>, name: RegExp, known: Known): readonly string[] {
  const found = new Map<string, string>();
  for (const [question, answer] of answers) {
    const rest = known.reduce((text, [each]) => text.replace(each, '·'), answer);
    for (const match of rest.matchAll(name)) {
      const around = rest.slice(Math.max(0, match.index - 60), match.index + 60);
      if (!found.has(match[0])) found.set(match[0], `${question.slice(0, 120)}: …${around}…`);
    }
  }
  return [...found.values()];
}

describe.each([
  ['orch', /[\w./:-]*(?:kube|k8s)[\w./:-]*/gi, UPSTREAM],
  ['k8s', /[\w./:-]*orch(?!estra)[\w./:-]*/gi, OWN],
] as const)('every response of %s', (dialect, others, known) => {
  it('uses the names of its dialect', { timeout: 120_000 }, async () => {
    const answers = await everyAnswer(dialect);
    expect(unknownNames(answers, others, known)).toEqual([]);
    const texts = [...answers.values()];
    const unseen = known.filter(([name]) => !texts.some((text) => text.search(name) >= 0));
    expect(unseen).toEqual([]);
  });
});
