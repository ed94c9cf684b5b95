import {
  always,
  bytes,
  listMap,
  type OutputOf,
  omitEmpty,
  omitNull,
  required,
  struct,
} from '../../schema/authoring.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import { count, flag, text } from '../fragments/core-struct.js';
import { byType, workloadCondition } from '../fragments/workload.js';

const named = (name: string) => `io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.${name}`;

const serviceReference = struct(named('ServiceReference'), 'A service.', () => ({
  namespace: omitEmpty(text, 1, 'The namespace of the service.'),
  name: omitEmpty(text, 2, 'The name of the service.'),
  port: omitNull(count, 3, 'The port, 1 to 65535; default 443.'),
}));

const specSchema = struct(named('APIServiceSpec'), 'A group version, and the server that has it.', () => ({
  service: omitNull(serviceReference, 1, 'The service of that server; absent: this server has it.'),
  group: omitEmpty(text, 2, 'The group.'),
  version: omitEmpty(text, 3, 'The version.'),
  insecureSkipTLSVerify: omitEmpty(flag, 4, 'Whether the certificate of that server is not checked.'),
  caBundle: omitEmpty(
    bytes({ listType: 'atomic' }),
    5,
    "The authorities, PEM, that its certificate may be of; default the system's.",
  ),
  groupPriorityMinimum: required(count, 7, 'The least priority of the group, up to 20000: the highest comes first.'),
  versionPriority: required(count, 8, 'The priority of the version in its group, up to 1000: the highest comes first.'),
}));

const statusSchema = struct(named('APIServiceStatus'), 'Whether it can be reached.', () => ({
  conditions: omitEmpty(
    listMap(workloadCondition(named('APIServiceCondition')), ['type']),
    1,
    'The conditions: Available.',
    byType,
  ),
}));

export const apiServiceSchema = topLevel(named('APIService'), 'A group version that is served.', () => ({
  spec: always(specSchema, 2, 'The group version, and the server that has it.'),
  status: always(statusSchema, 3, 'Whether it can be reached.'),
}));
export type ApiService = OutputOf<typeof apiServiceSchema>;
export type ApiServiceCondition = NonNullable<ApiService['status']['conditions']>[number];
