import type { AdmissionPluginFactory } from '../../admission/admission-plugin.js';
import { reading } from '../../meta/clock.js';
import { WebhookClient, type WebhookClientOptions } from '../../outbound/webhook-client.js';
import { callWebhook } from './call.js';
import { type Invocation, WebhookSource } from './relevant-hooks.js';

/** Calls the webhooks of ValidatingWebhookConfigurations in parallel. The first refusal determines the response. */
export const validatingAdmissionWebhook =
  (options: WebhookClientOptions = {}): AdmissionPluginFactory =>
  (host) => {
    const source = new WebhookSource(host, 'validating');
    const client = new WebhookClient(host, options);
    return {
      name: 'ValidatingAdmissionWebhook',
      connects: true,
      handles: source.mayConcern,
      async validate(attributes) {
        attributes.throwIfGivenUp?.();
        const forms = attributes.forms();
        const relevant: Invocation[] = [];
        for (const candidate of source.candidates(attributes, forms)) {
          const invocation = await source.invocation(attributes, forms, candidate, relevant.length);
          if (invocation) relevant.push(invocation);
        }
        const refusals: unknown[] = [];
        const since = reading(host.clock);
        await Promise.all(
          relevant.map((invocation) =>
            callWebhook(host, client, invocation, attributes, { mutating: false }).catch((error: unknown) =>
              refusals.push(error),
            ),
          ),
        );
        attributes.waited?.(reading(host.clock) - since);
        if (refusals.length > 0) throw refusals[0];
      },
    };
  };
