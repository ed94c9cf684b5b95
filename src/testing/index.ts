/**
 * `orch-apiserver/testing`: a clock, random values, faults and logins that tests control, and a log of requests. It works with any test
 * runner. A server for each test is in `/testing/servers`; the contract suites and fixtures for vitest are in `/testing/vitest`.
 */

export { describeDifferences } from '../client/differences.js';
export type { CacheChange, ControllerCache } from '../controllers/controller-cache.js';
export type {
  ControllerScheduler,
  QueuedKey,
  Reconcile,
  ScheduledControllers,
} from '../controllers/controller-scheduler.js';
export type { WriteObserver } from '../registry/request-context.js';
export type { InterceptedRequest, Interceptor, Interference, RequestOutcome } from '../requests/interception.js';
export type {
  ObservedRequest,
  RequestDocument,
  RequestNotes,
  RequestObserver,
  ServerObserver,
} from '../requests/request-observer.js';
export { NotSettledError, type NotSettledReason } from '../server/settle.js';
export { advance } from './advance.js';
export { type Differences, type DiffOptions, diff, type ObjectDifference } from './diff.js';
export {
  nothingForbidden,
  notReceived,
  type ReceivedOptions,
  type Requests,
  received,
} from './evidence/assertions.js';
export { type HotLoopOptions, noHotLoop } from './evidence/hot-loop.js';
export {
  type MinimalRoles,
  type MinimalRolesOptions,
  minimalRoles,
  type RoleManifest,
} from './evidence/minimal-roles.js';
export type { RecordedMatcher } from './evidence/recorded-matcher.js';
export type {
  RecordedAdmission,
  RecordedChange,
  RecordedDecision,
  RecordedRequest,
  RecordedWatch,
} from './evidence/recorded-request.js';
export { type AnswerDifference, type Replayed, type ReplayOptions, replay } from './evidence/replay.js';
export { type RecordRequestsOptions, RequestLog, recordRequests } from './evidence/request-log.js';
export { noWriteOnStaleRead } from './evidence/stale-write.js';
export { createFakeClock, type FakeClock } from './fake-clock.js';
export { createFakeHost, type FakeHost, type FakeHostOptions } from './fake-host.js';
export { createFakeRandom, type FakeRandom } from './fake-random.js';
export type { FaultBuilder } from './faults/fault-builder.js';
export type {
  FaultAction,
  FaultOptions,
  FaultSpec,
  FaultStatus,
  RequestMatcher,
  TextMatcher,
  WatchEnd,
} from './faults/fault-spec.js';
export { type Faults, type InjectFaultsOptions, injectFaults } from './faults/faults.js';
export type { RequestTarget } from './faults/request-target.js';
export type { Fault } from './faults/rule.js';
export {
  type InsecureDeterministicOptions,
  type InsecureDeterministicServer,
  insecureDeterministic,
  insecureDeterministicSignatures,
} from './insecure-deterministic.js';
export { createIssuer, type IssuedClaims, type Issuer, type IssuerOptions, listenAsIssuer } from './issuer.js';
export type { ControllerHold, ControllerStep } from './order/controller-order.js';
export { type ExploreOrdersOptions, exploreOrders } from './order/explore-orders.js';
export {
  type ControllerOrder,
  type ControlOrderOptions,
  controlOrder,
  type Order,
  type WatchOrder,
} from './order/order.js';
export type { OrderRule, WatchHold } from './order/watch-order.js';
export type { WaitingEvent, WatcherTarget, WatchMatcher } from './order/watcher.js';
export {
  type AssertDeterministicOptions,
  assertDeterministic,
  NotDeterministicError,
  type Replay,
  type ReplayedWorkload,
} from './replays/assert-deterministic.js';
export type { ReplayDifference } from './replays/first-difference.js';
export { type WaitForOptions, waitFor, waitForDeletion } from './wait-for.js';
