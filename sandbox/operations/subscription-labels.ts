import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { listPage } from '../core/lists';
import { invalidFields } from '../core/refusals';
import { findSubscription } from '../rules/subscription-states';
import type { Subscription } from '../state/records';

const labelsOf = ({ subscription_id, labels }: Subscription) =>
  labels.map((label) => ({ source: 'SUBSCRIPTION', source_id: subscription_id, ...label }));

const named = (name: string | undefined): string => {
  if (!name) throw invalidFields({ name: 'is required' });
  return name;
};

function findLabel({ labels }: Subscription, name: string) {
  const label = labels.find((one) => one.name === name);
  if (!label) throw invalidFields({ name: 'is no label of the subscription' });
  return label;
}

export const subscriptionLabelsBrowse: Handler<'subscriptionLabelsBrowse'> = (call) => {
  const labels = labelsOf(findSubscription(call.environment, call.path.subscription_id, undefined));
  const page = listPage(labels, call.query, { fields: call.recordFields, order_on: 'name', order_by: 'asc' });
  return { code: 0, message: 'Success', ...page };
};

/** Adds a label whose name the subscription doesn't have yet. */
export const subscriptionLabelsAdd: Handler<'subscriptionLabelsAdd'> = ({ environment, path, body }) => {
  const subscription = findSubscription(environment, path.subscription_id, undefined);
  const name = named(body.name);
  if (subscription.labels.some((one) => one.name === name))
    throw invalidFields({ name: 'is a label of the subscription already' });
  subscription.labels.push({ name, value: body.value ?? '' });
  return success(labelsOf(subscription));
};

export const subscriptionLabelsEdit: Handler<'subscriptionLabelsEdit'> = ({ environment, path, body }) => {
  const subscription = findSubscription(environment, path.subscription_id, undefined);
  findLabel(subscription, named(body.name)).value = body.value ?? '';
  return success(labelsOf(subscription));
};

/** Removes a label. A submitted value must equal the label's value. */
export const subscriptionLabelsDelete: Handler<'subscriptionLabelsDelete'> = ({ environment, path, body }) => {
  const subscription = findSubscription(environment, path.subscription_id, undefined);
  const label = findLabel(subscription, named(body.name));
  if (body.value !== undefined && body.value !== label.value)
    throw invalidFields({ value: 'is not what the label says' });
  subscription.labels = subscription.labels.filter((one) => one !== label);
  return success({});
};
