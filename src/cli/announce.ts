import { RELEASE } from '../discovery/version.js';
import type { CliServer } from './cli-server.js';
import type { FlagValues } from './flags.js';

/**
 * Returns the message that is printed after the start: the API dialect (`orch` or `k8s`), where objects are stored, how requests are
 * authorized, and how many resources are served.
 */
export function announcement(server: CliServer, values: FlagValues, program: string): string {
  const { dialect, 'authorization-mode': modes = [], 'authorization-config': file } = values;
  const resources = server.client().resources();
  const groupVersions = new Set(resources.map(({ apiVersion }) => apiVersion)).size;
  const lines = [
    `${program}, a Kubernetes API server, release ${RELEASE.major}.${RELEASE.minor}`,
    dialect === 'k8s'
      ? 'Dialect: k8s, the names of kubernetes.io, which kubectl and other clients know'
      : 'Dialect: orch, the default, with names of its own (orch.io); --dialect=k8s speaks those that kubectl and other clients know',
    storageLine(values),
    file
      ? `Authorization: as ${file} says`
      : modes.length === 0
        ? 'Authorization: AlwaysAllow, the default; --authorization-mode=Node,RBAC asks for roles'
        : `Authorization: ${modes.join(', ')}`,
    `Serves: ${count(resources.length, 'resource')} in ${count(groupVersions, 'group version')}`,
  ];
  return `${lines.join('\n')}\n`;
}

function storageLine({
  save,
  'data-dir': data,
  'data-durability': durability,
  'etcd-servers': members,
  'etcd-prefix': prefix,
}: FlagValues): string {
  const atEnd = save === undefined ? '' : `; all objects are written to ${save} at the end`;
  if (members !== undefined) return `Storage: etcd at ${members.join(', ')}, below ${prefix}${atEnd}`;
  if (data !== undefined) return `Storage: ${data}; what is stored there survives a crash of the ${durability}${atEnd}`;
  return save === undefined
    ? 'Storage: memory, nothing is kept after the end; --data-dir=DIR would keep everything in a folder'
    : `Storage: memory${atEnd}`;
}

/** Returns the message that names the administrator's kubeconfig and a command to try it. */
export function kubeconfigHint(dialect: string, kubeconfig: string, isPersistent: boolean): string {
  const whose = isPersistent ? '' : ', removed at the end; --write-kubeconfig=FILE keeps one';
  return `Kubeconfig: ${kubeconfig} (an administrator${whose})\nTry: ${commandToTry(dialect, kubeconfig)}\n`;
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

/** Quotes a word for a POSIX shell. */
export const quoteForShell = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** Returns a kubectl command to try. For the API dialect `orch`, whose kinds kubectl does not know, the command reads a raw path. */
function commandToTry(dialect: string, kubeconfig: string): string {
  const file = /^[\w./:@%+=,-]+$/.test(kubeconfig) ? kubeconfig : quoteForShell(kubeconfig);
  return `kubectl --kubeconfig ${file} ${dialect === 'k8s' ? 'get ns' : 'get --raw /api/v1/namespaces'}`;
}
