import { fieldTable } from '../../schema/field-table.js';
import { metaV1 } from '../../schema/meta-v1.js';
import type { ApiregistrationV1 } from './apiregistration-v1.types.js';

/** The structs of apiregistration/v1. */
export const apiregistrationV1 = /* @__PURE__ */ fieldTable<ApiregistrationV1>(
  'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1',
  { meta: metaV1 },
  `
APIServiceConditionType = string

APIService kind                A group version that is served.
  spec    2  APIServiceSpec    The group version, and the server that serves it.
  status  3  APIServiceStatus  Whether the server is available.

APIServiceSpec                                 A group version, and the server that serves it.
  service                1  ServiceReference*  The service of that server; absent if this server serves it.
  group                  2  string?            The group.
  version                3  string?            The version.
  insecureSkipTLSVerify  4  bool?              Whether the certificate of that server is not verified.
  caBundle               5  bytes atomic?      The CA certificates, PEM, that verify its certificate; default the system's.
  groupPriorityMinimum   7  int32!             The minimum priority of the group, up to 20000; the highest is listed first.
  versionPriority        8  int32!             The priority of the version in its group, up to 1000; the highest is listed first.

ServiceReference         A service.
  namespace  1  string?  The namespace of the service.
  name       2  string?  The name of the service.
  port       3  int32*   The port, 1 to 65535; default 443.

APIServiceStatus                                               Whether the server is available.
  conditions  1  []APIServiceCondition by(type)? merge key(type)  The conditions: Available.

APIServiceCondition                                A condition of the controller.
  type                1  APIServiceConditionType!  Type of the condition.
  status              2  meta.ConditionStatus!     True, False or Unknown.
  lastTransitionTime  3  Time                      When its status last changed.
  reason              4  string?                   The reason, in one word.
  message             5  string?                   The reason, for people.
`,
);
