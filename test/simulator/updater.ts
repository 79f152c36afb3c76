import type { Resource } from '../../nodes/PaymentPlatform/model/types';
import { accountUpdater } from '../../nodes/PaymentPlatform/resources/account-updater';
import { submit } from '../../nodes/PaymentPlatform/resources/account-updater/submit';

/** Number of cards per request, small enough that a few items require several requests. */
const PER_REQUEST = 3;

/** The node's account updater operation with fewer cards per request. */
export const updater: Resource = {
  ...accountUpdater,
  preselected: submit.value,
  operations: [
    {
      ...submit,
      fields: submit.fields.map((field) =>
        field.perRequest === undefined ? field : { ...field, perRequest: PER_REQUEST },
      ),
    },
  ],
};

/** Returns a card's expiration date, which depends on the amount. */
export const expirationOf = (cents: number): string => `${String((cents % 12) + 1).padStart(2, '0')}31`;
/** Invalid expiration date that makes the node refuse the row. */
export const NO_EXPIRATION = 'xx';
