import type { Impersonation } from './read-kubeconfig.js';

/** The headers by which a request impersonates (spec 11.20). */
export function impersonationHeaders({ username, uid, groups, extra }: Impersonation) {
  const headers = {
    ...(username === undefined ? {} : { 'Impersonate-User': username }),
    ...(uid === undefined ? {} : { 'Impersonate-Uid': uid }),
  };
  const repeated: Record<string, readonly string[]> = groups.length === 0 ? {} : { 'Impersonate-Group': groups };
  for (const [name, values] of Object.entries(extra)) repeated[`Impersonate-Extra-${escapedName(name)}`] = values;
  return { headers, ...(Object.keys(repeated).length === 0 ? {} : { repeatedHeaders: repeated }) };
}

/** A name as a header's may be: what may not be in one is percent-encoded, and the percent sign itself. */
const escapedName = (name: string) => name.replace(/[^!#$&'*+\-.^_`|~0-9A-Za-z]/gu, (char) => encodeURIComponent(char));
