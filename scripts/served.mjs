// Writes docs/served.md, and the table of README.md between its marks, from the registry. With --check it only reports whether both are up
// to date. It bundles the sources itself, so no build is needed.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const COMMAND = 'npm run served';
const BEGIN = `<!-- made by ${COMMAND} -->`;
const END = '<!-- end -->';

const ENTRY = `
export { builtinResources } from './src/resources/index.js';
export { defaultControllers } from './src/controllers/default-controllers.js';
export { defaultAdmissionByName } from './src/plugins/default-admission.js';
export { optionalAdmission } from './src/plugins/optional-admission.js';
export * as authentication from './src/exports/authentication.js';
export * as authorization from './src/exports/authorization.js';
export { featureGates } from './src/meta/features/feature-gates.js';
export { dialectOf, groupOf } from './src/meta/dialect.js';
export { serveResource } from './src/registry/served/served-resource.js';
`;

/** Loads the parts of the library from which the page is written. */
async function loadLibrary() {
  const folder = mkdtempSync(join(tmpdir(), 'served-'));
  try {
    const outfile = join(folder, 'library.mjs');
    const stdin = { contents: ENTRY, resolveDir: root, loader: 'ts' };
    // The bundle is outside the checkout, where imports of packages would not be resolved, so it contains them.
    await build({ stdin, outfile, bundle: true, format: 'esm', platform: 'node', banner, logLevel: 'error' });
    return await import(pathToFileURL(outfile));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
const banner = { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" };

const code = (words) => words.map((word) => `\`${word}\``).join(' ');
const table = (head, rows) => [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

/** Returns the kinds by group, in the order of discovery. */
function kindsByGroup({ builtinResources, dialectOf, groupOf }) {
  const groups = new Map();
  for (const definition of builtinResources) {
    const stem = definition.groupStem ?? '';
    const [k8s, orch] = ['k8s', 'orch'].map((name) => groupOf(dialectOf(name), stem));
    const name = stem === '' ? 'core' : k8s === orch ? `\`${k8s}\`` : `\`${k8s}\`, \`${orch}\``;
    groups.set(name, [...(groups.get(name) ?? []), definition]);
  }
  return groups;
}

const isOff = ({ version, alpha, servedByDefault }) =>
  servedByDefault !== true && (alpha === true || /alpha|beta/.test(version));

/** Returns the table of the README: groups, versions and kinds. */
function summary(library) {
  const rows = [...kindsByGroup(library)].map(([group, definitions]) => {
    const onVersions = new Set(definitions.filter((each) => !isOff(each)).map(({ version }) => version));
    const versions = [...new Set(definitions.map(({ version }) => version))].map((version) =>
      onVersions.has(version) ? version : `*${version}*`,
    );
    // A kind is on if one of its versions is on.
    const on = new Set(definitions.filter((each) => !isOff(each)).map(({ kind }) => kind));
    const kinds = [...new Set(definitions.map(({ kind }) => (on.has(kind) ? kind : `*${kind}*`)))];
    return [group, versions.join(', '), kinds.join(', ')];
  });
  return table(['group (`k8s`, `orch`)', 'versions', 'kinds'], rows);
}

function page(library) {
  const { defaultControllers, defaultAdmissionByName, optionalAdmission, featureGates } = library;
  const { serveResource, dialectOf } = library;
  const functionsOf = (module) => Object.keys(module).filter((name) => typeof module[name] === 'function');
  const plugins = (module, helpers) => functionsOf(module).filter((name) => !helpers.includes(name));
  const kinds = [...kindsByGroup(library)].map(([group, definitions]) => {
    const rows = definitions.map((each) => {
      const { definition, verbs } = serveResource(each, dialectOf('k8s'));
      const subresources = Object.keys(definition.subresources ?? {});
      const scope = definition.scope === 'Cluster' ? 'cluster' : 'namespace';
      const served = isOff(definition) ? `${definition.version}, off` : definition.version;
      return [`${definition.kind} (\`${definition.plural}\`)`, served, scope, [...verbs].join(' '), code(subresources)];
    });
    return `### ${group}\n\n${table(['kind', 'version', 'scope', 'verbs', 'subresources'], rows)}\n`;
  });
  const controllers = defaultControllers.map(({ name, switchedBy = [], onRequest = false }) => [
    `\`${name}\``,
    switchedBy.length === 0 ? 'always runs' : code(switchedBy),
    onRequest ? 'no' : 'yes',
  ]);
  const gates = Object.entries(featureGates()).map(([name, on]) => [`\`${name}\``, on ? 'on' : 'off']);
  return `# What is served

\`${COMMAND}\` writes this page from the registry, and a test verifies that it is up to date. The kinds marked *off* are served only if
\`runtimeConfig\` (\`--runtime-config\`) enables them.

## Kinds

${kinds.join('\n')}
## Controllers

${table(['controller', 'names in `controllers.run` (`--controllers`)', 'runs by default'], controllers)}

## Admission plug-ins

In the order in which they run: ${code([...defaultAdmissionByName.keys()])}.

Off by default (\`--enable-admission-plugins\`; most are exported by \`orch-apiserver/admission\`): ${code([...optionalAdmission.keys()])}.

## Authenticators

\`orch-apiserver/authentication\` exports ${code(plugins(library.authentication, ['ConfigurationError', 'rejected', 'sameSecret', 'headersOf', 'skipped']))}. Tokens
of the server's own service accounts are always accepted.

## Authorizers

\`orch-apiserver/authorization\` exports ${code(plugins(library.authorization, []))}.

## Feature gates

${table(['gate', 'default'], gates)}
`;
}

const library = await loadLibrary();
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const [before, after] = [readme.indexOf(BEGIN), readme.indexOf(END)];
if (before < 0 || after < before) throw new Error(`README.md has no place for the table: ${BEGIN} … ${END}`);
const wanted = {
  'README.md': `${readme.slice(0, before)}${BEGIN}\n\n${summary(library)}\n\n${readme.slice(after)}`,
  'docs/served.md': page(library),
};
for (const [file, text] of Object.entries(wanted)) {
  const path = join(root, file);
  if (!process.argv.includes('--check')) writeFileSync(path, text);
  else if (readFileSync(path, 'utf8') !== text) {
    console.error(`${file} is not up to date: ${COMMAND}`);
    process.exitCode = 1;
  }
}
