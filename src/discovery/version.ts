import { quote } from '../values/quote.js';
import { VERSION } from '../version.js';

/** The Kubernetes release that the API follows (spec 1.10). */
export const RELEASE = { major: '1', minor: '31' } as const;

const PATCH_RELEASE = `${RELEASE.major}.${RELEASE.minor}.0`;
const gitVersionOf = (buildVersion: string) => `v${PATCH_RELEASE}+orch-apiserver.${buildVersion}`;

/**
 * Returns the document of /version. All its values are strings.
 * @param buildVersion the version of this library
 * @param gitVersion the reported version. Default: one that names this library and its version.
 */
export function versionDocument(buildVersion: string, gitVersion: string = gitVersionOf(buildVersion)) {
  return {
    ...RELEASE,
    gitVersion,
    gitCommit: '',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: '',
    compiler: 'tsc',
    platform: 'javascript',
  };
}

/** Returns why a server cannot report a version, or undefined if it can: a semantic version of the release that the API follows. */
export function problemOfVersion(version: string): string | undefined {
  const [, release] = /^v?(\d+\.\d+\.\d+)(?:-[\dA-Za-z.-]+)?(?:\+[\dA-Za-z.-]+)?$/.exec(version) ?? [];
  if (release === undefined) return `could not parse ${quote(version)} as version`;
  if (release === PATCH_RELEASE) return undefined;
  return `version ${quote(version)} must match major/minor/patch of default version ${quote(gitVersionOf(VERSION))}`;
}
