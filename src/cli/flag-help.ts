import { FLAGS, type FlagDefinition } from './flags.js';

const PLACEHOLDER: Readonly<Record<FlagDefinition['type'], string>> = {
  string: 'TEXT',
  boolean: '',
  integer: 'NUMBER',
  duration: 'DURATION',
  list: 'A,B',
  map: 'KEY=VALUE',
};

/** The text of `--help`: what the program does, and every flag under its heading. */
export function formatHelp(): string {
  const lines = ['orch-apiserver: a control-plane API server in one process.', '', 'Usage: orch-apiserver [flags]'];
  const flags: readonly FlagDefinition[] = FLAGS;
  const width = Math.max(...flags.map((flag) => formatName(flag).length));
  for (const group of new Set(flags.map((flag) => flag.group))) {
    lines.push('', `${group}:`);
    for (const flag of flags) {
      if (flag.group !== group) continue;
      const value = flag.default === undefined || flag.default === false ? '' : ` (default ${flag.default})`;
      lines.push(`  ${formatName(flag).padEnd(width)}  ${flag.help}${value}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

function formatName({ name, type, whole }: FlagDefinition): string {
  const placeholder = type === 'list' && whole ? 'TEXT' : PLACEHOLDER[type];
  return placeholder === '' ? `--${name}` : `--${name} ${placeholder}`;
}
