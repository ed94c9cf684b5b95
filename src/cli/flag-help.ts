import { FLAGS, type FlagDefinition } from './flags.js';

const PLACEHOLDER: Readonly<Record<FlagDefinition['type'], string>> = {
  string: 'TEXT',
  boolean: '',
  version: '',
  integer: 'NUMBER',
  level: 'NUMBER',
  number: 'NUMBER',
  duration: 'DURATION',
  list: 'A,B',
  map: 'KEY=VALUE',
};

/** The names that a server accepts in `--feature-gates`, `--enable-admission-plugins` and `--controllers`. */
export interface FlagChoices {
  readonly featureGates: readonly string[];
  readonly admissionPlugins: readonly string[];
  readonly controllers: readonly string[];
}

const EXAMPLES = [
  ["serve kubectl, and write an administrator's kubeconfig", '--dialect=k8s --write-kubeconfig=admin.kubeconfig'],
  ['store all objects in a folder', '--data-dir=data'],
  ['authorize by roles, and authenticate static tokens', '--authorization-mode=RBAC --token-auth-file=tokens.csv'],
  ['use a free port, and enable a feature', '--secure-port=0 --feature-gates=WatchList=true'],
] as const;

/** Returns the text of `--help`: what the program does, examples, all flags by group, and the names that some flags accept. */
export function formatHelp(choices: FlagChoices): string {
  const lines = [
    'orch-apiserver: a control-plane API server in one process.',
    '',
    'Usage: orch-apiserver [flags]',
    '       orch-apiserver storage check|compact|export|import DIR (storage --help)',
    "       orch-apiserver envtest DIR [flags]: programs for controller-runtime's envtest (envtest --help)",
  ];
  lines.push('', 'Examples:', ...EXAMPLES.flatMap(([why, flags]) => [`  # ${why}`, `  orch-apiserver ${flags}`]));
  const flags: readonly FlagDefinition[] = FLAGS;
  const width = Math.max(...flags.map((flag) => formatName(flag).length));
  for (const group of new Set(flags.map((flag) => flag.group))) {
    lines.push('', `${group}:`);
    for (const flag of flags) {
      if (flag.group !== group) continue;
      const hasDefault = flag.default !== undefined && flag.default !== false && flag.default !== '';
      const value = hasDefault ? ` (default ${flag.default})` : '';
      lines.push(`  ${formatName(flag).padEnd(width)}  ${flag.help}${value}`);
    }
  }
  lines.push(
    '',
    'Names:',
    ...namesOf('feature gates and their defaults', choices.featureGates),
    ...namesOf('keys of --runtime-config', [
      'api/all',
      'api/ga',
      'api/beta',
      'api/alpha',
      'GROUP/VERSION',
      'GROUP/VERSION/RESOURCE',
    ]),
    ...namesOf('admission plug-ins', choices.admissionPlugins),
    ...namesOf('controllers', choices.controllers),
  );
  return `${lines.join('\n')}\n`;
}

/** Formats names as `  what: a, b`, in lines of about 120 characters. */
function namesOf(what: string, names: readonly string[]): string[] {
  const lines = [`  ${what}:`];
  let line = '   ';
  for (const name of names) {
    if (line.length + name.length > 118) {
      lines.push(line);
      line = '   ';
    }
    line += ` ${name}`;
  }
  return [...lines, line];
}

function formatName({ name, type, whole }: FlagDefinition): string {
  const placeholder = type === 'list' && whole ? 'TEXT' : PLACEHOLDER[type];
  return placeholder === '' ? `--${name}` : `--${name} ${placeholder}`;
}
