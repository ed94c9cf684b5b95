import type { CliServer } from './cli-server.js';
import type { FlagValues } from './flags.js';

/** What the program says of a server that has started: its dialect, what is kept, who may do what, what is served. */
export function announcement(server: CliServer, values: FlagValues, program: string): string {
  const { dialect, save, 'authorization-mode': modes = [] } = values;
  const names =
    dialect === 'k8s'
      ? 'the names of kubernetes.io'
      : 'names of its own (orch.io): --dialect=k8s is for kubectl and its like';
  const lines = [
    `${program}, dialect ${dialect}: ${names}`,
    save === undefined
      ? 'Storage: memory, nothing is kept after the end; --save=FILE would write all objects to a file then'
      : `Storage: memory; all objects are written to ${save} at the end`,
    `Authorization: ${modes.length === 0 ? 'AlwaysAllow' : modes.join(', ')}`,
    'Serves:',
  ];
  for (const [groupVersion, plurals] of served(server)) lines.push(`  ${groupVersion}: ${plurals.sort().join(', ')}`);
  return `${lines.join('\n')}\n`;
}

function served(server: CliServer): ReadonlyMap<string, string[]> {
  const groupVersions = new Map<string, string[]>();
  for (const { apiVersion, gvr } of server.client().resources()) {
    const plurals = groupVersions.get(apiVersion) ?? [];
    groupVersions.set(apiVersion, plurals);
    plurals.push(gvr.resource);
  }
  return groupVersions;
}

/** A command that works with a kubeconfig: in `orch` kubectl knows paths, but no types. */
export function commandToTry(dialect: string, kubeconfig: string): string {
  const file = /^[\w./:@%+=,-]+$/.test(kubeconfig) ? kubeconfig : `'${kubeconfig.replaceAll("'", "'\\''")}'`;
  return `kubectl --kubeconfig ${file} ${dialect === 'k8s' ? 'get ns' : 'get --raw /api/v1/namespaces'}`;
}
