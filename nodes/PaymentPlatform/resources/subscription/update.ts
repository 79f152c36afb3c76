import { merchantId, profileId } from '../../fields/common';
import { calendarDate } from '../../fields/kinds/date';
import { firstShort, inRow, customerWords } from '../../messages/what-happened';
import { operation } from '../../model/operation';
import { asText } from '../../shared/objects';
import { cardFields } from './charged-by';
import { mainSubscriptionFields } from './created';
import { subscriptionId } from './fields';
import { notePast } from './state';
import * as wire from '../../wire/operations';

const { body, path, request } = wire.updateSubscription;

export const update = operation({
  value: 'update',
  name: 'Update',
  action: 'Update card or start date of subscription',
  description:
    'Change the card or, if the subscription has not started, the start date. Empty fields keep their current values.',
  request,
  fields: [
    subscriptionId(path.subscription_id),
    ...cardFields(),
    calendarDate({
      ...body.date_start,
      // A separate name prevents the editor from keeping the default date of Create.
      parameter: 'new_date_start',
      label: 'New Start Date',
      notIdentifying: true,
      description: 'Start date, if the subscription has not started. Leave empty to keep the current date.',
    }),
  ],
  additional: [profileId(body.profile_id), merchantId(body.merchant_id)],
  check: (values) =>
    Object.keys(values.body).every((name) => name === body.merchant_id.name)
      ? [
          {
            label: 'Card to Charge',
            found: 'nothing',
            allowed: 'is required, unless you enter a value in another field',
          },
        ]
      : [],
  notice: notePast,
  simplified: mainSubscriptionFields,
  summary: (record, values) => {
    const { card_id: card, date_start: start, profile_id: profile } = values.body;
    const changes = [
      ...(card === '' ? ['uses the primary card'] : []),
      ...(card === undefined || card === '' ? [] : ['uses another card']),
      ...(start === undefined ? [] : [`starts on ${asText(start).slice(0, 10)}`]),
      ...(profile === undefined ? [] : ['uses a new profile']),
    ];
    const subscription = `Subscription ${values.path.subscription_id}`;
    return firstShort([customerWords(record), ''].map((of) => `${subscription}${of} now ${inRow(changes)}.`));
  },
  refusals: [
    {
      pattern: /\bdate_start\b/,
      what: "The start date can't be changed after the subscription has started",
      advice:
        'Leave "New Start Date" empty. To charge on other days, cancel the subscription and create a new subscription.',
    },
    {
      pattern: /\bcard_id\b.*not belong/,
      what: 'The customer of the subscription has no saved card with this ID',
      advice: 'Select the subscription first, and then choose the card from the list.',
    },
    {
      pattern: /\bcard_id\b.*active/,
      what: 'The card can be changed only for active subscriptions',
      advice: 'Resume the subscription first, or change the primary card of the customer.',
    },
    {
      pattern: /\bprofile_id\b/,
      what: "This subscription can't use the profile",
      advice: 'Choose a profile with the currency of the subscription.',
    },
  ],
  lookUp: 'Repeating the same update has no further effect.',
});
