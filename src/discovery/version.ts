/** The release the API follows (spec 1.10). */
export const RELEASE = { major: '1', minor: '31' } as const;

/** What /version answers; all strings. `buildVersion` is the library's own. */
export function versionDocument(buildVersion: string) {
  return {
    ...RELEASE,
    gitVersion: `v${RELEASE.major}.${RELEASE.minor}.0+orch-apiserver.${buildVersion}`,
    gitCommit: '',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: '',
    compiler: 'tsc',
    platform: 'javascript',
  };
}
