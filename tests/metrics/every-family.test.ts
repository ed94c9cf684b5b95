import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import type { MetricFamily } from '../../src/metrics/metrics.js';
import { sourceFiles, sourceRoot } from '../support/source-files.js';

/*
 * The metric families of release 1.31 that this server has, as upstream declares them, so that dashboards and alerts work: type,
 * stability, release of deprecation, labels, and the number and limits of the buckets of histograms.
 */

const declared = vi.hoisted(() => new Map<string, MetricFamily>());
vi.mock('../../src/metrics/families.js', async (original) => {
  const real = await original<typeof import('../../src/metrics/families.js')>();
  const noting =
    <A extends unknown[]>(make: (...parts: A) => MetricFamily) =>
    (...parts: A) => {
      const family = make(...parts);
      declared.set(family.name, family);
      return family;
    };
  return { ...real, counter: noting(real.counter), gauge: noting(real.gauge), histogram: noting(real.histogram) };
});

const FAMILIES = `
aggregator_unavailable_apiservice gauge ALPHA (name)
aggregator_unavailable_apiservice_total counter ALPHA (name reason)
apiserver_admission_controller_admission_duration_seconds histogram STABLE (name operation rejected type) 6: 0.005 to 2.5
apiserver_admission_match_condition_evaluation_errors_total counter ALPHA (kind name operation type)
apiserver_admission_match_condition_evaluation_seconds histogram ALPHA (kind name operation type) 6: 0.005 to 2.5
apiserver_admission_match_condition_exclusions_total counter ALPHA (kind name operation type)
apiserver_admission_step_admission_duration_seconds histogram STABLE (operation rejected type) 6: 0.005 to 2.5
apiserver_admission_webhook_admission_duration_seconds histogram STABLE (name operation rejected type) 8: 0.005 to 25
apiserver_admission_webhook_fail_open_count counter ALPHA (name type)
apiserver_admission_webhook_rejection_count counter ALPHA (error_type name operation rejection_code type)
apiserver_admission_webhook_request_total counter ALPHA (code name operation rejected type)
apiserver_audit_error_total counter ALPHA (plugin)
apiserver_audit_event_total counter ALPHA
apiserver_audit_level_total counter ALPHA (level)
apiserver_audit_requests_rejected_total counter ALPHA
apiserver_authentication_jwt_authenticator_latency_seconds histogram ALPHA (jwt_issuer_hash result) 12: 0.001 to 10
apiserver_authorization_decisions_total counter ALPHA (decision name type)
apiserver_authorization_match_condition_evaluation_errors_total counter ALPHA (name type)
apiserver_authorization_match_condition_evaluation_seconds histogram ALPHA (name type) 7: 0.001 to 0.25
apiserver_authorization_match_condition_exclusions_total counter ALPHA (name type)
apiserver_authorization_webhook_duration_seconds histogram ALPHA (name result) 11: 0.005 to 10
apiserver_authorization_webhook_evaluations_fail_open_total counter ALPHA (name result)
apiserver_authorization_webhook_evaluations_total counter ALPHA (name result)
apiserver_cel_compilation_duration_seconds histogram ALPHA 11: 0.005 to 10
apiserver_cel_evaluation_duration_seconds histogram ALPHA 11: 0.005 to 10
apiserver_certificates_registry_csr_honored_duration_total counter ALPHA (signerName)
apiserver_certificates_registry_csr_requested_duration_total counter ALPHA (signerName)
apiserver_client_certificate_expiration_seconds histogram ALPHA 14: 0 to 31104000
apiserver_conversion_webhook_duration_seconds histogram ALPHA (failure_type result) 15: 0.005 to 60
apiserver_conversion_webhook_request_total counter ALPHA (failure_type result)
apiserver_crd_conversion_webhook_duration_seconds histogram ALPHA (crd_name from_version succeeded to_version) 15: 0.001 to 16.384
apiserver_current_inflight_requests gauge STABLE (request_kind)
apiserver_current_inqueue_requests gauge ALPHA (request_kind)
apiserver_flowcontrol_current_executing_requests gauge BETA (flow_schema priority_level)
apiserver_flowcontrol_current_executing_seats gauge BETA (flow_schema priority_level)
apiserver_flowcontrol_current_inqueue_requests gauge BETA (flow_schema priority_level)
apiserver_flowcontrol_current_inqueue_seats gauge ALPHA (flow_schema priority_level)
apiserver_flowcontrol_current_limit_seats gauge ALPHA (priority_level)
apiserver_flowcontrol_current_r gauge ALPHA (priority_level)
apiserver_flowcontrol_demand_seats histogram ALPHA (priority_level) 12: 0.2 to 6
apiserver_flowcontrol_demand_seats_average gauge ALPHA (priority_level)
apiserver_flowcontrol_demand_seats_high_watermark gauge ALPHA (priority_level)
apiserver_flowcontrol_demand_seats_smoothed gauge ALPHA (priority_level)
apiserver_flowcontrol_demand_seats_stdev gauge ALPHA (priority_level)
apiserver_flowcontrol_dispatch_r gauge ALPHA (priority_level)
apiserver_flowcontrol_dispatched_requests_total counter BETA (flow_schema priority_level)
apiserver_flowcontrol_latest_s gauge ALPHA (priority_level)
apiserver_flowcontrol_lower_limit_seats gauge ALPHA (priority_level)
apiserver_flowcontrol_next_discounted_s_bounds gauge ALPHA (bound priority_level)
apiserver_flowcontrol_next_s_bounds gauge ALPHA (bound priority_level)
apiserver_flowcontrol_nominal_limit_seats gauge BETA (priority_level)
apiserver_flowcontrol_priority_level_request_utilization histogram ALPHA (phase priority_level) 10: 0 to 1
apiserver_flowcontrol_priority_level_seat_utilization histogram ALPHA (phase priority_level) 13: 0 to 1
apiserver_flowcontrol_read_vs_write_current_requests histogram ALPHA (phase request_kind) 15: 0 to 1
apiserver_flowcontrol_rejected_requests_total counter BETA (flow_schema priority_level reason)
apiserver_flowcontrol_request_concurrency_in_use gauge ALPHA 1.31 (flow_schema priority_level)
apiserver_flowcontrol_request_concurrency_limit gauge ALPHA 1.30 (priority_level)
apiserver_flowcontrol_request_dispatch_no_accommodation_total counter ALPHA (flow_schema priority_level)
apiserver_flowcontrol_request_execution_seconds histogram ALPHA (flow_schema priority_level type) 13: 0 to 30
apiserver_flowcontrol_request_queue_length_after_enqueue histogram ALPHA (flow_schema priority_level) 8: 0 to 1000
apiserver_flowcontrol_request_wait_duration_seconds histogram BETA (execute flow_schema priority_level) 13: 0 to 30
apiserver_flowcontrol_seat_fair_frac gauge ALPHA
apiserver_flowcontrol_target_seats gauge ALPHA (priority_level)
apiserver_flowcontrol_upper_limit_seats gauge ALPHA (priority_level)
apiserver_flowcontrol_watch_count_samples histogram ALPHA (flow_schema priority_level) 6: 0 to 10000
apiserver_flowcontrol_work_estimated_seats histogram ALPHA (flow_schema priority_level) 4: 1 to 10
apiserver_kube_aggregator_x509_insecure_sha1_total counter ALPHA
apiserver_kube_aggregator_x509_missing_san_total counter ALPHA
apiserver_longrunning_requests gauge STABLE (component group resource scope subresource verb version)
apiserver_request_aborts_total counter ALPHA (group resource scope subresource verb version)
apiserver_request_body_size_bytes histogram ALPHA (resource verb) 31: 50000 to 3050000
apiserver_request_filter_duration_seconds histogram ALPHA (filter) 13: 0.0001 to 30
apiserver_request_post_timeout_total counter ALPHA (source status)
apiserver_requested_deprecated_apis gauge STABLE (group removed_release resource subresource version)
apiserver_response_sizes histogram STABLE (component group resource scope subresource verb version) 7: 1000 to 1000000000
apiserver_selfrequest_total counter ALPHA (resource subresource verb)
apiserver_storage_objects gauge STABLE (resource)
apiserver_storage_transformation_duration_seconds histogram ALPHA (transformation_type transformer_prefix) 25: 0.000005 to 83.88608
apiserver_storage_transformation_operations_total counter ALPHA (status transformation_type transformer_prefix)
apiserver_tls_handshake_errors_total counter ALPHA
apiserver_validating_admission_policy_check_duration_seconds histogram BETA (enforcement_action error_type policy policy_binding) 5: 5e-7 to 1
apiserver_validating_admission_policy_check_total counter BETA (enforcement_action error_type policy policy_binding)
apiserver_watch_events_sizes histogram ALPHA (group kind version) 8: 1024 to 131072
apiserver_watch_events_total counter ALPHA (group kind version)
apiserver_webhooks_x509_insecure_sha1_total counter ALPHA
apiserver_webhooks_x509_missing_san_total counter ALPHA
authenticated_user_requests counter ALPHA (username)
authentication_attempts counter ALPHA (result)
authentication_duration_seconds histogram ALPHA (result) 15: 0.001 to 16.384
authentication_token_cache_active_fetch_count gauge ALPHA (status)
authentication_token_cache_fetch_total counter ALPHA (status)
authentication_token_cache_request_duration_seconds histogram ALPHA (status) 11: 0.005 to 10
authentication_token_cache_request_total counter ALPHA (status)
authorization_attempts_total counter ALPHA (result)
authorization_duration_seconds histogram ALPHA (result) 15: 0.001 to 16.384
cardinality_enforcement_unexpected_categorizations_total counter ALPHA
disabled_metrics_total counter BETA
field_validation_request_duration_seconds histogram ALPHA (field_validation) 21: 0.05 to 60
hidden_metrics_total counter BETA
kube_apiserver_clusterip_allocator_allocated_ips gauge ALPHA (cidr)
kube_apiserver_clusterip_allocator_allocation_errors_total counter ALPHA (cidr scope)
kube_apiserver_clusterip_allocator_allocation_total counter ALPHA (cidr scope)
kube_apiserver_clusterip_allocator_available_ips gauge ALPHA (cidr)
kube_apiserver_nodeport_allocator_allocated_ports gauge ALPHA
kube_apiserver_nodeport_allocator_allocation_errors_total counter ALPHA (scope)
kube_apiserver_nodeport_allocator_allocation_total counter ALPHA (scope)
kube_apiserver_nodeport_allocator_available_ports gauge ALPHA
kubernetes_build_info gauge ALPHA (build_date compiler git_commit git_tree_state git_version go_version major minor platform)
kubernetes_feature_enabled gauge BETA (name stage)
leader_election_master_status gauge ALPHA (name)
pod_security_errors_total counter ALPHA (fatal request_operation resource subresource)
pod_security_evaluations_total counter ALPHA (decision mode policy_level policy_version request_operation resource subresource)
pod_security_exemptions_total counter ALPHA (request_operation resource subresource)
registered_metrics_total counter BETA (deprecated_version stability_level)
serviceaccount_invalid_legacy_auto_token_uses_total counter ALPHA
serviceaccount_legacy_auto_token_uses_total counter ALPHA
serviceaccount_legacy_manual_token_uses_total counter ALPHA
serviceaccount_legacy_tokens_total counter ALPHA
serviceaccount_stale_tokens_total counter ALPHA
serviceaccount_valid_tokens_total counter ALPHA
workqueue_adds_total counter ALPHA (name)
workqueue_depth gauge ALPHA (name)
workqueue_longest_running_processor_seconds gauge ALPHA (name)
workqueue_queue_duration_seconds histogram ALPHA (name) 10: 1e-8 to 10
workqueue_retries_total counter ALPHA (name)
workqueue_unfinished_work_seconds gauge ALPHA (name)
workqueue_work_duration_seconds histogram ALPHA (name) 10: 1e-8 to 10
`;

it('families are declared as upstream lists them', { timeout: 60_000 }, async () => {
  // With a query, this is the source instead of the compiled file, where nothing can be replaced.
  for (const name of sourceFiles)
    if (/\/families\.js'/.test(readFileSync(join(sourceRoot, name), 'utf8')))
      await import(`${join(sourceRoot, name)}?source`);
  const found = [...declared.values()].map(({ name, type, stability, deprecatedIn, labels, buckets }) =>
    [
      name,
      type,
      stability,
      ...(deprecatedIn === undefined ? [] : [deprecatedIn]),
      ...(labels.length === 0 ? [] : [`(${[...labels].sort().join(' ')})`]),
      ...(buckets === undefined ? [] : [`${buckets.length}: ${buckets[0]} to ${buckets.at(-1)}`]),
    ].join(' '),
  );
  expect(found.sort()).toEqual(FAMILIES.trim().split('\n').sort());
});
