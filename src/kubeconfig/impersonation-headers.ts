import type { Impersonation } from './read-kubeconfig.js';

/** Returns the headers with which a request impersonates a user (spec 11.20). */
export function impersonationHeaders({ username, uid, groups, extra }: Impersonation) {
  const headers: Record<string, string> = {
    'Impersonate-User': username,
    ...(uid === undefined ? {} : { 'Impersonate-Uid': uid }),
  };
  const repeated: Record<string, readonly string[]> = groups.length === 0 ? {} : { 'Impersonate-Group': groups };
  for (const [name, values] of Object.entries(extra)) repeated[`Impersonate-Extra-${escapedName(name)}`] = values;
  return { headers, ...(Object.keys(repeated).length === 0 ? {} : { repeatedHeaders: repeated }) };
}

/** Escapes a string for use in a header name: the percent sign and all characters that header names may not contain are percent-encoded. */
const escapedName = (name: string) =>
  name.replace(/[^!#$&'*+\-.^_`|~0-9A-Za-z]/gu, (char) =>
    char === '(' ? '%28' : char === ')' ? '%29' : encodeURIComponent(char),
  );
