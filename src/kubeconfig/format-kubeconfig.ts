import type { JsonValue } from '../json/value.js';
import type { Kubeconfig } from './kubeconfig.js';

/** Formats a kubeconfig as YAML. All strings are quoted. */
export function formatKubeconfig(kubeconfig: Kubeconfig): string {
  const { apiVersion, kind, clusters, users, contexts } = kubeconfig;
  const lines: string[] = [];
  // An interface has no index signature, although its members are plain JSON.
  const members = { apiVersion, kind, clusters, users, contexts, 'current-context': kubeconfig['current-context'] };
  for (const [name, value] of Object.entries(members)) pushMember(lines, '', name, value as unknown as JsonValue);
  return `${lines.join('\n')}\n`;
}

function pushMember(lines: string[], indent: string, name: string, value: JsonValue | undefined): void {
  if (value === undefined) return;
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) {
    lines.push(`${indent}${name}: ${quoted(value)}`);
    return;
  }
  lines.push(`${indent}${name}:`);
  if (!Array.isArray(value)) {
    for (const [key, member] of Object.entries(value)) pushMember(lines, `${indent}  `, key, member);
    return;
  }
  for (const item of value) {
    const first = lines.length;
    for (const [key, member] of Object.entries(item ?? {})) pushMember(lines, `${indent}  `, key, member as JsonValue);
    lines[first] = `${indent}- ${(lines[first] ?? '').trimStart()}`;
  }
}

/** JSON is also YAML, except for some characters that YAML requires to be escaped. */
function quoted(value: JsonValue): string {
  return JSON.stringify(value).replace(/[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
