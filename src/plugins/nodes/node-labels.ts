import type { Dialect } from '../../meta/dialect.js';

type Labels = Readonly<Record<string, string>> | undefined;

/** Returns the labels of reserved domains that a node changes and may not set on itself, sorted (spec 17.4). */
export function forbiddenNodeLabels(dialect: Dialect, next: Labels = {}, old: Labels = {}): string[] {
  const names = new Set([...Object.keys(next), ...Object.keys(old)]);
  return [...names].filter((name) => labelOf(next, name) !== labelOf(old, name) && !nodeMaySet(dialect, name)).sort();
}

const labelOf = (labels: Readonly<Record<string, string>>, name: string) =>
  Object.hasOwn(labels, name) ? labels[name] : undefined;

/** Returns the labels that describe the node itself, which it may set. */
const ownLabels = (domain: string): ReadonlySet<string> =>
  new Set([
    `${domain}/hostname`,
    `${domain}/os`,
    `${domain}/arch`,
    `topology.${domain}/zone`,
    `topology.${domain}/region`,
    `failure-domain.beta.${domain}/zone`,
    `failure-domain.beta.${domain}/region`,
    `node.${domain}/instance-type`,
    `beta.${domain}/instance-type`,
    `beta.${domain}/os`,
    `beta.${domain}/arch`,
  ]);

function nodeMaySet({ labelDomain, bareDomain, nodeAgent }: Dialect, name: string): boolean {
  const slash = name.indexOf('/');
  if (slash < 0) return true;
  const prefix = name.slice(0, slash);
  const within = (domain: string) => prefix === domain || prefix.endsWith(`.${domain}`);
  if (within(`node-restriction.${labelDomain}`)) return false;
  if (!within(labelDomain) && !within(bareDomain)) return true;
  return ownLabels(labelDomain).has(name) || within(`${nodeAgent}.${labelDomain}`) || within(`node.${labelDomain}`);
}
