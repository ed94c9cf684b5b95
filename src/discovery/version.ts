/** The Kubernetes release that the API follows (spec 1.10). */
export const RELEASE = { major: '1', minor: '31' } as const;

/** Returns the document of /version. All its values are strings. `buildVersion` is the version of this library. */
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
