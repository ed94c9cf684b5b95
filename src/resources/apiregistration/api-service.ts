import { type Clock, formatTime } from '../../meta/clock.js';
import { type FieldError, fieldError } from '../../meta/field-error.js';
import { dns1035Label, dns1123Subdomain, pathSegment } from '../../meta/names.js';
import { defineResource } from '../../registry/resource-definition.js';
import type { StrategyContext } from '../../registry/strategy.js';
import { decodeBase64 } from '../../values/base64.js';
import { quote } from '../../values/quote.js';
import { age, nameColumn } from '../shared/columns.js';
import { keepAllButStatus, keepStatus } from '../shared/workload.js';
import { apiregistrationV1 } from './apiregistration-v1.js';
import type { APIService } from './apiregistration-v1.types.js';

const MAX_GROUP_PRIORITY = 20_000;
const MAX_VERSION_PRIORITY = 1000;
const STATUSES = ['True', 'False', 'Unknown'];

/** Returns the validation errors of the spec, in upstream's order. */
function validate({ spec }: APIService, { host }: StrategyContext): FieldError[] {
  const { group = '', version = '', groupPriorityMinimum, versionPriority, service, caBundle = '' } = spec;
  const insecure = spec.insecureSkipTLSVerify === true;
  const errors: FieldError[] = [];
  const wrong = (path: string, value: unknown, why: string) =>
    void errors.push(fieldError.invalid(`spec.${path}`, value, why));
  if (group === '' && version !== 'v1')
    errors.push(
      fieldError.required(
        'spec.group',
        `only v1 may have an empty group and it better be legacy ${host.dialect.componentPrefix}`,
      ),
    );
  if (group !== '') for (const why of dns1123Subdomain(group)) wrong('group', group, why);
  for (const why of dns1035Label(version)) wrong('version', version, why);
  for (const [path, value, most] of [
    ['groupPriorityMinimum', groupPriorityMinimum, MAX_GROUP_PRIORITY],
    ['versionPriority', versionPriority, MAX_VERSION_PRIORITY],
  ] as const)
    if (value <= 0 || value > most) wrong(path, value, `must be positive and less than ${most}`);
  if (!service) {
    if (caBundle !== '')
      wrong('caBundle', `${decodeBase64(caBundle).length} bytes`, 'local APIServices may not have a caBundle');
    if (insecure) wrong('insecureSkipTLSVerify', true, 'local APIServices may not have insecureSkipTLSVerify');
    return errors;
  }
  const { namespace = '', name = '', port = 0 } = service;
  if (namespace === '') errors.push(fieldError.required('spec.service.namespace'));
  if (name === '') errors.push(fieldError.required('spec.service.name'));
  if (port < 1 || port > 65_535)
    wrong('service.port', port, 'port is not valid: must be between 1 and 65535, inclusive');
  if (insecure && caBundle !== '') wrong('insecureSkipTLSVerify', true, 'may not be true if caBundle is present');
  return errors;
}

const validateStatus = ({ status }: APIService): FieldError[] =>
  (status.conditions ?? []).flatMap(({ status: conditionStatus }, i) =>
    STATUSES.includes(conditionStatus)
      ? []
      : [fieldError.notSupported(`status.conditions[${i}].status`, conditionStatus, STATUSES)],
  );

/** apiregistration/v1 APIService: a group version, and the server that serves it (spec 24.1). */
export const apiService = defineResource({
  groupStem: 'apiregistration',
  version: 'v1',
  knownVersions: ['v1beta1'],
  kind: 'APIService',
  plural: 'apiservices',
  genericMetadata: true,
  metadataChecks: ['changes', 'whole'],
  categories: ['api-extensions'],
  scope: 'Cluster',
  allowUnconditionalUpdate: false,
  inJson: {},
  schema: apiregistrationV1.struct('APIService'),
  nameRule(name, _prefix, { spec }) {
    const problems = pathSegment(name);
    const expectedName = apiServiceName(spec);
    if (problems.length > 0 || name === expectedName) return problems;
    return [`must be \`spec.version+"."+spec.group\`: ${quote(expectedName)}`];
  },
  setDefaults({ spec: { service } }) {
    if (service && service.port === undefined) service.port = 443;
  },
  resetFields: ['status'],
  strategy: {
    prepareForCreate(draft, { host }) {
      draft.status = draft.spec.service ? {} : localStatus(host.clock);
    },
    prepareForUpdate: keepStatus,
    validate,
  },
  subresources: {
    status: {
      table: false,
      resetFields: ['spec', 'metadata'],
      strategy: {
        prepareForUpdate: keepAllButStatus,
        validateUpdate: validateStatus,
      },
    },
  },
  columns: [
    nameColumn,
    {
      name: 'Service',
      type: 'string',
      description: 'The service of the server that serves it.',
      cell: ({ spec: { service } }) => (service ? `${service.namespace}/${service.name}` : 'Local'),
    },
    {
      name: 'Available',
      type: 'string',
      description: 'Whether that server is available.',
      cell(object) {
        const { status = 'Unknown', reason = '' } = availabilityOf(object) ?? {};
        return status === 'True' || reason === '' ? status : `${status} (${reason})`;
      },
    },
    age,
  ],
});

/** Returns the name that an APIService must have. */
export const apiServiceName = ({ group = '', version = '' }: { readonly group?: string; readonly version?: string }) =>
  `${version}.${group}`;

export type ApiServiceCondition = NonNullable<APIService['status']['conditions']>[number];

/** The type of the condition that reports whether requests can be forwarded to the backend of an APIService. */
export const AVAILABLE = 'Available';

/** The condition Available, without its transition time, of a group version that this server serves itself. */
export const LOCAL = {
  type: AVAILABLE,
  status: 'True',
  reason: 'Local',
  message: 'Local APIServices are always available',
} as const;

/** Returns the status of an APIService that this server serves itself. */
export const localStatus = (clock: Clock) => {
  const { type, status, reason, message } = LOCAL;
  return { conditions: [{ type, status, lastTransitionTime: formatTime(clock.now()), reason, message }] };
};

/** Returns the condition Available; undefined until the backend has been checked. */
export const availabilityOf = ({ status }: Pick<APIService, 'status'>): ApiServiceCondition | undefined =>
  status.conditions?.find(({ type }) => type === AVAILABLE);

/** Whether requests may be forwarded to the backend. */
export const isAvailable = (service: Pick<APIService, 'status'>): boolean => availabilityOf(service)?.status === 'True';
