import { locator } from '../../fields/kinds/locator';
import { text } from '../../fields/kinds/text';
import type { Field } from '../../fields/types';
import type { Given, RecordOf, ValuesOf } from '../../model/operation';
import { asText } from '../../shared/objects';
import { SubscriptionLabelRequest } from '../../wire/schemas';

const { name, value } = SubscriptionLabelRequest;

export const newLabel = (): Field =>
  text({
    ...name,
    parameter: 'own_label_name',
    record: 'name',
    label: 'Label Name',
    isName: true,
    notIdentifying: false,
    description: 'Name of the label, e.g. salesperson or route',
    placeholder: 'e.g. route',
    required: true,
  });

export const subscriptionLabel = (does: string): Field =>
  locator({
    ...name,
    parameter: 'label_name',
    record: 'name',
    label: 'Subscription Label',
    description: `Label to ${does}. Select the subscription first, then choose from the labels of that subscription, or enter the name.`,
    search: 'searchLabels',
    placeholder: 'e.g. route',
    required: true,
  });

export const labelValue = (description: string, required = false): Field =>
  text({
    ...value,
    parameter: 'label_value',
    record: 'value',
    label: 'Value',
    notIdentifying: false,
    description,
    placeholder: 'e.g. Tuesday north',
    required,
  });

type Label = Given<RecordOf<'subscriptionLabelsAdd'>>;
type Labeling = ValuesOf<'subscriptionLabelsAdd' | 'subscriptionLabelsEdit'>;

/** The service may respond with all labels of the subscription. */
export const findWrittenLabel = (labels: Label[], { body }: Labeling): Label =>
  labels.find((label) => asText(label.name) === asText(body.name) && asText(label.value) === asText(body.value)) ?? {
    name: body.name,
    value: body.value,
  };
