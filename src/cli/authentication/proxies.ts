import { readOptionalTextFile } from '../files.js';
import { followedAuthorities } from './followed-authorities.js';
import { defineMethod } from './method.js';

const authentication = { group: 'Authentication' } as const;

/** Authenticates users by the request headers of front proxies, if a flag names the certificate authority of the proxies. */
export const proxies = defineMethod({
  flags: [
    {
      ...authentication,
      name: 'requestheader-client-ca-file',
      type: 'string',
      help: 'certificate authorities of authenticating proxies, PEM',
    },
    {
      ...authentication,
      name: 'requestheader-allowed-names',
      type: 'list',
      help: 'common names of authenticating proxies (default: any)',
    },
    { ...authentication, name: 'requestheader-username-headers', type: 'list', help: "headers with the user's name" },
    { ...authentication, name: 'requestheader-group-headers', type: 'list', help: 'headers with groups' },
    {
      ...authentication,
      name: 'requestheader-extra-headers-prefix',
      type: 'list',
      help: 'prefixes of headers with extra user attributes',
    },
  ],
  async read({ values }, { log }) {
    const path = values['requestheader-client-ca-file'];
    const clientCA = await readOptionalTextFile(path);
    if (clientCA === undefined) return {};
    const { requestHeader } = await import('../../authentication/request-header.js');
    const options = {
      allowedNames: values['requestheader-allowed-names'] ?? [],
      usernameHeaders: values['requestheader-username-headers'] ?? [],
      groupHeaders: values['requestheader-group-headers'] ?? [],
      extraHeaderPrefixes: values['requestheader-extra-headers-prefix'] ?? [],
    };
    const make = (each: string | (() => string)) => requestHeader({ ...options, clientCA: each });
    const { current, ...method } = followedAuthorities(path, clientCA, [], make, log);
    return { ...method, trust: () => ({ requestHeader: { ...options, clientCA: current() } }) };
  },
});
