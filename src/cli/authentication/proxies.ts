import { readOptionalTextFile } from '../files.js';
import { defineMethod } from './method.js';

const authentication = { group: 'Authentication' } as const;

/** Authenticating proxies, where their authority is named. */
export const proxies = defineMethod({
  flags: [
    {
      ...authentication,
      name: 'requestheader-client-ca-file',
      type: 'string',
      help: 'authorities of authenticating proxies, PEM',
    },
    {
      ...authentication,
      name: 'requestheader-allowed-names',
      type: 'list',
      help: 'common names of proxies; any unless given',
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
  async read({ values }) {
    const clientCA = await readOptionalTextFile(values['requestheader-client-ca-file']);
    if (clientCA === undefined) return {};
    const { requestHeader } = await import('../../authentication/request-header.js');
    const options = {
      clientCA,
      allowedNames: values['requestheader-allowed-names'] ?? [],
      usernameHeaders: values['requestheader-username-headers'] ?? [],
      groupHeaders: values['requestheader-group-headers'] ?? [],
      extraHeaderPrefixes: values['requestheader-extra-headers-prefix'] ?? [],
    };
    return { authentication: [requestHeader(options)], trust: { requestHeader: options } };
  },
});
