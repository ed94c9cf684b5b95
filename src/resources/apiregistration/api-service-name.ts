/** Returns the name that an APIService must have. */
export const apiServiceName = ({ group = '', version = '' }: { readonly group?: string; readonly version?: string }) =>
  `${version}.${group}`;
